import Foundation

/// How much time tests take: `deploy/test --fast`, `deploy/test`, or `deploy/test --long`.
package enum TestLength {
    /// Whether tests take all the time they are worth. Set by TEST_LENGTH=long.
    package static let isLong = length == "long"
    /// Whether somebody waits for the answer. Set by TEST_LENGTH=fast.
    package static let isFast = length == "fast"

    /// No name with the prefix of the configuration, which the daemons would refuse.
    private static let length = ProcessInfo.processInfo.environment["TEST_LENGTH"]

    /// The seeds of a law that is worth so many: all of them in a long run, a tenth usually, five in a
    /// fast one.
    package static func seeds(of full: UInt64) -> ClosedRange<UInt64> {
        1...(isLong ? full : isFast ? 5 : full / 10)
    }
}
