import Testing

@testable import Outbox

/// Power cuts and damage: what was synced is there, the rest is told.
struct RingDamageTests {
    /// Appends, acknowledges, and loses power in the middle of it, again and again.
    @Test(arguments: UInt64(1)...100)
    func `a power cut loses nothing that was synced`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        var disk = FragileDisk(segments: 4)
        try Ring.format(&disk, log: seed)
        /// What was ever returned by `append`, by number; it may be overwritten by now.
        var lengths: [Int64: Int] = [:]
        var greatest: Int64 = 0
        for life in 0..<6 {
            let ring = try OpenRing(disk)
            #expect(ring.takeDamage() == [], "seed \(seed), life \(life)")
            check(ring, lengths, "seed \(seed), life \(life)")
            ring.disk.budget = Int.random(in: 0...60, using: &dice)
            while ring.disk.budget > 0 {
                let length = Int.random(in: 1...6000, using: &dice)
                let sequence = ring.newest + 1
                #expect(sequence > greatest || lengths[sequence] == nil)
                do {
                    let bytes = OutboxRecord.sample(sequence, length: length)
                    let given = try ring.append(bytes)
                    #expect(given == sequence)
                    #expect(lengths.updateValue(length, forKey: sequence) == nil)
                    greatest = max(greatest, sequence)
                } catch {
                    break
                }
                if Int.random(in: 0..<5, using: &dice) == 0 {
                    _ = ring.acknowledge(epoch: 1, sequence)
                }
            }
            disk = ring.disk.cut(using: &dice)
        }
        #expect(greatest > 5)
    }

    /// The newest records are all there, without a hole; each is what it was.
    private func check(
        _ ring: OpenRing, _ lengths: [Int64: Int], _ comment: Comment
    ) {
        let records = ring.records()
        let synced = lengths.keys.sorted()
        let kept = records.map(\.sequence).filter { lengths[$0] != nil }
        #expect(kept == Array(synced.suffix(kept.count)), comment)
        // One segment of three is full for certain; a record takes at most 12 sectors.
        #expect(kept.count >= min(synced.count, 9), comment)
        #expect(
            zip(records, records.dropFirst()).allSatisfy { $0.sequence == $1.previous }, comment)
        #expect(ring.newest >= synced.last ?? 0, comment)
        for record in records {
            guard let length = lengths[record.sequence] else { continue }
            #expect(record.bytes == OutboxRecord.sample(record.sequence, length: length), comment)
        }
    }

    /// A ring of 300 records of 1000 bytes in five segments, and the disk it lies on.
    private static let whole = Result { try fill() }

    private func full() throws -> FragileDisk { try Self.whole.get() }

    private static func fill() throws -> FragileDisk {
        var disk = FragileDisk(segments: 8)
        try Ring.format(&disk, log: 9)
        let ring = try OpenRing(disk)
        for sequence in Int64(1)...300 {
            _ = try ring.append(OutboxRecord.sample(sequence, length: 1000))
        }
        return ring.disk
    }

    @Test func `damage in the middle costs the records it hit`() throws {
        var disk = try full()
        var dice = Dice(seed: 1)
        let start = RingFormat.segment * 2 + 512 + 1024 * 10 + 100
        disk.damage(start..<start + 1, using: &dice)
        let ring = try OpenRing(disk)
        #expect(ring.takeDamage() == [], "it is found when it is read")
        let records = ring.records()
        #expect(records.map(\.sequence) == (1...300).filter { $0 != 74 })
        #expect(records.first { $0.sequence == 75 }?.previous == 73)
        #expect(ring.takeDamage() == [1])
        #expect(ring.records(after: 70).count == 229)
        #expect(ring.takeDamage() == [], "each part is told once")
        #expect(try ring.append([1]) == 301)
    }

    @Test func `a damaged header costs nothing but a line`() throws {
        var disk = try full()
        var dice = Dice(seed: 1)
        disk.damage(RingFormat.segment * 3..<RingFormat.segment * 3 + 40, using: &dice)
        let ring = try OpenRing(disk)
        #expect(ring.takeDamage() == [2])
        #expect(ring.records().map(\.sequence) == Array(1...300))
        #expect(try ring.append([1]) == 301)
        #expect(ring.records(after: 300).map(\.previous) == [300])
    }

    @Test func `without the newest segment no number is given again`() throws {
        var disk = try full()
        // Five segments of 63 records; the last holds 48.
        disk.erase(RingFormat.segment * 5..<RingFormat.segment * 6)
        let ring = try OpenRing(disk)
        #expect(ring.takeDamage() == [4])
        #expect(ring.records().map(\.sequence) == Array(1...252))
        #expect(try ring.append([1]) == 301)
        #expect(ring.records(after: 252).map(\.previous) == [252])
        let again = try OpenRing(ring.disk)
        #expect(again.records().map(\.sequence).last == 301)
        #expect(try again.append([1]) == 302)
    }

    @Test func `without its heads a ring skips more than it can hold`() throws {
        var disk = try full()
        disk.erase(0..<8192)
        let ring = try OpenRing(disk)
        #expect(ring.log == 9)
        #expect(ring.takeDamage() == [-1])
        #expect(ring.records().map(\.sequence) == Array(1...300))
        #expect(try ring.append([1]) > 300 + 7 * 127)
        let again = try OpenRing(ring.disk)
        #expect(again.takeDamage() == [])
        #expect(again.records().count == 301)
    }

    /// Whatever is damaged, it opens or says that it is none, and what it reads is what was written.
    @Test(arguments: UInt64(1)...100)
    func `no damage makes a record another one`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        var disk = try full()
        for _ in 0..<Int.random(in: 1...12, using: &dice) {
            let start = Int.random(in: 0..<disk.size - 1, using: &dice)
            let end = min(disk.size, start + Int.random(in: 1...70_000, using: &dice))
            if Bool.random(using: &dice) {
                disk.damage(start..<min(end, start + 2000), using: &dice)
            } else {
                disk.erase(start..<end)
            }
        }
        guard let ring = try? OpenRing(disk) else { return }
        let before = ring.records()
        #expect(zip(before, before.dropFirst()).allSatisfy { $0.sequence == $1.previous })
        for record in before {
            #expect(record.bytes == OutboxRecord.sample(record.sequence, length: 1000))
        }
        let next = try ring.append([1, 2, 3])
        #expect(next > 300, "seed \(seed)")
        #expect(ring.records().count == before.count + 1)
        let again = try OpenRing(ring.disk)
        #expect(again.records() == ring.records())
        #expect(try again.append([4]) == next + 1)
    }
}
