import Testing

@testable import SiteModel

/// What is kept of a decision: bounded, and in figures that a JSON text carries.
struct ReasonsTests {
    static func reading(
        _ node: Int64, support: Double = 0, against: Double = 0, level: Double? = -60,
        age: Double = 0, expected: Double? = nil, expectedAtRunnerUp: Double? = nil
    ) -> Reasons.Reading {
        Reasons.Reading(
            ear: .node(NodeID(node)), device: 1, level: level.map { RSSI(dBm: $0) },
            age: .seconds(age), expected: expected, expectedAtRunnerUp: expectedAtRunnerUp,
            support: support, against: against)
    }

    static func reasons(_ readings: [Reasons.Reading]) -> Reasons {
        Reasons(
            user: MeshSite.users[0], at: moment(7), rule: .margin,
            from: Place(room: MeshSite.hall, station: nil),
            to: Place(room: MeshSite.hall, station: MeshSite.bench), runnerUp: nil,
            prior: 0.123456, runnerUpPrior: 2, probability: .nan, runnerUpProbability: -1,
            spotWeight: 0.99951, model: nil, readings: readings)
    }

    @Test func `figures are rounded and drawn into their ranges`() {
        let kept = Self.reasons([
            Self.reading(
                1, support: -1.23456, against: -.infinity, level: -60.04, age: -3, expected: -61.96,
                expectedAtRunnerUp: -70.04),
            Self.reading(
                2, support: .nan, against: .infinity, level: 42, age: 90_000, expected: nil),
        ]).kept
        #expect(kept.prior == 0.123 && kept.runnerUpPrior == 1 && kept.spotWeight == 1)
        #expect(kept.probability == 0 && kept.runnerUpProbability == 0)
        #expect(
            kept.readings == [
                Self.reading(2, support: 0, against: 1000, level: 20, age: 3600),
                Self.reading(
                    1, support: -1.23, against: -1000, level: -60, age: 0, expected: -62,
                    expectedAtRunnerUp: -70),
            ])
        #expect(kept.kept == kept)
    }

    @Test func `of many readings those are kept that tell most, the most telling first`() {
        // Node 5 and the last ones tell nothing, even ones speak against the place.
        let readings = (Int64(1)...20).map { node in
            let much = node == 5 || node > 17 ? 0 : Double(1 + node % 3)
            return Self.reading(
                node, support: node % 2 == 0 ? 0 : much, against: node % 2 == 0 ? much : 0)
        }
        let kept = Self.reasons(readings).kept
        #expect(kept.readings.count == Reasons.mostReadings)
        #expect(
            kept.readings.map { $0.ear }
                == [2, 8, 11, 14, 17, 1, 4, 7, 10, 13, 16, 3, 6, 9, 12, 15].map {
                    Ear.node(NodeID($0))
                })
        #expect(kept.kept == kept)
    }
}
