import Testing

@testable import CoordinatorService
@testable import SiteModel

/// When a database that refuses facts is given up, and what is told of it.
struct StoreHealthTests {
    var health = StoreHealth()

    private func at(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_760_000_000_000) + .seconds(seconds)
    }

    /// Refuses facts, and says whether that is the end.
    private mutating func refuse(_ seconds: [Double], storing: Bool = false) -> [Bool] {
        var ends: [Bool] = []
        for second in seconds {
            ends.append(health.refused(at: at(second)))
            if storing { health.stored() }
        }
        return ends
    }

    private func alerts(_ seconds: Double) -> [String] {
        health.alerts(at: at(seconds)).map(\.id)
    }

    @Test mutating func `refused each second, it is given up at the fifth time`() {
        let ends = refuse([1, 2, 3, 4, 5])
        #expect(ends == [false, false, false, false, true])
        #expect(health.refusals == 5)
    }

    @Test mutating func `what others do in between does not help`() {
        let ends = refuse([10, 20, 30, 40, 50], storing: true)
        #expect(ends == [false, false, false, false, true])
    }

    @Test mutating func `with nothing stored in between it may take its time`() {
        let ends = refuse([0, 3600, 7200, 10_800, 14_400])
        #expect(ends == [false, false, false, false, true])
    }

    @Test mutating func `now and then, with others stored, it goes on`() {
        let ends = refuse((1...100).map { 20 * Double($0) }, storing: true)
        #expect(!ends.contains(true))
    }

    @Test
    mutating func `an alert stands until something was stored and nothing refused for a minute`() {
        #expect(alerts(0) == [])
        _ = refuse([10])
        #expect(alerts(10) == ["facts-refused"])
        #expect(alerts(500) == ["facts-refused"], "nothing was stored")
        health.stored()
        #expect(alerts(69.9) == ["facts-refused"])
        #expect(alerts(70) == [])
        _ = refuse([200])
        #expect(health.alerts(at: at(201)).map(\.sinceMs) == [at(200).milliseconds])
    }

    @Test mutating func `facts that wait for a minute are an alert until they are stored`() {
        for second in 0...59 { health.postponed(at: at(Double(second))) }
        #expect(alerts(59.9) == [])
        #expect(health.alerts(at: at(60)).map(\.sinceMs) == [at(0).milliseconds])
        #expect(alerts(60) == ["facts-waiting"])
        health.stored()
        #expect(alerts(61) == [])
    }

    @Test mutating func `damage is for good`() {
        health.proved(damagedAt: at(1))
        health.stored()
        #expect(alerts(1000) == ["database-damaged"])
    }
}
