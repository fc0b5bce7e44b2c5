import Foundation
import Positioning
import SiteModel
import SiteStore

/// Seconds of a survey as a BLOB, little-endian. For each second: milliseconds since the first (4
/// bytes), how many ears heard (2), and for each of them its place in the row's list of ears (2) and
/// the level in tenths of a dBm (2, signed).
extension Packed {
    /// The bytes of seconds, each heard by none but `ears`.
    static func bytes(of seconds: [Survey.Second], ears: [Ear]) -> Data {
        guard let start = seconds.first?.at else { return Data() }
        let places = Dictionary(zip(ears, ears.indices)) { first, _ in first }
        var bytes: [UInt8] = []
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for second in seconds {
            let heard = second.heard.compactMap { heard in
                places[heard.ear].map { (place: $0, level: heard.level) }
            }
            append(UInt32(clamping: (second.at - start).milliseconds))
            append(UInt16(clamping: heard.count))
            for item in heard {
                append(UInt16(clamping: item.place))
                append(Int16((min(max(item.level.dBm, -128), 128) * 10).rounded()))
            }
        }
        return Data(bytes)
    }

    /// The seconds that were packed, or `nil` if these are not the bytes of some.
    static func seconds(
        from data: Data, ears: [Ear], place: Place, start: Timestamp
    ) -> [Survey.Second]? {
        var bytes = [UInt8](data)[...]
        func next(_ count: Int) -> UInt32? {
            guard bytes.count >= count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        var seconds: [Survey.Second] = []
        while !bytes.isEmpty {
            guard let offset = next(4), let count = next(2) else { return nil }
            var heard: [Survey.Heard] = []
            for _ in 0..<count {
                guard let index = next(2), let level = next(2), ears.indices.contains(Int(index))
                else { return nil }
                let tenths = Int16(truncatingIfNeeded: level)
                heard.append(
                    Survey.Heard(ear: ears[Int(index)], level: RSSI(dBm: Double(tenths) / 10)))
            }
            seconds.append(
                Survey.Second(place: place, at: start + .milliseconds(Int64(offset)), heard: heard))
        }
        return seconds
    }
}
