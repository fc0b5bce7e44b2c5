/// A command for a controller (Bluetooth Core 5.4, Vol 4 Part E 5.4.1).
struct HCICommand: Equatable, Sendable {
    /// The command's group, the upper six bits of its code.
    var group: UInt16
    /// The command within its group, the lower ten bits.
    var number: UInt16
    var parameters: [UInt8] = []

    /// The code as it goes over the wire.
    var opcode: UInt16 { group << 10 | number }

    /// The H4 packet, as other sockets of the same adapter see it.
    var packet: [UInt8] {
        [
            0x01, UInt8(truncatingIfNeeded: opcode), UInt8(truncatingIfNeeded: opcode >> 8),
            UInt8(truncatingIfNeeded: parameters.count),
        ] + parameters
    }

    /// Which optional commands a controller knows: 64 bytes.
    static let readSupportedCommands = HCICommand(group: 0x04, number: 0x0002)
    /// What a controller can do with Low Energy: 8 bytes.
    static let readLowEnergyFeatures = HCICommand(group: 0x08, number: 0x0003)
}

/// The two families of scan commands. A controller refuses one after it has heard the other, until
/// it is reset.
enum ScanCommands: Equatable, Sendable {
    /// Those every controller knows. They do not see extended advertising.
    case legacy
    /// Those of Bluetooth 5, for controllers that say so.
    case extended

    /// The family for a controller, from the answers to the two questions above without their
    /// status byte. Some say version 5.0 and know no extended command, so both bits count: LE
    /// feature 12 (extended advertising), and octet 37 bits 5 and 6 of the supported commands (LE Set
    /// Extended Scan Parameters and Enable).
    init(features: [UInt8], supported: [UInt8]) {
        let hasFeature = features.count > 1 && features[1] & 0x10 != 0
        let hasCommands = supported.count > 37 && supported[37] & 0x60 == 0x60
        self = hasFeature && hasCommands ? .extended : .legacy
    }

    /// Ends any scan.
    var disable: HCICommand { enabling(false) }

    /// Starts the scan, with every report of every device: duplicates unfiltered.
    var enable: HCICommand { enabling(true) }

    /// How to scan, from the public address, whoever advertises, on the 1 Mbit/s radio.
    func parameters(_ settings: ScanSettings) -> HCICommand {
        let type: UInt8 = settings.isActive ? 1 : 0
        let times = bytes(settings.interval) + bytes(settings.window)
        return switch self {
        case .legacy:
            HCICommand(group: 0x08, number: 0x000B, parameters: [type] + times + [0, 0])
        case .extended:
            HCICommand(group: 0x08, number: 0x0041, parameters: [0, 0, 0x01, type] + times)
        }
    }

    /// Whether a command of somebody else ends or changes our scan: parameters and enabling of both
    /// families, and reset.
    static func isDisturbing(opcode: UInt16) -> Bool {
        switch opcode {
        case 0x200B, 0x200C, 0x2041, 0x2042, 0x0C03: true
        default: false
        }
    }

    private func enabling(_ isOn: Bool) -> HCICommand {
        let first: UInt8 = isOn ? 1 : 0
        return switch self {
        case .legacy: HCICommand(group: 0x08, number: 0x000C, parameters: [first, 0])
        case .extended: HCICommand(group: 0x08, number: 0x0042, parameters: [first, 0, 0, 0, 0, 0])
        }
    }

    private func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}
