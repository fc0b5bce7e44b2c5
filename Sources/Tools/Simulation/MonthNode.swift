import Basics
import NodeEngine
import SiteEngine
import SiteModel

/// A node of a simulated month: puts what it hears to runs, and keeps them until they are stored
/// elsewhere.
package struct MonthNode: Sendable {
    private let log: UInt64
    private let beacons: [BeaconID]
    private var boot: UInt64
    private var sequence: Int64 = 0
    private var runs: Runs?
    /// What was not acknowledged yet, oldest first.
    private var kept: [Evidence] = []
    /// How many of them were told since the last connection.
    private var told = 0

    /// A node that has just been started for the first time; `beacons` are the people's tags.
    package init(log: UInt64, beacons: [BeaconID]) {
        self.log = log
        self.beacons = beacons
        boot = log &* 1000
    }

    /// The records that wait to be acknowledged.
    package var waiting: Int { kept.count }

    /// A second has ended.
    package mutating func listen(_ second: Int64, heard: [NodeFrame.Entry]) {
        if runs == nil { runs = Runs(boot: boot, beacons: beacons.count, at: second) }
        // Everything counts, however weak.
        let closed =
            runs?.close(second, isListened: true, heard: heard, floor: RSSI(dBm: -128)) ?? []
        for part in closed {
            sequence += 1
            kept.append(evidence(part))
        }
    }

    /// The power is gone, and with it the minute under way; what was kept stays.
    package mutating func losePower() {
        guard runs != nil else { return }
        runs = nil
        boot += 1
        told = 0
    }

    /// What was not told yet, oldest first; then it counts as told.
    package mutating func tell() -> ArraySlice<Evidence> {
        defer { told = kept.count }
        return kept[told...]
    }

    /// A new connection, or another coordinator: everything that was not acknowledged is told again.
    package mutating func rewind() { told = 0 }

    /// Everything through a number is stored elsewhere.
    package mutating func acknowledge(_ cursor: CursorRow) {
        guard cursor.log == log else { return }
        let count = kept.prefix { $0.record.sequence <= cursor.sequence }.count
        kept.removeFirst(count)
        told = max(0, told - count)
    }

    private func evidence(_ part: NodeEvidence) -> Evidence {
        Evidence(
            record: Record(log: log, sequence: sequence, after: sequence - 1), boot: part.boot,
            from: part.from, to: part.to, listened: part.listened, floor: part.floor,
            isSynced: true, gaps: part.gaps,
            runs: part.runs.map {
                Evidence.Run(
                    beacon: beacons[$0.beacon], first: $0.first, last: $0.last, count: $0.count,
                    strongest: $0.strongest, mean: $0.mean)
            })
    }
}

/// What the four nodes of one site of a simulated month hear, second by second.
///
/// A tag sends every one to two seconds. The node of its room hears a second in which it sent with
/// probability 0.9, that of a room next to it with 0.3, others never. The dice are thrown for every
/// node, whether it has power or not, so that an outage changes nothing about the rest.
package struct MonthAir: Sendable {
    private static let own = 0.9
    private static let neighbour = 0.3

    /// Those with a tag, by beginning.
    private let visits: [MonthVisit]
    /// The first visit that has not begun.
    private var next = 0
    /// The visits under way, by person.
    private var here: [Int] = []
    /// Between two packets of each tag, in milliseconds.
    private let intervals: [Int64]
    private var dice: SeededRandom

    package init(_ life: MonthLife, site: Int, people: Int, seed: UInt64) {
        visits = life.visits.filter { $0.site == site && !$0.isTagless }
        dice = SeededRandom(seed: seed, stream: 30 + UInt64(site))
        var tags = SeededRandom(seed: seed, stream: 21)
        intervals = (0..<people).map { _ in Int64(tags.number(in: 1000...2000)) }
    }

    /// What each node hears in a second. Seconds come in order, each once.
    package mutating func hear(_ second: Int64) -> [[NodeFrame.Entry]] {
        let moment = Timestamp(second: second)
        if !here.isEmpty { here.removeAll { visits[$0].interval.to <= moment } }
        while next < visits.count, visits[next].interval.from <= moment {
            if visits[next].interval.to > moment {
                here.append(next)
                here.sort { visits[$0].person < visits[$1].person }
            }
            next += 1
        }
        guard !here.isEmpty else { return Self.silence }
        var heard = Self.silence
        for index in here {
            let person = visits[index].person
            let packets =
                (second + 1) * 1000 / intervals[person] - second * 1000 / intervals[person]
            guard packets > 0, !visits[index].isShadowed(at: second) else { continue }
            let room = visits[index].room(at: second)
            for node in max(0, room - 1)...min(MonthLife.rooms - 1, room + 1) {
                guard dice.chance(node == room ? Self.own : Self.neighbour) else { continue }
                let level = RSSI(dBm: node == room ? -62 : -78)
                heard[node].append(
                    NodeFrame.Entry(
                        beacon: .known(person), median: level, count: Int(packets),
                        strongest: level))
            }
        }
        return heard
    }

    private static let silence: [[NodeFrame.Entry]] = Array(repeating: [], count: MonthLife.rooms)
}
