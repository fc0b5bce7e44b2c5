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

/// A controller's answer to a command of any program.
struct CommandAnswer: Equatable, Sendable {
    /// The command's code.
    var opcode: UInt16
    /// 0, or why it was refused.
    var status: UInt8
    /// What stands behind the status.
    var bytes: [UInt8]

    /// Reads an H4 packet: Command Complete (event `0E`: length, commands allowed, code 2, status,
    /// answer) or Command Status (event `0F`: length, status, commands allowed, code 2). A status of
    /// 0 says only that the command is under way, and is no answer. `nil` for all else, and for what
    /// is cut off.
    init?(packet: Span<UInt8>) {
        guard packet.count >= 7, packet[0] == 0x04, packet.count >= 3 + Int(packet[2]) else {
            return nil
        }
        switch packet[1] {
        case 0x0E where packet[2] >= 4:
            opcode = UInt16(packet[4]) | UInt16(packet[5]) << 8
            status = packet[6]
            bytes = (7..<3 + Int(packet[2])).map { packet[$0] }
        case 0x0F where packet[2] >= 4 && packet[3] != 0:
            opcode = UInt16(packet[5]) | UInt16(packet[6]) << 8
            status = packet[3]
            bytes = []
        default: return nil
        }
    }
}

/// How an adapter listens.
package struct ScanSettings: Equatable, Sendable {
    /// From the start of one scan window to the next, in milliseconds: 2.5 ... 10,240.
    package var intervalMilliseconds: Double
    /// How long each window is, in milliseconds: 2.5 ... the interval. As long as the interval means
    /// listening all the time; half of it spares the 2.4 GHz Wi-Fi of the same chip.
    package var windowMilliseconds: Double
    /// Whether to ask advertisers for their scan response. That transmits, and drains tags.
    package var isActive: Bool

    /// Passive listening all the time, unless said otherwise.
    package init(
        intervalMilliseconds: Double = 60, windowMilliseconds: Double = 60, isActive: Bool = false
    ) {
        self.intervalMilliseconds = intervalMilliseconds
        self.windowMilliseconds = windowMilliseconds
        self.isActive = isActive
    }

    /// The interval in units of 0.625 ms, brought into the range controllers accept.
    package var interval: UInt16 { Self.units(intervalMilliseconds) }

    /// The window in units of 0.625 ms, never longer than the interval.
    package var window: UInt16 { min(Self.units(windowMilliseconds), interval) }

    /// 4 ... 16,384 units of 0.625 ms (Bluetooth Core 5.4, Vol 4 Part E 7.8.10). The comparison is
    /// written so that “not a number” becomes the least.
    private static func units(_ milliseconds: Double) -> UInt16 {
        let units = (milliseconds / 0.625).rounded()
        return units > 4 ? UInt16(min(units, 16_384)) : 4
    }
}
