import Testing

@testable import Positioning
@testable import SiteModel

/// Places that somebody taught by standing there.
struct SpotFilterTests {
    private static let ears: [Ear] = (1...5).map { .node(NodeID($0)) }
    /// What the five nodes of the site hear at three places; the last has no node of its own.
    private static let levels: [(place: Place, levels: [Double])] = [
        (Place(room: MeshSite.hall, station: MeshSite.bench), [-65, -52, -75, -85, -90]),
        (Place(room: MeshSite.hall, station: MeshSite.rack), [-65, -75, -52, -80, -90]),
        (Place(room: MeshSite.yard, station: nil), [-80, -85, -82, -55, -60]),
    ]

    private func survey(_ dice: inout Dice, seconds: Int = 60) -> Survey {
        let stretches = Self.levels.map { place, levels in
            (0..<seconds).map { second in
                Survey.Second(
                    place: place, at: moment(Double(second)),
                    heard: zip(Self.ears, levels).map { ear, level in
                        Survey.Heard(
                            ear: ear,
                            level: RSSI(dBm: level + .random(in: -4...4, using: &dice)))
                    })
            }
        }
        return Survey(ears: Self.ears, stretches: stretches)
    }

    private func locating(_ model: PlaceModel?) -> Locating {
        var plan = MeshSite.plan()
        plan.model = model
        return Locating(
            plan: plan, places: MeshSite.users.map { _ in (room: nil, station: nil) })
    }

    /// The share of seconds, after the first five of each, that are right at `levels` plus `shift`.
    private func score(
        _ locating: inout Locating, _ dice: inout Dice, shift: [Double] = [0, 0, 0, 0, 0],
        confidence: ((Double) -> Void)? = nil
    ) -> Double {
        var second = 0
        var (right, all) = (0.0, 0.0)
        for (place, levels) in Self.levels + Self.levels {
            for step in 0..<30 {
                for node in 0..<5 {
                    locating.listened(node: node, at: moment(Double(second)))
                    locating.heard(
                        beacon: 0, node: node,
                        level: RSSI(
                            dBm: levels[node] + shift[node] + .random(in: -4...4, using: &dice)),
                        at: moment(Double(second)))
                }
                let fix = locating.fix(user: 0, beacons: [0], at: moment(Double(second))) {
                    _ in true
                }
                second += 1
                guard step >= 5 else { continue }
                all += 1
                if fix?.place == place { right += 1 }
                confidence?(fix?.probability ?? 0)
            }
        }
        return right / all
    }

    @Test(arguments: UInt64(1)...20) func `taught places are found, and with certainty`(
        seed: UInt64
    ) throws {
        var dice = Dice(seed: seed)
        let model = try #require(survey(&dice).model(revision: 7))
        #expect(model.revision == 7 && model.spots.count { $0.isWhole } == 3)
        var locating = locating(model)
        var confidences: [Double] = []
        #expect(score(&locating, &dice) { confidences.append($0) } > 0.99)
        #expect(confidences.reduce(0, +) / Double(confidences.count) > 0.95)
    }

    @Test(arguments: UInt64(1)...20) func `carried otherwise, the loudest node takes over`(
        seed: UInt64
    ) throws {
        // A body takes 20 dB from some of the nodes, but not from the one a person stands at.
        var dice = Dice(seed: seed)
        let shift = (0..<5).map { _ in Double.random(in: -20 ... -12, using: &dice) }
        let model: PlaceModel = try #require(survey(&dice).model(revision: 1))
        var locating = locating(model)
        #expect(score(&locating, &dice, shift: shift) > 0.9)
    }

    @Test(arguments: UInt64(1)...20) func `a place nobody taught is found by what others taught`(
        seed: UInt64
    ) throws {
        var dice = Dice(seed: seed)
        var survey = survey(&dice)
        // The rack. Its node hears at the bench and in the yard what those hear at the rack.
        survey.stretches.remove(at: 1)
        let model: PlaceModel = try #require(survey.model(revision: 1))
        #expect(model.spots.allSatisfy { $0.place != Self.levels[1].place })
        var locating = locating(model)
        #expect(score(&locating, &dice) > 0.95)
    }

    @Test func `what is inferred is what the way back says`() throws {
        var dice = Dice(seed: 3)
        var survey = survey(&dice)
        survey.stretches.remove(at: 1)
        let model: PlaceModel = try #require(survey.model(revision: 1))
        var plan = MeshSite.plan()
        plan.model = model
        let table = ZoneTable(plan: plan, model: model)
        let spots = InferredSpots.of(model, for: table).filter { $0.isWhole }
        // The hall, whose bench was taught, is not inferred.
        #expect(spots.map(\.place) == [Self.levels[1].place])
        let rack = try #require(spots.last).levels.map(\.median)
        // The bench's node hears at the rack what the rack's does at the bench, −75 dBm; the rack's own what
        // the bench's hears there, −52; the yard's what the rack's does in the yard, −82.
        #expect(abs(rack[1] + 75) < 2 && abs(rack[2] + 52) < 2)
        #expect(abs(rack[3] + 82) < 2 && abs(rack[4] + 82) < 2)
    }

    @Test func `floors are inferred as weaker than stations, and the other way round`() throws {
        var dice = Dice(seed: 5)
        /// What the last node of a place hears there, if only one other place was taught.
        func own(_ place: Place, _ node: Int64, taught: Int) throws -> Double {
            var survey = survey(&dice)
            survey.stretches = [survey.stretches[taught]]
            let model: PlaceModel = try #require(survey.model(revision: 1))
            var plan = MeshSite.plan()
            plan.model = model
            let spots = InferredSpots.of(model, for: ZoneTable(plan: plan, model: model))
            let spot = try #require(spots.first { $0.place == place })
            return try #require(spot.levels.first { $0.ear == .node(NodeID(node)) }).median
        }
        // The bench's node hears −52 dBm at the bench, the yard's −55 and −60 in the yard.
        #expect(abs(try own(Self.levels[2].place, 4, taught: 0) + 64) < 2)
        #expect(abs(try own(Self.levels[0].place, 2, taught: 2) + 45.5) < 2)
    }

    @Test func `nothing is inferred of places without a node`() throws {
        var dice = Dice(seed: 4)
        var survey = survey(&dice)
        survey.stretches.remove(at: 1)
        let model: PlaceModel = try #require(survey.model(revision: 1))
        var plan = MeshSite.plan()
        plan.nodes.remove(at: 2)
        let table = ZoneTable(plan: plan, model: model)
        #expect(InferredSpots.of(model, for: table) == [])
    }

    @Test func `a node hung up later does not disturb what was learned`() throws {
        var dice = Dice(seed: 5)
        let all = survey(&dice)
        let fewer = Survey(
            ears: Array(Self.ears.prefix(4)),
            stretches: all.stretches.map { stretch in
                stretch.map { second in
                    var second = second
                    second.heard.removeLast()
                    return second
                }
            })
        let model: PlaceModel = try #require(fewer.model(revision: 1))
        var locating = locating(model)
        #expect(score(&locating, &dice) > 0.97)
    }

    @Test func `places that sound alike are confused, others are not`() throws {
        var dice = Dice(seed: 9)
        var survey = survey(&dice)
        // The yard is taught with the levels of the rack.
        survey.stretches[2] = survey.stretches[1].map {
            Survey.Second(place: Self.levels[2].place, at: $0.at, heard: $0.heard)
        }
        let confusion = survey.confusion()
        let bench = try #require(confusion.places.firstIndex(of: Self.levels[0].place))
        let rack = try #require(confusion.places.firstIndex(of: Self.levels[1].place))
        #expect(confusion.accuracy(of: bench).map { $0 > 0.99 } == true)
        #expect(confusion.accuracy(of: rack).map { $0 < 0.9 } == true)
        #expect(confusion.accuracy < 0.9)
    }

    @Test func `a place of which all is held back at once has no figure`() throws {
        var dice = Dice(seed: 9)
        var survey = survey(&dice)
        survey.stretches[0] = Array(survey.stretches[0].prefix(15))
        let confusion = survey.confusion()
        let bench = try #require(confusion.places.firstIndex(of: Self.levels[0].place))
        #expect(confusion.accuracy(of: bench) == nil)
        #expect(confusion.accuracy > 0.95)
    }

    @Test func `nothing heard teaches nothing`() {
        #expect(Survey(ears: Self.ears, stretches: []).model(revision: 1) == nil)
        let silent = Survey.Second(place: Self.levels[0].place, at: moment(0), heard: [])
        #expect(Survey(ears: Self.ears, stretches: [[silent]]).model(revision: 1) == nil)
    }
}
