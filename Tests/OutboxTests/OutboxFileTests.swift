import Foundation
import Testing

@testable import Outbox

/// The outbox in a real file.
struct OutboxFileTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "beaconmesh-outbox-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    private var path: String { folder + "/outbox.ring" }
    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func records(_ outbox: Outbox) -> [OutboxRecord] {
        var records: [OutboxRecord] = []
        while let next = outbox.record(after: records.last?.sequence ?? 0) { records.append(next) }
        return records
    }

    /// Closed at the end of this: nothing else is done, as when a process is killed.
    private func fill(_ numbers: ClosedRange<Int64>) throws {
        let outbox = try Outbox(path: path, megabytes: 1, log: 5)
        for number in numbers {
            #expect(try outbox.append(OutboxRecord.sample(number, length: 1400)) == number)
        }
    }

    @Test func `a new one takes its room at once and goes on where it was`() throws {
        defer { clean() }
        try fill(1...100)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(size == 1 << 20)
        try fill(101...150)
        let again = try Outbox(path: path, megabytes: 1, log: 6)
        #expect(again.log == 5)
        #expect(records(again).map(\.sequence) == Array(1...150))
        #expect(again.quarantine() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["outbox.ring"])
    }

    @Test func `two processes cannot use the same one`() throws {
        defer { clean() }
        let first = try Outbox(path: path, megabytes: 1, log: 5)
        #expect(throws: OutboxError.inUse(path: path)) {
            try Outbox(path: path, megabytes: 1, log: 5)
        }
        _ = try first.append([1])
    }

    @Test func `another size is said, and changes nothing`() throws {
        defer { clean() }
        try fill(1...3)
        #expect(throws: OutboxError.otherSize(path: path, found: 1, wanted: 2)) {
            try Outbox(path: path, megabytes: 2, log: 5)
        }
        #expect(records(try Outbox(path: path, megabytes: 1, log: 6)).count == 3)
    }

    @Test func `a file that is no outbox is left alone`() throws {
        defer { clean() }
        let diary = Data("dear diary".utf8)
        try diary.write(to: URL(fileURLWithPath: path))
        #expect(throws: OutboxError.notAnOutbox(path: path)) {
            try Outbox(path: path, megabytes: 1, log: 5)
        }
        #expect(FileManager.default.contents(atPath: path) == diary)
    }

    @Test func `a folder that is not there is named`() throws {
        defer { clean() }
        let missing = folder + "/nowhere/outbox.ring"
        let error = #expect(throws: OutboxError.self) {
            try Outbox(path: missing, megabytes: 1, log: 5)
        }
        #expect(error?.description.contains("open \(missing).new: No such file") == true)
    }

    @Test func `a file that lost its end keeps the rest`() throws {
        defer { clean() }
        try fill(1...300)  // 42 records a segment.
        let length = Int.random(in: 4 << 16...5 << 16)
        #expect(truncate(path, off_t(length)) == 0)
        let outbox = try Outbox(path: path, megabytes: 1, log: 6)
        let left = records(outbox)
        #expect(left.count >= 42 * 3, "cut at byte \(length)")
        #expect(left.map(\.sequence) == Array(1...Int64(left.count)), "cut at byte \(length)")
        #expect(!outbox.quarantine().isEmpty)
        #expect(try outbox.append([1]) == 301, "cut at byte \(length)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count { $0.hasPrefix("outbox.damaged-") } > 0)
    }

    @Test func `a damaged part is put aside once`() throws {
        defer { clean() }
        try fill(1...100)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64((1 << 16) + 4000))
        try file.write(contentsOf: Data([1, 2, 3]))
        try file.close()
        do {
            let outbox = try Outbox(path: path, megabytes: 1, log: 6)
            #expect(records(outbox).count == 99)
            #expect(
                outbox.quarantine() == [
                    "segment 0 is damaged, put aside as \(folder)/outbox.damaged-0"
                ])
        }
        let aside = FileManager.default.contents(atPath: folder + "/outbox.damaged-0")
        #expect(aside?.count == 1 << 16)
        let again = try Outbox(path: path, megabytes: 1, log: 6)
        #expect(records(again).count == 99)
        #expect(again.quarantine() == [])
    }

    /// Whatever byte a killed process stopped writing at: what was stored before is all there.
    @Test func `a write cut off at any byte costs that record alone`() throws {
        defer { clean() }
        try fill(1...10)
        let before = try #require(FileManager.default.contents(atPath: path))
        try fill(11...11)
        let after = try #require(FileManager.default.contents(atPath: path))
        let changed = before.indices.filter { before[$0] != after[$0] }
        #expect(changed.count > 1400)
        for end in stride(from: 0, to: changed.count, by: 37) {
            var cut = before
            for index in changed.prefix(end) { cut[index] = after[index] }
            try cut.write(to: URL(fileURLWithPath: path))
            let outbox = try Outbox(path: path, megabytes: 1, log: 6)
            #expect(records(outbox).map(\.sequence) == Array(1...10), "cut after \(end) bytes")
            let next = try outbox.append([1])
            #expect((11...12).contains(next))
            #expect(outbox.quarantine() == [])
        }
    }
}
