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

/// Runs as a BLOB of 12 bytes each, little-endian: the beacon's row (4), first and last second (1
/// each), the number of advertisements (2, at most 65,535), the strongest and the mean level in
/// tenths of a dBm (2 each, signed). Gaps are their first and last second, a byte each.
extension Packed {
    package static func bytes(of runs: [Evidence.Run]) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(12 * runs.count)
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for run in runs {
            append(UInt32(clamping: run.beacon.row))
            append(UInt8(clamping: run.first))
            append(UInt8(clamping: run.last))
            append(UInt16(clamping: run.count))
            append(tenths(run.strongest))
            append(tenths(run.mean))
        }
        return Data(bytes)
    }

    package static func bytes(of gaps: [ClosedRange<Int>]) -> Data {
        Data(gaps.flatMap { [UInt8(clamping: $0.lowerBound), UInt8(clamping: $0.upperBound)] })
    }

    /// The runs that were packed, or `nil` if these are not the bytes of some.
    package static func runs(from data: Data) -> [Evidence.Run]? {
        let bytes = [UInt8](data)
        guard bytes.count.isMultiple(of: 12) else { return nil }
        return stride(from: 0, to: bytes.count, by: 12).map { start in
            let value = { (offset: Int, count: Int) in
                bytes[start + offset..<start + offset + count].reversed()
                    .reduce(Int64(0)) { $0 << 8 | Int64($1) }
            }
            let level = { (offset: Int) in
                RSSI(dBm: Double(Int16(truncatingIfNeeded: value(offset, 2))) / 10)
            }
            return Evidence.Run(
                beacon: BeaconID(value(0, 4)), first: Int(value(4, 1)), last: Int(value(5, 1)),
                count: Int(value(6, 2)), strongest: level(8), mean: level(10))
        }
    }

    /// The gaps that were packed, or `nil` if these are not the bytes of some.
    package static func gaps(from data: Data) -> [ClosedRange<Int>]? {
        let bytes = [UInt8](data).map { Int($0) }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let pairs = stride(from: 0, to: bytes.count, by: 2).map { (bytes[$0], bytes[$0 + 1]) }
        guard pairs.allSatisfy({ $0 <= $1 }) else { return nil }
        return pairs.map { $0...$1 }
    }

    /// Levels of radios are −127 ... 20 dBm.
    private static func tenths(_ level: RSSI) -> Int16 {
        Int16((min(max(level.dBm, -128), 128) * 10).rounded())
    }
}

/// Values that no query looks into, as JSON text with sorted keys.
package enum JSONText {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()
    private static let decoder = JSONDecoder()

    /// - Throws: An `EncodingError`, for numbers that JSON does not have (NaN, infinity).
    package static func text(of value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// - Throws: A `DecodingError` for a text that this release did not write.
    package static func value<Value: Decodable>(_ type: Value.Type, from text: String) throws
        -> Value
    {
        try decoder.decode(type, from: Data(text.utf8))
    }
}
