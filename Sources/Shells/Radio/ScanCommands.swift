import NodeEngine

/// A command for a controller (Bluetooth Core 5.4, Vol 4 Part E 5.4.1).
package struct HCICommand: Equatable, Sendable {
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

extension ScanFamily {
    /// The bytes of a command: what to scan is every report of every device, duplicates unfiltered;
    /// how: from the public address, for all advertisers, on the 1 Mbit/s radio.
    package func command(_ command: ScanCommand, _ settings: ScanSettings) -> HCICommand {
        switch command {
        case .features: .readLowEnergyFeatures
        case .supported: .readSupportedCommands
        case .disable: enabling(false)
        case .enable: enabling(true)
        case .parameters: parameters(settings)
        }
    }

    private func parameters(_ settings: ScanSettings) -> HCICommand {
        let type: UInt8 = settings.isActive ? 1 : 0
        let times = bytes(settings.interval) + bytes(settings.window)
        return switch self {
        case .legacy:
            HCICommand(group: 0x08, number: 0x000B, parameters: [type] + times + [0, 0])
        case .extended:
            HCICommand(group: 0x08, number: 0x0041, parameters: [0, 0, 0x01, type] + times)
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

extension ScanRecovery.ForeignCommand {
    /// What a command packet of somebody else does to our scan, or `nil` if nothing: parameters and
    /// enabling of both families, and reset.
    package init?(packet: Span<UInt8>) {
        guard packet.count >= 4, packet[0] == 0x01 else { return nil }
        switch UInt16(packet[1]) | UInt16(packet[2]) << 8 {
        case 0x200C, 0x2042: self = packet.count > 4 && packet[4] != 0 ? .enable : .disable
        case 0x200B, 0x2041, 0x0C03: self = .other
        default: return nil
        }
    }
}
