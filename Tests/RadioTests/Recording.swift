import Foundation

@testable import Radio
@testable import SiteModel

/// Recordings for tests, and a place for them on disk.
enum Recording {
    /// An event with one report of the address C1:02:03:04:05:06, no data, −60 dBm.
    static let report: [UInt8] = [
        0x04, 0x3E, 0x0C, 0x02, 0x01, 0x03, 0x01, 0x06, 0x05, 0x04, 0x03, 0x02, 0xC1, 0x00, 0xC4,
    ]
    /// The command that starts a legacy scan, as the host sends it.
    static let command: [UInt8] = [0x01, 0x0C, 0x20, 0x02, 0x01, 0x00]

    /// The moment all recordings here begin.
    static let start = Timestamp(milliseconds: 1_700_000_000_000)

    /// A recording with the report at each of these milliseconds from `start`.
    static func of(reportsAt milliseconds: [Int64]) -> [UInt8] {
        milliseconds.reduce(into: BTSnoopWriter.header) { bytes, time in
            bytes += BTSnoopWriter.record(of: report, at: start + .milliseconds(time))
        }
    }

    /// Everything a reader gives when fed pieces of this length, and how it ended.
    static func read(
        _ bytes: [UInt8], pieces: Int = 1 << 20
    ) -> (records: [BTSnoopReader.Record], error: BTSnoopError?) {
        var reader = BTSnoopReader()
        var records: [BTSnoopReader.Record] = []
        do throws(BTSnoopError) {
            for start in stride(from: 0, to: bytes.count, by: pieces) {
                reader.feed(bytes.span.extracting(start..<min(start + pieces, bytes.count)))
                while let record = try reader.next() { records.append(record) }
            }
            try reader.end()
        } catch {
            return (records, error)
        }
        return (records, nil)
    }

    /// Calls `body` with the path of a file that holds `bytes` and is removed afterwards.
    static func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "recording-\(UUID().uuidString).btsnoop")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }
}

extension Span where Element == UInt8 {
    /// The bytes, to be kept.
    var array: [UInt8] {
        var bytes: [UInt8] = []
        for index in indices { bytes.append(self[index]) }
        return bytes
    }
}
