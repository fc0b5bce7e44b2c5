import Basics
import NodeEngine
import SiteModel

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
