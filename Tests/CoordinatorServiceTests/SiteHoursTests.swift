import Testing

@testable import Basics
@testable import CoordinatorService
@testable import SiteModel
@testable import Wire

/// Hours of every day, by the clocks of a site.
struct SiteHoursTests {
    @Test(arguments: [
        ("22:00-06:00", 22 * 60, 6 * 60), ("00:00-00:01", 0, 1), ("23:59-00:00", 1439, 0),
    ])
    func `two times are hours`(text: String, from: Int, until: Int) throws {
        let hours = try #require(DailyHours(text))
        #expect((hours.from, hours.to) == (from, until))
        #expect(hours.text == text)
        #expect(hours.contains(from) && !hours.contains(until))
        #expect((0..<1440).count { hours.contains($0) } == (until - from + 1440) % 1440)
    }

    @Test(arguments: [
        "", "22:00", "22:00-22:00", "24:00-06:00", "22:00–06:00", "22:00-06:00-07:00",
        "2:00-06:00x",
        "22:00:00-06:00", " 22:00-06:0", "-22:00-06:0", "22:60-06:00",
    ])
    func `nothing else is`(text: String) { #expect(DailyHours(text) == nil) }

    private static func names(_ zone: String, _ own: [NodeHours]) -> Names {
        var names = Names(
            site: "gym", siteName: "Gym", timeZone: zone, isDemo: false, rooms: NameTable([]),
            stations: NameTable([]), nodes: NameTable([]), beacons: NameTable([]),
            users: NameTable([]))
        names.practices = own
        return names
    }

    @Test func `the clocks of the site count, in summer and in winter`() throws {
        var hours = SiteHours()
        let policy = Policy(practice: NodePractice(sparseHours: DailyHours("22:00-06:00")))
        let names = Self.names("Europe/Berlin", [])
        // 2026-07-01 and 2026-12-01, 20:30 UTC: 22:30 and 21:30 in Berlin.
        let (summer, winter) = (
            Timestamp(second: 1_782_937_800), Timestamp(second: 1_796_157_000)
        )
        #expect(hours.hour(of: names, in: policy, at: summer) == 22 * 60)
        #expect(hours.hour(of: names, in: policy, at: winter) == 6 * 60)
        // Before six the last turn was yesterday's.
        #expect(hours.hour(of: names, in: policy, at: summer + .seconds(5 * 3600)) == 22 * 60)
        let tokyo = Self.names("Asia/Tokyo", [])
        #expect(hours.hour(of: tokyo, in: policy, at: summer) == 22 * 60)
        #expect(hours.hour(of: tokyo, in: policy, at: summer + .seconds(1800)) == 6 * 60)
    }

    @Test func `without hours there is no time at which anything changes`() {
        var hours = SiteHours()
        let names = Self.names("Europe/Berlin", [NodeHours(node: NodeID(1), profile: .sparse)])
        #expect(hours.hour(of: names, in: Policy(), at: Timestamp(second: 1_782_937_800)) == nil)
    }
}
