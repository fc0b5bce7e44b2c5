import Foundation

/// How much time tests take: `deploy/test --fast`, `deploy/test`, or `deploy/test --long`.
package enum TestLength {
    /// Whether tests take all the time they are worth. Set by BEACONMESH_LONG.
    package static let isLong = ProcessInfo.processInfo.environment["BEACONMESH_LONG"] != nil
    /// Whether somebody waits for the answer. Set by BEACONMESH_FAST.
    package static let isFast = ProcessInfo.processInfo.environment["BEACONMESH_FAST"] != nil

    /// The seeds of a law that is worth so many: all of them in a long run, a tenth usually, five in a
    /// fast one.
    package static func seeds(of full: UInt64) -> ClosedRange<UInt64> {
        1...(isLong ? full : isFast ? 5 : full / 10)
    }
}
