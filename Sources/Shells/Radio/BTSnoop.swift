import SiteModel

/// The btsnoop format (RFC 1761 with Bluetooth's datalinks): `btsnoop` and a NUL, version 4, datalink
/// 4; then records of original length 4, length 4, flags 4, drops 4, time 8, packet. All numbers are
/// big-endian.
enum BTSnoop {
    static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]
    static let version: UInt32 = 1
    static let headerLength = 16
    static let recordHeaderLength = 24
    /// Bare packets; the flags say of which type.
    static let bareDatalink: UInt32 = 1001
    /// Packets behind the type byte of H4.
    static let h4Datalink: UInt32 = 1002
    /// The longest packet HCI knows: ACL data of 65,535 bytes with its header and type.
    static let longestPacket = 65_540
    /// 1970-01-01 in microseconds since the year 0, btsnoop's epoch.
    private static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    /// A record's time. Times beyond what 64 bits can hold become the nearest that they can.
    static func timestamp(microseconds: Int64) -> Timestamp {
        let (sinceUnix, isOverflown) = microseconds.subtractingReportingOverflow(unixEpoch)
        return Timestamp(milliseconds: (isOverflown ? Int64.min : sinceUnix) / 1000)
    }

    /// A moment as a record holds it. Moments beyond what 64 bits can hold become the nearest.
    static func microseconds(_ moment: Timestamp) -> Int64 {
        let (scaled, isOverflown) = moment.milliseconds.multipliedReportingOverflow(by: 1000)
        let nearest = moment.milliseconds < 0 ? Int64.min : Int64.max
        if isOverflown { return nearest }
        let (sum, isTooLate) = scaled.addingReportingOverflow(unixEpoch)
        return isTooLate ? nearest : sum
    }
}

/// Why a recording cannot be read on.
package enum BTSnoopError: Error, Equatable, CustomStringConvertible {
    /// The header is not that of btsnoop version 1.
    case notBTSnoop
    /// The packets are of a kind we do not read; 2001 is btmon's own, for instance.
    case unsupportedDatalink(UInt32)
    /// The recording ends inside the record, or header, that begins at this byte.
    case truncated(offset: Int)
    /// The record that begins at this byte claims more than any HCI packet holds.
    case oversizeRecord(offset: Int)

    /// The fault in words.
    package var description: String {
        switch self {
        case .notBTSnoop: "not a btsnoop recording of version 1 (byte 0)"
        case .unsupportedDatalink(let type):
            "btsnoop datalink \(type) at byte 12 is not supported: expected 1001 or 1002"
        case .truncated(let offset): "cut off in what begins at byte \(offset)"
        case .oversizeRecord(let offset): "impossible length in the record at byte \(offset)"
        }
    }
}
