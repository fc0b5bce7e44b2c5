import SiteModel

/// A record as it was appended, and its place among the others.
package struct OutboxRecord: Equatable, Sendable {
    /// Its number.
    package var sequence: Int64
    /// The number of the record before it; 0 if nothing older is left.
    package var previous: Int64
    package var bytes: [UInt8]
}

/// A part of the ring that could not be read.
package struct RingDamage: Equatable, Sendable {
    /// The segment's serial, or −1 for the heads.
    package var serial: Int64
    /// The part as it is on the disk.
    package var bytes: [UInt8]
}

/// Records in segments on a disk of fixed size, the oldest overwritten when there is no room.
///
/// What `append` returned for survives a killed process and a power cut. Numbers count from 1 and
/// are never given twice: the head, written with each record, holds the greatest. If both heads are
/// lost, as many numbers are skipped as the whole ring can hold records.
package struct Ring<Disk: RingDisk> {
    struct Segment {
        var serial: Int64
        /// The number before its first, or `nil` if its header cannot be read.
        var previous: Int64?
    }

    /// What it lies on.
    package var disk: Disk
    private var head: RingHead
    /// From the oldest to the newest, serials without a gap.
    private(set) var segments: [Segment]
    /// The first free sector of the newest.
    private var tail: Int
    /// The last record that was stored.
    private var lastStored: Int64
    private var cache: (serial: Int64, contents: SegmentContents)?
    private var damages: [RingDamage] = []
    private var seenDamage: Set<Int64> = []

    /// The random number that names this outbox.
    package var log: UInt64 { head.log }
    /// The greatest number given to a record, or acknowledged.
    package var newest: Int64 { max(head.newest, head.acknowledged.sequence) }
    /// How far it was acknowledged.
    package var acknowledged: Acknowledgement { head.acknowledged }
    /// How many records were lost unacknowledged since the ring was made: overwritten, or not
    /// written because the disk refused.
    package var dropped: Int64 { head.dropped }
    /// How many of these nobody was told about yet.
    package var untold: Int64 { head.dropped - head.told }
    /// How many records wait for an acknowledgement, at most.
    package var waiting: Int64 {
        max(0, lastStored - max(acknowledged.sequence, segments.first?.previous ?? 0))
    }

    /// Writes an empty ring.
    ///
    /// - Throws: `.disk`: the file is no outbox yet.
    package static func format(_ disk: inout Disk, log: UInt64) throws(OutboxError) {
        let slots = Int64(disk.size / RingFormat.segment - 1)
        precondition(slots >= 2, "a ring of \(disk.size) bytes")
        var head = RingHead(
            log: log, generation: 0, slots: slots, serial: 0, newest: 0,
            acknowledged: Acknowledgement(epoch: 0, sequence: 0), dropped: 0, told: 0)
        for generation in Int64(1)...2 {
            head.generation = generation
            try disk.write(head.bytes, at: RingFormat.headOffset(generation))
        }
        try disk.write(
            SegmentHead(log: log, serial: 0, previous: 0).bytes,
            at: RingFormat.offset(of: 0, slots: Int(slots)))
        try disk.sync()
    }

    /// Opens a ring. `path` is for the error alone. Reads the headers and the newest segment;
    /// the others are checked when they are sent.
    ///
    /// - Throws: `.otherSize` or `.notAnOutbox`; nothing was written.
    package init(opening disk: Disk, path: String) throws(OutboxError) {
        let slots = disk.size / RingFormat.segment - 1
        let heads = Int64(0)...1
        let read = heads.compactMap { copy in
            let start = RingFormat.headOffset(copy)
            return RingHead(disk.read(start..<start + RingFormat.sector)[...])
        }
        let found = read.max { $0.generation < $1.generation }
        if let found, found.slots != Int64(slots) {
            throw .otherSize(
                path: path, found: (Int(found.slots + 1) * RingFormat.segment) >> 20,
                wanted: disk.size >> 20)
        }
        var headers = (0..<slots).compactMap { slot in
            let start = (slot + 1) * RingFormat.segment
            let header = SegmentHead(disk.read(start..<start + RingFormat.sector)[...])
            return header.flatMap { $0.serial % Int64(slots) == Int64(slot) ? $0 : nil }
        }
        guard let log = found?.log ?? headers.max(by: { $0.serial < $1.serial })?.log else {
            throw .notAnOutbox(path: path)
        }
        headers.removeAll { $0.log != log }
        let newest = max(found?.serial ?? 0, headers.map(\.serial).max() ?? 0)
        let previous = Dictionary(uniqueKeysWithValues: headers.map { ($0.serial, $0.previous) })
        self.disk = disk
        segments = (max(0, newest - Int64(slots) + 1)...newest).map {
            Segment(serial: $0, previous: previous[$0])
        }
        lastStored = headers.map(\.previous).max() ?? 0
        tail = RingFormat.sectors
        head =
            found
            ?? RingHead(
                log: log, generation: 0, slots: Int64(slots), serial: newest, newest: 0,
                acknowledged: Acknowledgement(epoch: 0, sequence: 0), dropped: 0, told: 0)
        head.serial = newest
        findEnd(hasHead: found != nil)
    }

    /// Appends a record and returns its number once it is on the disk. A number is used up even if
    /// that fails; the record then counts as dropped.
    ///
    /// - Throws: `.unfitRecord` for a record of the wrong size, a bug of the caller; `.disk` if the
    ///   disk refused: the record is lost and counted as dropped.
    package mutating func append(_ bytes: [UInt8]) throws(OutboxError) -> Int64 {
        guard (1...RingFormat.longestRecord).contains(bytes.count) else {
            throw .unfitRecord(bytes: bytes.count)
        }
        let sectors = RingFormat.sectors(of: bytes.count)
        let sequence = newest + 1
        head.newest = sequence
        do throws(OutboxError) {
            if tail + sectors > RingFormat.sectors { try roll() }
            let start = offset(of: head.serial) + tail * RingFormat.sector
            cache = nil
            // Where it fails, the sectors are left as they are: nobody knows what is in them.
            tail += sectors
            try disk.write(
                SegmentContents.sectors(
                    bytes, log: log, serial: head.serial, sequence: sequence), at: start)
            try syncHead()
        } catch {
            head.dropped += 1
            throw error
        }
        lastStored = sequence
        return sequence
    }

    /// Everything up to a number is stored elsewhere, or, in a higher epoch, is wanted again from
    /// there. On the disk with the next record. Returns whether anything changed.
    ///
    /// - Parameter evenLower: Nobody confirms the epoch kept: a lower one takes its place.
    package mutating func acknowledge(
        _ acknowledgement: Acknowledgement, evenLower: Bool = false
    ) -> Bool {
        guard (0...Acknowledgement.greatestSequence).contains(acknowledgement.sequence),
            (1..<1 << 53).contains(acknowledgement.epoch),
            evenLower || acknowledgement.replaces(head.acknowledged)
        else { return false }
        head.acknowledged = acknowledgement
        return true
    }

    /// All that was dropped so far was told; on the disk with the next record.
    package mutating func toldDropped(_ count: Int64) { head.told += min(count, untold) }

    /// Puts the acknowledgement on the disk now.
    ///
    /// - Throws: `.disk`: the acknowledgement is only in memory; after a restart records are sent
    ///   again.
    package mutating func flush() throws(OutboxError) { try syncHead() }

    /// The first record numbered above `sequence`; `nil` if there is none.
    package mutating func record(after sequence: Int64) -> OutboxRecord? {
        // What lies before a segment is numbered up to its `previous`.
        let start = segments.lastIndex { ($0.previous ?? .max) <= sequence } ?? 0
        for index in start..<segments.count {
            let contents = contents(at: index)
            guard let found = contents.records.firstIndex(where: { $0.sequence > sequence })
            else { continue }
            let place = contents.records[found]
            let previous =
                found > 0 ? contents.records[found - 1].sequence : lastRecord(before: index)
            return OutboxRecord(
                sequence: place.sequence, previous: previous, bytes: contents[place])
        }
        return nil
    }

    /// What was found to be damaged since the last call, each part once.
    package mutating func takeDamage() -> [RingDamage] {
        defer { damages = [] }
        return damages
    }
}

extension Ring {
    private func offset(of serial: Int64) -> Int {
        RingFormat.offset(of: serial, slots: Int(head.slots))
    }

    /// Writes the copy of the head that is not the newest, and syncs all that was written. Until
    /// that has worked the other copy is left alone: one of them is always whole.
    private mutating func syncHead() throws(OutboxError) {
        var next = head
        next.generation += 1
        try disk.write(next.bytes, at: RingFormat.headOffset(next.generation))
        try disk.sync()
        head = next
    }

    /// Begins the next segment, over the oldest if there is no room. Its header is on the disk
    /// before any record of it, so that half of it never looks like a damaged old one.
    private mutating func roll() throws(OutboxError) {
        let serial = head.serial + 1
        let isFull = segments.count == Int(head.slots)
        let before = head
        if isFull {
            let known = head.acknowledged.sequence
            head.dropped += Int64(contents(at: 0).records.count { $0.sequence > known })
        }
        head.serial = serial
        do throws(OutboxError) {
            try disk.write(
                SegmentHead(log: log, serial: serial, previous: lastStored).bytes,
                at: offset(of: serial))
            try syncHead()
        } catch {
            (head.serial, head.dropped) = (before.serial, before.dropped)
            cache = nil
            throw error
        }
        if isFull { segments.removeFirst() }
        segments.append(Segment(serial: serial, previous: lastStored))
        cache = nil
        tail = 1
    }

    /// Finds where the next record goes, and the greatest number ever used.
    private mutating func findEnd(hasHead: Bool) {
        // Headers that cannot be read are told at once; records behind them still count.
        // A power cut while a segment was begun leaves half a header and no record: it is begun
        // again. The number of the record that was to follow is used up.
        let first = segments.count - 1
        if first > 0, segments[first].previous == nil, contents(at: first).records.isEmpty,
            head.newest <= max(lastStored, lastRecord(before: first)) + 1
        {
            segments.removeLast()
            head.serial -= 1
            damages = []
            seenDamage = []
        }
        let last = segments.count - 1
        for index in segments.indices where segments[index].previous == nil {
            // If only the header came onto the disk, and not the head, it is the oldest's.
            let isOldest = index == 0 && segments[0].serial > 0
            if isOldest { seenDamage.insert(segments[0].serial) }
            _ = contents(at: index)
        }
        let contents = contents(at: last)
        lastStored = max(lastStored, lastRecord(before: segments.count))
        // One record may be missing because the power was cut while it was written.
        if head.newest > lastStored + 1 { note(head.serial, contents.bytes) }
        if last == first, !contents.hasHole, segments[last].previous != nil,
            head.newest <= lastStored + 1
        {
            tail = contents.end
        }
        head.newest = max(head.newest, lastStored)
        guard !hasHead else { return }
        note(-1, disk.read(0..<2 * 4096))
        head.newest += head.slots * Int64(RingFormat.sectors)
    }

    /// Reads a segment, or takes it from memory, and notes what is wrong with it.
    private mutating func contents(at index: Int) -> SegmentContents {
        let serial = segments[index].serial
        if let cache, cache.serial == serial { return cache.contents }
        let isNewest = index == segments.count - 1
        let last = isNewest ? nil : segments[index + 1].previous
        let start = offset(of: serial)
        let contents = SegmentContents(
            disk.read(start..<start + RingFormat.segment), log: log, serial: serial,
            last: last ?? .max)
        cache = (serial, contents)
        let found = contents.records.last?.sequence ?? segments[index].previous ?? 0
        let isCutOff = last.map { $0 > found } ?? false
        if contents.hasHole || segments[index].previous == nil || isCutOff {
            note(serial, contents.bytes)
        }
        return contents
    }

    private mutating func note(_ serial: Int64, _ bytes: [UInt8]) {
        guard seenDamage.insert(serial).inserted else { return }
        damages.append(RingDamage(serial: serial, bytes: bytes))
    }

    /// The number of the last record before a segment; 0 if there is none.
    private mutating func lastRecord(before index: Int) -> Int64 {
        for earlier in (0..<index).reversed() {
            if let last = contents(at: earlier).records.last { return last.sequence }
        }
        return 0
    }
}
