import Foundation
import Records
import Scheduling
import Testing

@testable import CoordinatorService
@testable import SiteModel
@testable import SiteStore
@testable import Registry
@testable import Platform

/// What is too old goes once a night, after three by the site's clocks.
struct NightlyRetentionTests {
    private let path = NSTemporaryDirectory() + "nightly-\(UUID().uuidString).sqlite"
    private let store: Store
    /// 2025-10-09T10:00 in Berlin.
    private let now = Timestamp(milliseconds: 1_759_996_800_000)

    init() throws {
        store = try Store(path: path)
        try SiteImport(store).importDocument(
            SiteDocument(
                slug: "gym", name: "Gym", timeZone: "Europe/Berlin",
                rooms: [.init(slug: "hall", name: "Hall")], stations: [], nodes: [], users: [],
                beacons: []), at: now)
    }

    private func hours(_ count: Double) -> Timestamp { now + .seconds(count * 3600) }

    @Test func `at the start if it was missed, then after each three o'clock`() throws {
        var nightly = NightlyRetention(store: store)
        var runs: [Timestamp] = []
        // Every two seconds for three days; few looks do anything.
        for second in stride(from: 0.0, to: 72 * 3600, by: 2) {
            let moment = now + .seconds(second)
            try nightly.step(at: moment)
            if let last = try Retention.last(on: store), last != runs.last { runs.append(last) }
        }
        #expect(runs == [now, hours(17), hours(41), hours(65)])
        store.close()
        _ = Result { try FileManager.default.removeItem(atPath: path) }
    }

    @Test(arguments: [
        ("2026-03-29T01:30:00Z", "2026-03-29T01:00:00Z"),
        ("2026-03-29T00:59:00Z", "2026-03-28T02:00:00Z"),
        ("2026-10-25T01:59:59Z", "2026-10-24T01:00:00Z"),
        ("2026-10-25T02:00:01Z", "2026-10-25T02:00:00Z"),
    ])
    func `three o'clock is three o'clock when the clocks change`(
        moment: String, three: String
    ) throws {
        let time = { (text: String) in
            Timestamp(
                milliseconds: Int64(
                    try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1000))
        }
        let berlin = SiteCalendar(zone: "Europe/Berlin")
        #expect(NightlyRetention.latest(before: try time(moment), by: berlin) == (try time(three)))
    }
}
