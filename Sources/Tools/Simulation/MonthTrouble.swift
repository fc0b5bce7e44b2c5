import Basics
import SiteModel

/// What goes wrong in a simulated month: each kind in its turn, at each site, one after the other.
package struct MonthTrouble: Equatable, Sendable {
    /// What goes wrong.
    package enum Kind: String, CaseIterable, Sendable {
        /// A node reaches nobody, 1 to 30 hours; what it hears comes late.
        case nodeOffline = "node offline"
        /// The broker is away, 6 hours.
        case brokerAway = "broker away"
        /// The coordinator is down, 10 hours.
        case coordinatorDown = "coordinator down"
        /// The coordinator crashes 20 times within minutes.
        case crashes = "crash loop"
        /// A node has no power, 3 hours: its neighbours hear people weakly.
        case nodeWithoutPower = "node without power"
        /// No node of the site has power, 2 hours: nobody can say who was there.
        case siteWithoutPower = "site without power"

        /// The shortest and the longest, in hours.
        fileprivate var hours: ClosedRange<Double> {
            switch self {
            case .nodeOffline: 1...30
            case .brokerAway: 6...6
            case .coordinatorDown: 10...10
            case .crashes: 0.1...0.1
            case .nodeWithoutPower: 3...3
            case .siteWithoutPower: 2...2
            }
        }
    }

    /// Once that something goes wrong.
    package struct Spell: Equatable, Sendable {
        package var kind: Kind
        /// Where, an index.
        package var site: Int
        /// Which node of the site, an index; without meaning where it is not about one.
        package var node: Int
        package var interval: Interval
    }

    /// How many crashes there are in a loop.
    package static let crashes = 20
    /// Between two troubles of a site: what was late may not become too late by the next one.
    private static let pace = 42.0

    /// By site, then beginning.
    package let spells: [Spell]

    /// The troubles of two sites between two moments; at least one of each kind at each, in a short time
    /// shorter ones.
    package init(from start: Timestamp, to end: Timestamp, seed: UInt64) {
        let hours = (end - start).seconds / 3600
        let slot = min(Self.pace, hours / Double(Kind.allCases.count))
        var spells: [Spell] = []
        for site in MonthLife.sites.indices {
            var dice = SeededRandom(seed: seed, stream: 40 + UInt64(site))
            var kinds: [Kind] = []
            var begin = 0.0
            while begin + slot <= hours + 0.001 {
                if kinds.isEmpty { kinds = Kind.allCases }
                let kind = kinds.remove(at: dice.index(below: kinds.count))
                let length = min(dice.number(in: kind.hours), slot * 0.7)
                let from =
                    start
                    + .seconds(
                        60 * (60 * (begin + dice.number(in: 0...min(slot * 0.25, 10)))).rounded())
                spells.append(
                    Spell(
                        kind: kind, site: site, node: dice.index(below: MonthLife.rooms),
                        interval: Interval(
                            from: from, to: from + .seconds(60 * (60 * length).rounded()))))
                begin += slot
            }
        }
        self.spells = spells
    }

    /// Whether something of a kind goes wrong at a site; with a node, at that node.
    package func holds(_ kind: Kind, site: Int, node: Int? = nil, at moment: Timestamp) -> Bool {
        spells.contains {
            $0.kind == kind && $0.site == site
                && (node.map { [other = $0.node] in other == $0 } ?? true)
                && $0.interval.from <= moment && moment < $0.interval.to
        }
    }

    /// When the coordinator of a site crashes, in order.
    package func crashes(site: Int) -> [Timestamp] {
        spells.filter { $0.kind == .crashes && $0.site == site }.flatMap { spell in
            (0..<Self.crashes).map { spell.interval.from + .seconds(15 * Double($0) + 5) }
        }
    }
}
