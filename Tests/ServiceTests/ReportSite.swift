@testable import Basics
@testable import SiteService
import Foundation
import Scheduling
import Testing

@testable import Calibration
@testable import CoordinatorService
@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import WebServer
@testable import Registry

/// The core's; the terminal's has the same name.
private typealias WallTime = Basics.LocalTime

/// A stored site in Berlin with two people and a shift, and its routes, on 2 November 2026 at 18:00.
final class ReportSite {
    let directory: URL
    let store: Store
    let calendar: SiteCalendar
    let now: Timestamp
    let asker: Asker

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appending(path: "reports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        store = try Store(path: directory.appending(path: "site.sqlite").path)
        calendar = SiteCalendar(try TimeZoneTable(iana: "Europe/Berlin"), dayStart: .midnight)
        let early = try Self.moment("2026-01-01 00:00", calendar)
        now = try Self.moment("2026-11-02 18:00", calendar)
        asker = Asker(name: "boss", via: .cli, at: early)
        try SiteImport(store).importDocument(
            SiteDocument(
                slug: "gym", name: "The Gym", timeZone: "Europe/Berlin",
                rooms: [.init(slug: "hall", name: "Hall")], stations: [], nodes: [],
                users: [.init(slug: "u-ann", name: "=Ann"), .init(slug: "u-bob", name: "Bob")],
                beacons: []), at: early)
        let eight = try #require(WallTime("08:00"))
        let four = try #require(WallTime("16:00"))
        try Roster(store).add(
            Shift(id: 0, slug: "day", name: "Day", start: eight, end: four), by: asker)
        try Roster(store).assign(
            ["u-ann"], to: "day", from: try #require(LocalDate("2026-01-01")), to: nil,
            weekdays: [1, 2, 3, 4, 5], by: asker)
        try store.commit([
            .session(try session(1, 1, "2026-11-02 07:55", "2026-11-02 16:10")),
            .session(try session(2, 2, "2026-11-02 09:00", nil)),
            .stay(
                Stay(
                    id: 3, user: UserID(1), place: .room(RoomID(1)),
                    from: try at("2026-11-02 08:00"),
                    to: try at("2026-11-02 12:00"))),
            .stay(
                Stay(
                    id: 4, user: UserID(2), place: .room(RoomID(1)),
                    from: try at("2026-11-02 11:30"),
                    to: nil)),
            .site(
                SiteRow(
                    clock: now, next: 5,
                    coverage: [
                        RoomTime(
                            room: RoomID(1),
                            seconds: IntervalSet(
                                [Interval(from: try at("2026-11-02 07:00"), to: now)],
                                joining: Frame.joining))
                    ], clocks: [])),
        ])
    }

    deinit {
        store.close()
        _ = Result { try FileManager.default.removeItem(at: directory) }
    }

    private static func moment(_ text: String, _ calendar: SiteCalendar) throws -> Timestamp {
        let parts = text.split(separator: " ")
        return calendar.first(
            try #require(LocalDate(parts[0])), try #require(WallTime(parts[1])))
    }

    func at(_ text: String) throws -> Timestamp { try Self.moment(text, calendar) }

    func session(_ id: Int64, _ user: Int64, _ from: String, _ to: String?) throws -> Session {
        Session(id: id, user: UserID(user), from: try at(from), to: try to.map(at))
    }

    /// What the server would answer, with the whole body as text.
    func get(
        _ path: String, _ query: [(name: String, value: String)] = []
    ) async throws -> (status: Int, type: String, text: String) {
        let now = now
        let routes = ReportRoutes(store: store, now: { now }).all
        let parts = path.split(separator: "/")
        for route in routes {
            let own = route.path.split(separator: "/")
            guard own.count == parts.count,
                zip(own, parts).allSatisfy({ $0.hasPrefix("{") || $0 == $1 })
            else { continue }
            let named = zip(own, parts).filter { $0.0.hasPrefix("{") }
            let parameters = Dictionary(
                uniqueKeysWithValues: named.map {
                    (String($0.0.dropFirst().dropLast()), String($0.1))
                })
            let answer = try await route.answer(
                RouteRequest(parameters: parameters, query: query))
            return (answer.status, answer.contentType ?? "", try await Self.text(of: answer.body))
        }
        throw CocoaError(.fileNoSuchFile)
    }

    static func text(of body: RouteAnswer.Body) async throws -> String {
        switch body {
        case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .stream(let produce):
            let gathered = Gathered()
            try await produce { await gathered.add($0) }
            return await String(decoding: gathered.bytes, as: UTF8.self)
        }
    }

    private actor Gathered {
        var bytes: [UInt8] = []
        func add(_ more: ArraySlice<UInt8>) { bytes += more }
    }
}
