import Testing

@testable import SiteModel

/// What is kept of a decision: bounded, and in figures that a JSON text carries.
struct ReasonsTests {
    static func reading(
        _ node: Int64, support: Double = 0, against: Double = 0, level: Double? = -60,
        age: Double = 0, expected: Double? = nil
    ) -> Reasons.Reading {
        Reasons.Reading(
            ear: .node(NodeID(node)), device: 1, level: level.map { RSSI(dBm: $0) },
            age: .seconds(age), expected: expected, support: support, against: against)
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
                1, support: -1.23456, against: -.infinity, level: -60.04, age: -3, expected: -61.96),
            Self.reading(
                2, support: .nan, against: .infinity, level: 42, age: 90_000, expected: nil),
        ]).kept
        #expect(kept.prior == 0.123 && kept.runnerUpPrior == 1 && kept.spotWeight == 1)
        #expect(kept.probability == 0 && kept.runnerUpProbability == 0)
        #expect(
            kept.readings == [
                Self.reading(
                    1, support: -1.23, against: -1000, level: -60, age: 0, expected: -62),
                Self.reading(2, support: 0, against: 1000, level: 20, age: 3600),
            ])
        #expect(kept.kept == kept)
    }

    @Test func `of many readings those are kept that tell most`() {
        // Node 5 and the last ones tell nothing.
        let readings = (1...20).map {
            Self.reading($0, support: $0 == 5 || $0 > 17 ? 0 : Double($0 % 2 == 0 ? 9 : -9))
        }
        let kept = Self.reasons(readings).kept
        #expect(kept.readings.count == Reasons.mostReadings)
        #expect(kept.readings == readings.filter { $0.support != 0 })
    }
}
