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
