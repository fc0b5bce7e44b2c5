/// The two families of scan commands. A controller refuses one after it has heard the other, until
/// it is reset.
package enum ScanFamily: String, Equatable, Sendable {
    /// Those every controller knows. They do not see extended advertising.
    case legacy
    /// Those of Bluetooth 5, for controllers that say so.
    case extended

    /// The family for a controller, from its LE features (8 bytes) and its supported commands (64
    /// bytes); both may be missing. Some controllers say version 5.0 and know no extended command, so
    /// both bits count: LE feature 12 (extended advertising), and octet 37 bits 5 and 6 of the
    /// supported commands (LE Set Extended Scan Parameters and Enable).
    package init(features: [UInt8], supported: [UInt8]) {
        let hasFeature = features.count > 1 && features[1] & 0x10 != 0
        let hasCommands = supported.count > 37 && supported[37] & 0x60 == 0x60
        self = hasFeature && hasCommands ? .extended : .legacy
    }
}
