import Foundation
import SiteEngine
import SiteModel

/// Seconds by room as a BLOB of little-endian 64-bit integers. For each room: its row, the gap in
/// milliseconds up to which its intervals are joined, their number, and for each interval the
/// milliseconds of its start and of its end.
package enum Packed {
    /// No time of ours gets beyond this, in either direction, and sums of two do not overflow.
    private static let limit: Int64 = 1 << 60

    /// The bytes of a list.
    package static func bytes(of times: [RoomTime]) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(times.reduce(0) { $0 + 24 + 16 * $1.seconds.intervals.count })
        func append(_ value: Int64) {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        for time in times {
            append(time.room.row)
            append(time.seconds.joining.milliseconds)
            append(Int64(time.seconds.intervals.count))
            for interval in time.seconds.intervals {
                append(interval.from.milliseconds)
                append(interval.to.milliseconds)
            }
        }
        return Data(bytes)
    }

    /// The list that was packed, or `nil` if these are not the bytes of one.
    package static func times(from data: Data) -> [RoomTime]? {
        let bytes = [UInt8](data)
        guard bytes.count.isMultiple(of: 8) else { return nil }
        var values = stride(from: 0, to: bytes.count, by: 8).map { start in
            Int64(
                bitPattern: bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }[...]
        var times: [RoomTime] = []
        while let room = values.popFirst() {
            guard let joining = values.popFirst(), let count = values.popFirst(),
                (0...limit).contains(joining), (0...Int64(values.count / 2)).contains(count)
            else { return nil }
            var seconds = IntervalSet(joining: .milliseconds(joining))
            for _ in 0..<count {
                guard let from = values.popFirst(), let to = values.popFirst(), -limit <= from,
                    from <= to, to <= limit
                else { return nil }
                seconds.insert(
                    Interval(from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: to)))
            }
            times.append(RoomTime(room: RoomID(room), seconds: seconds))
        }
        return times
    }
}
