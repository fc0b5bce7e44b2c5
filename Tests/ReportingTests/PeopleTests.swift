import Scheduling
import Testing

@testable import Basics
@testable import Reporting
@testable import SiteModel
@testable import Platform

/// Who was where with whom.
struct PeopleTests {
    let office: Office

    init() throws { office = try Office() }

    private func stay(_ user: Int64, _ room: Int64, _ from: String, _ to: String?) throws -> Stay {
        Stay(
            id: 1, user: UserID(user), place: .room(RoomID(room)),
            from: try office.at("2026-11-02 \(from)"),
            to: try to.map { try office.at("2026-11-02 \($0)") })
    }

    @Test func `contacts are people in one room at one time, added up`() throws {
        let stays = [
            try stay(2, 1, "08:00", "09:00"), try stay(1, 1, "08:50", "10:00"),
            try stay(2, 1, "09:55", nil), try stay(3, 1, "10:00", "11:00"),
            try stay(3, 2, "08:00", "09:00"), try stay(1, 2, "09:00", "09:30"),
        ]
        let asked = Interval(
            from: try office.at("2026-11-02 00:00"), to: try office.at("2026-11-03 00:00"))
        let now = try office.at("2026-11-02 10:10")
        let found = Contact.rows(of: stays, in: asked, least: minutes(10), now: now)
        #expect(found.map { [$0.first.row, $0.second.row] } == [[1, 2], [2, 3]])
        #expect(found.map(\.time) == [minutes(15), minutes(10)])
        #expect(found[0].from == (try office.at("2026-11-02 08:50")))
        #expect(found[0].to == (try office.at("2026-11-02 10:00")))
        #expect(Contact.rows(of: stays, in: asked, least: minutes(16), now: now) == [])
        #expect(
            Contact.rows(of: stays, in: asked, least: minutes(1), now: now, with: UserID(3))
                .map(\.first) == [UserID(2)])
    }

    @Test func `only what was asked for counts as contact`() throws {
        let stays = [try stay(1, 1, "08:00", "12:00"), try stay(2, 1, "08:00", "12:00")]
        let asked = Interval(
            from: try office.at("2026-11-02 09:00"), to: try office.at("2026-11-02 09:30"))
        let found = Contact.rows(of: stays, in: asked, least: minutes(1), now: asked.to)
        #expect(found.map(\.time) == [minutes(30)])
    }

    @Test func `tags that come and go together on three days are twins`() throws {
        func sessions(_ days: Int, apart: Double) throws -> [Session] {
            try (2..<2 + days).flatMap { day in
                let from = try office.at("2026-11-0\(day) 08:00")
                let to = try office.at("2026-11-0\(day) 16:00")
                return [
                    Session(id: 1, user: UserID(2), from: from, to: to),
                    Session(
                        id: 2, user: UserID(1), from: from + .seconds(apart),
                        to: to - .seconds(apart)),
                    Session(id: 3, user: UserID(3), from: from + .seconds(1), to: to + .seconds(4)),
                ]
            }
        }
        let twins = Twins.rows(of: try sessions(3, apart: 3), office.calendar)
        #expect(twins.map { [$0.first.row, $0.second.row] } == [[1, 2]])
        #expect(twins.first?.days.map(\.description) == ["2026-11-02", "2026-11-03", "2026-11-04"])
        #expect(Twins.rows(of: try sessions(2, apart: 1), office.calendar) == [])
        #expect(Twins.rows(of: try sessions(3, apart: 3.001), office.calendar) == [])
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29", 23.0), ("America/New_York", "2026-11-01", 25),
        ("Australia/Lord_Howe", "2026-10-04", 23.5), ("Asia/Kolkata", "2026-03-29", 24),
        ("Pacific/Apia", "2011-12-30", 0), ("UTC", "2026-03-29", 24),
    ])
    func `zones come from the time zone database`(name: String, day: String, hours: Double) throws {
        let calendar = SiteCalendar(try TimeZoneTable(iana: name), dayStart: .midnight)
        let bounds = calendar.bounds(of: try #require(LocalDate(day)))
        #expect(bounds.length == minutes(hours * 60))
    }

    @Test(arguments: ["", "Europe/Nowhere", "Mars/Base", "../etc/passwd"])
    func `an unknown zone is refused by name`(name: String) {
        #expect(throws: ZoneError.unknown(name: name)) { try TimeZoneTable(iana: name) }
    }
}
