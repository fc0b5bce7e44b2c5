import Foundation
import SiteEngine
import SiteModel

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
