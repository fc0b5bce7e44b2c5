import Basics
import Testing

@testable import Positioning
@testable import SiteModel

/// What each receiver said for a change of place adds up to what its second said.
struct EarSharesTests {
    private static let ears: [Ear] = (1...5).map { .node(NodeID($0)) }
    private static let levels: [(place: Place, levels: [Double])] = [
        (Place(room: MeshSite.hall, station: MeshSite.bench), [-65, -52, -75, -85, -90]),
        (Place(room: MeshSite.hall, station: MeshSite.rack), [-65, -75, -52, -80, -90]),
        (Place(room: MeshSite.yard, station: nil), [-80, -85, -82, -55, -60]),
    ]

    private static func model() -> PlaceModel? {
        var dice = Dice(seed: 3)
        let stretches = levels.map { place, levels in
            (0..<60).map { second in
                Survey.Second(
                    place: place, at: moment(Double(second)),
                    heard: zip(ears, levels).map { ear, level in
                        .init(
                            ear: ear,
                            level: RSSI(dBm: level + .random(in: -4...4, using: &dice)))
                    })
            }
        }
        return Survey(ears: ears, stretches: stretches).model(revision: 1)
    }

    private static func locating(_ kind: Kind) -> Locating {
        var plan = MeshSite.plan()
        if kind == .taught { plan.model = model() }
        if kind == .measured {
            for (index, x) in [6.0, 2, 10, 20, 25].enumerated() {
                plan.nodes[index].position = Position(x: x, y: 1)
            }
        }
        return Locating(
            plan: plan, places: MeshSite.users.map { _ in (room: nil, station: nil) })
    }

    enum Kind: CaseIterable, Sendable { case untaught, measured, taught }

    /// All changes of one who stands at the three places in turn, with two beacons, heard with gaps.
    private func changes(_ kind: Kind, seed: UInt64, shift: Double = 0) -> [Reasons] {
        var dice = Dice(seed: seed)
        var locating = Self.locating(kind)
        var changes: [Reasons] = []
        for second in 0..<120 {
            let levels = Self.levels[second / 20 % 3].levels
            for beacon in [0, 3] {
                for node in 0..<5 where node != 4 || second % 2 == 0 {
                    locating.listened(node: node, at: moment(Double(second)))
                    guard Double.random(in: 0...1, using: &dice) < 0.8 else { continue }
                    let noise = Double.random(in: -6...6, using: &dice)
                    locating.heard(
                        beacon: beacon, node: node,
                        level: RSSI(dBm: levels[node] + noise + shift * Double(beacon)),
                        at: moment(Double(second)))
                }
            }
            let fix = locating.fix(user: 0, beacons: [0, 3], at: moment(Double(second))) { _ in
                true
            }
            if let change = fix?.change { changes.append(change) }
        }
        return changes
    }

    @Test(arguments: Kind.allCases, UInt64(1)...20)
    func `what receivers say adds up to what the second said`(kind: Kind, seed: UInt64) {
        let zones = Double(Self.locating(kind).zones.count)
        func odds(_ p: Double, _ q: Double) -> Double { Exponential.ln(p / q) }
        /// Somebody may have moved since the second before.
        func mixed(_ p: Double) -> Double {
            p * (1 - Locating.moving) + (1 - p) * Locating.moving / (zones - 1)
        }
        let changes = changes(kind, seed: seed, shift: seed % 2 == 0 ? 0 : -4)
        #expect(changes.count >= 5)
        for change in changes {
            let said =
                odds(change.probability, change.runnerUpProbability)
                - odds(mixed(change.prior), mixed(change.runnerUpPrior))
            let sum = change.readings.reduce(0) { $0 + $1.difference }
            // A probability of 1e-9 is added to each place.
            #expect(abs(sum - said) < 0.005, "seed \(seed): \(sum) of \(said)")
            #expect(change.readings.allSatisfy { $0.support >= 0 && $0.against >= 0 })
        }
    }

    @Test func `untaught, the loudest of both places say the most, and alike`() throws {
        var locating = Self.locating(.untaught)
        var last: Reasons?
        for second in 0...14 {
            let isAtBench = second < 10
            let levels = [-80.0, isAtBench ? -60 : -75, isAtBench ? -75 : -55]
            for (node, level) in levels.enumerated() {
                locating.listened(node: node, at: moment(Double(second)))
                locating.heard(
                    beacon: 0, node: node, level: RSSI(dBm: level), at: moment(Double(second)))
            }
            let fix = locating.fix(user: 0, beacons: [0], at: moment(Double(second))) { _ in true }
            last = fix?.change ?? last
        }
        let change = try #require(last)
        #expect(change.to?.station == MeshSite.rack && change.runnerUp?.station == MeshSite.bench)
        let ranked = change.ranked
        #expect(ranked.prefix(2).map(\.ear) == [.node(NodeID(2)), .node(NodeID(3))])
        #expect(ranked[0].support > 0.1 && ranked[0].support == ranked[1].support)
        #expect(ranked.dropFirst(2).allSatisfy { $0.difference == 0 })
        #expect(ranked.allSatisfy { $0.expected == nil && $0.expectedAtRunnerUp == nil })
    }

    @Test func `taught, what is usual at both places is told as the user is received now`() throws {
        var locating = Self.locating(.taught)
        for second in 0...3 {
            for node in 0..<5 {
                locating.listened(node: node, at: moment(Double(second)))
                locating.heard(
                    beacon: 0, node: node, level: RSSI(dBm: Self.levels[0].levels[node]),
                    at: moment(Double(second)))
            }
            _ = locating.fix(user: 0, beacons: [0], at: moment(Double(second))) { _ in true }
        }
        let zones = try Self.levels.map { level in
            try #require(locating.zones.firstIndex(of: level.place))
        }
        func shares(_ offset: Double) throws -> [EarShares.Share] {
            locating.weighing.scratch.offsets[1] = offset
            let prior = try #require(locating.whereabouts[0].beliefs.latest)
            return EarShares(
                of: [0], for: zones[0], against: zones[1], after: prior, at: moment(3).second,
                locating.received, &locating.weighing
            ).shares
        }
        let plain = try shares(0)
        #expect(plain.map(\.level) == Self.levels[0].levels)
        for (ear, share) in plain.enumerated() {
            #expect(abs((share.usual ?? 0) - Self.levels[0].levels[ear]) < 3)
            #expect(abs((share.usualAtOther ?? 0) - Self.levels[1].levels[ear]) < 3)
        }
        #expect(plain[1].logarithm > 0.5 && plain[2].logarithm > 0.5)
        let louder = try shares(9)
        #expect(louder.map(\.level) == plain.map(\.level), "as it was heard")
        #expect(louder[1].usual == plain[1].usual.map { $0 + 9 })
        #expect(louder[1].usualAtOther == plain[1].usualAtOther.map { $0 + 9 })
        #expect(louder[1].logarithm < plain[1].logarithm, "9 dB less than is usual of them")
    }
}
