import Foundation
import Scheduling
import Testing

@testable import SiteModel
@testable import Platform

/// Times as people read them.
struct ZonedClockTests {
    /// 2026-03-29T00:59:59Z, a second before the clocks of Berlin are set forward.
    private let moment = Timestamp(second: 1_774_745_999)

    private func clock(_ zone: String) throws -> ZonedClock {
        ZonedClock(try TimeZoneTable(iana: zone))
    }

    @Test func `a moment is what the clocks of the zone show, across a change of them`() throws {
        let berlin = try clock("Europe/Berlin")
        #expect(berlin.time(moment) == "01:59:59")
        #expect(berlin.text(moment + .seconds(1)) == "2026-03-29 03:00:00")
        #expect(try clock("America/New_York").text(moment) == "2026-03-28 20:59:59")
        #expect(ZonedClock.utc.text(moment) == "2026-03-29 00:59:59")
        #expect(berlin.line == "Times: Europe/Berlin" && ZonedClock.utc.line == "Times: UTC")
    }

    @Test func `the date is told where it is not today's, by the same clocks`() throws {
        let late = Timestamp(second: 1_774_735_200)  // 2026-03-28T22:00:00Z
        #expect(ZonedClock.utc.text(late, from: moment) == "22:00:00 on 2026-03-28")
        #expect(
            try clock("Europe/Berlin").text(late, from: late + .seconds(7200))
                == "23:00:00 on 2026-03-28")
        #expect(try clock("America/New_York").text(late, from: moment) == "18:00:00")
    }

    @Test func `a site that moved is named by the zone of now`() throws {
        let calendar = SiteCalendar(
            zones: [
                .init(
                    from: Timestamp(milliseconds: 0),
                    table: try TimeZoneTable(iana: "Europe/Berlin")),
                .init(from: moment, table: try TimeZoneTable(iana: "Asia/Tokyo")),
            ], dayStart: .midnight)
        let clock = ZonedClock(calendar, at: moment)
        #expect(clock.line == "Times: Asia/Tokyo")
        #expect(clock.time(moment) == "09:59:59")
        #expect(clock.time(moment + .seconds(-1)) == "01:59:58")
    }
}
