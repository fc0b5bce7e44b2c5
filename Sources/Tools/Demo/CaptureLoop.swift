import Foundation
import Radio
import SiteModel
import Platform

/// Plays a real HCI log again and again, with its own timing.
struct CaptureLoop {
    private let records: [BTSnoopReader.Record]
    private var next = 0
    private var started: Timestamp

    /// Reads the log at `path`. What could be read before a fault is used; the fault is returned.
    init(path: String, from now: Timestamp) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Exit(code: 66, text: "\(path): cannot be read")
        }
        var reader = BTSnoopReader()
        reader.feed([UInt8](data).span)
        var records: [BTSnoopReader.Record] = []
        do {
            while let record = try reader.next() { records.append(record) }
            try reader.end()
        } catch {
            guard !records.isEmpty else { throw Exit(code: 65, text: "\(path): \(error)") }
            StandardError.line("\(path): \(error); \(records.count) packets before it are used")
        }
        guard !records.isEmpty else { throw Exit(code: 65, text: "\(path): holds no packets") }
        self.records = records
        started = now
    }

    /// The packets due by `now`.
    mutating func due(at now: Timestamp) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        let first = records[0].at
        while next < records.count, started + (records[next].at - first) <= now {
            packets.append(records[next].packet)
            next += 1
        }
        if next == records.count {
            next = 0
            started = now + .seconds(1)
        }
        return packets
    }
}
