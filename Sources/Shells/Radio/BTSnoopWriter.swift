import SiteModel

/// Writes a btsnoop recording of H4 packets: the header once, then a record a packet.
package enum BTSnoopWriter {
    /// What a recording begins with.
    package static var header: [UInt8] {
        BTSnoop.magic + bigEndian(BTSnoop.version) + bigEndian(BTSnoop.h4Datalink)
    }

    /// The record of one H4 packet of at most 65,540 bytes; `isReceived` says that the controller
    /// sent it to the host.
    package static func record(
        of packet: [UInt8], at moment: Timestamp, isReceived: Bool = true
    ) -> [UInt8] {
        precondition(packet.count <= BTSnoop.longestPacket, "longer than any HCI packet")
        let length = bigEndian(UInt32(packet.count))
        // Commands and events have bit 1, data has not.
        let isMessage = packet.first == 0x01 || packet.first == 0x04
        let flags = (isReceived ? 1 : 0) | (isMessage ? 2 : 0) as UInt32
        let time = UInt64(bitPattern: BTSnoop.microseconds(moment))
        return length + length + bigEndian(flags) + bigEndian(0)
            + bigEndian(UInt32(truncatingIfNeeded: time >> 32))
            + bigEndian(UInt32(truncatingIfNeeded: time)) + packet
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
