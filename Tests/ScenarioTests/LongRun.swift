import Foundation

/// Whether tests take all the time they are worth: `deploy/test --long` says so. Otherwise they run a
/// tenth of it.
enum LongRun {
    /// Set by BEACONMESH_LONG.
    static let isOn = ProcessInfo.processInfo.environment["BEACONMESH_LONG"] != nil
}
