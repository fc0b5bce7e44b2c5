import Testing

@testable import Outbox
@testable import SiteModel

/// A ring keeps what it took, in order, and numbers nothing twice.
struct RingTests {
    private func ring(segments: Int = 6) throws -> OpenRing { try OpenRing(segments: segments) }

    @Test func `records come back in order with the number before each`() throws {
        let ring = try ring()
        #expect(ring.log == 7)
        #expect(ring.record(after: 0) == nil)
        for sequence in Int64(1)...300 {
            let bytes = OutboxRecord.sample(sequence, length: 1000)
            #expect(try ring.append(bytes) == sequence)
        }
        #expect(ring.waiting == 300)
        let all = ring.records()
        #expect(all.map(\.sequence) == Array(1...300))
        #expect(all.map(\.previous) == Array(0...299))
        #expect(all.allSatisfy { $0.bytes == OutboxRecord.sample($0.sequence, length: 1000) })
        #expect(ring.records(after: 298).map(\.sequence) == [299, 300])
        #expect(ring.takeDamage() == [])
    }

    @Test func `it goes on where it was`() throws {
        let first = try ring()
        for sequence in Int64(1)...200 {
            _ = try first.append(OutboxRecord.sample(sequence, length: 700))
            if sequence == 150 {
                #expect(first.acknowledge(epoch: 2, 100))
            }
        }
        let again = try OpenRing(first.disk)
        #expect(again.log == 7)
        #expect(again.acknowledged == Acknowledgement(epoch: 2, sequence: 100))
        #expect(try again.append([1]) == 201)
        #expect(again.records(after: 199).map(\.sequence) == [200, 201])
        #expect(again.waiting == 101)
        #expect(again.takeDamage() == [])
    }

    @Test func `the oldest are overwritten, and counted unless they were acknowledged`() throws {
        let ring = try ring(segments: 4)  // Three segments of 63 records of two sectors each.
        for sequence in Int64(1)...63 * 3 {
            _ = try ring.append(OutboxRecord.sample(sequence, length: 1000))
        }
        #expect(ring.dropped == 0)
        #expect(ring.acknowledge(epoch: 1, 40))
        _ = try ring.append(OutboxRecord.sample(190, length: 1000))
        #expect(ring.dropped == 23)
        #expect(ring.untold == 23)
        ring.toldDropped(23)
        #expect(ring.untold == 0)
        let rest = ring.records()
        #expect(rest.first?.sequence == 64)
        #expect(rest.first?.previous == 0)
        #expect(rest.count == 127)
        #expect(ring.waiting == 127)
        #expect(ring.acknowledge(epoch: 1, 190))
        for _ in 0..<200 { _ = try ring.append(OutboxRecord.sample(1, length: 1000)) }
        let again = try OpenRing(ring.disk)
        #expect(again.dropped == ring.dropped)
        #expect(again.untold == ring.untold)
        #expect(again.records().map(\.sequence) == ring.records().map(\.sequence))
    }

    @Test func `of what was acknowledged nothing is deleted`() throws {
        let ring = try ring()
        for sequence in Int64(1)...50 {
            _ = try ring.append(OutboxRecord.sample(sequence, length: 9))
        }
        #expect(ring.acknowledge(epoch: 1, 50))
        #expect(ring.records().count == 50)
        // A coordinator restored from a backup.
        #expect(!ring.acknowledge(epoch: 1, 20))
        #expect(ring.acknowledge(epoch: 2, 20))
        #expect(ring.records(after: ring.acknowledged.sequence).count == 30)
        #expect(!ring.acknowledge(epoch: 1, 40))
    }

    @Test func `an epoch that nobody confirms is given up, also on the disk`() throws {
        let ring = try ring()
        for sequence in Int64(1)...5 {
            _ = try ring.append(OutboxRecord.sample(sequence, length: 9))
        }
        #expect(ring.acknowledge(epoch: 900, 50))
        #expect(ring.waiting == 0)
        #expect(ring.acknowledge(epoch: 1, 3, evenLower: true))
        #expect(ring.waiting == 2)
        #expect(try ring.append([1]) == 6)
        let again = try OpenRing(ring.disk)
        #expect(again.acknowledged == Acknowledgement(epoch: 1, sequence: 3))
        #expect(!again.acknowledge(epoch: 0, 3, evenLower: true))
    }

    @Test func `a number acknowledged beyond the newest is not given again`() throws {
        let ring = try ring()
        _ = try ring.append([1])
        #expect(ring.acknowledge(epoch: 1, 900))
        #expect(try ring.append([2]) == 901)
        let again = try OpenRing(ring.disk)
        #expect(again.records().map(\.previous) == [0, 1])
        #expect(try again.append([3]) == 902)
        #expect(
            !again.acknowledge(epoch: 1, Acknowledgement.greatestSequence + 1))
    }

    @Test func `the longest record fits, a longer one and an empty one do not`() throws {
        let ring = try ring()
        let longest = [UInt8](repeating: 5, count: RingFormat.longestRecord)
        #expect(try ring.append(longest) == 1)
        #expect(throws: OutboxError.unfitRecord(bytes: longest.count + 1)) {
            try ring.append(longest + [5])
        }
        #expect(throws: OutboxError.unfitRecord(bytes: 0)) { try ring.append([]) }
        #expect(try ring.append([6]) == 2)
        #expect(ring.records().map(\.bytes.count) == [longest.count, 1])
    }

    @Test func `a disk that refuses loses the record, says so, and is tried again`() throws {
        let ring = try ring()
        for sequence in Int64(1)...5 {
            _ = try ring.append(OutboxRecord.sample(sequence, length: 9))
        }
        ring.disk.budget = 1
        for _ in 0..<3 {
            #expect(throws: OutboxError.self) { try ring.append([7]) }
        }
        ring.disk.budget = .max
        #expect(ring.dropped == 3)
        #expect(try ring.append([9]) == 9)
        let numbers = ring.records().map(\.sequence)
        // A number that failed is not given again; what became of its record does not matter.
        #expect(Array(numbers.prefix(5)) == [1, 2, 3, 4, 5])
        #expect(numbers.last == 9)
        let again = try OpenRing(ring.disk)
        #expect(again.records().map(\.sequence) == numbers)
        #expect(try again.append([1]) == 10)
    }

    @Test func `what is no ring, or of another size, is refused`() throws {
        let empty = FragileDisk(segments: 6)
        #expect(throws: OutboxError.notAnOutbox(path: "x")) { try OpenRing(empty, path: "x") }
        var small = FragileDisk(segments: 16)
        try Ring.format(&small, log: 1)
        var large = FragileDisk(segments: 32)
        try large.write(small.bytes, at: 0)
        #expect(throws: OutboxError.otherSize(path: "x", found: 1, wanted: 2)) {
            try OpenRing(large, path: "x")
        }
    }
}
