@testable import SiteService
import Testing

@testable import Calibration
@testable import CoordinatorService
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// A site that can work is accepted, with warnings that say what to expect; one that cannot is
/// refused with the key named.
struct CalibrateWarningTests {
    private var site = SiteDocument.workshop

    private var warnings: [String] { SiteWarnings.of(site) }

    @Test func `a site in order has no warning`() {
        var site = SiteDocument(
            slug: "a", name: "A", timeZone: "UTC", rooms: [.init(slug: "hall", name: "Hall")],
            stations: [.init(slug: "saw", name: "Saw", room: "hall", slots: 1)],
            nodes: [
                .init(slug: "n-1", name: "1", room: "hall", station: "saw"),
                .init(slug: "n-2", name: "2", room: "hall"),
            ], users: [], beacons: [])
        #expect(SiteWarnings.of(site) == [])
        site.nodes.removeLast()
        #expect(SiteWarnings.of(site).contains { $0.contains("one alone") })
        site.nodes.removeLast()
        #expect(SiteWarnings.of(site).contains { $0.contains("nobody can be found") })
    }

    @Test mutating func `rooms and stations without a node are named until they are learned`() {
        #expect(!warnings.contains { $0.hasPrefix("room yard") }, "a beacon is fixed there")
        site.beacons.removeLast()
        #expect(warnings.contains { $0.hasPrefix("room yard: no node covers it") })
        #expect(warnings.contains { $0.hasPrefix("stations lathe, yard: no node hangs there") })
        let learned = SiteWarnings.of(site, learned: ["lathe", "yard"])
        #expect(!learned.contains { $0.contains("no node") }, "\(learned)")
    }

    @Test mutating func `coordinates for some only are named`() {
        #expect(warnings.contains { $0.hasPrefix("stations yard: no x_m, y_m") })
        #expect(warnings.contains { $0.hasPrefix("rooms yard: no area_m") })
        site.stations[0].x = nil
        site.stations[1].x = nil
        #expect(!warnings.contains { $0.contains("no x_m, y_m") }, "none has any")
    }

    @Test mutating func `a node outside of its room is named, with the room it is in`() {
        site.rooms[1].area = Area(low: Position(x: 12, y: 0), high: Position(x: 20, y: 6))
        site.nodes[1].x = 15
        #expect(
            warnings.contains(
                "node n-east: x_m, y_m are not in the area_m of its room hall, but in that of yard")
        )
        site.rooms[1].area = Area(low: Position(x: 8, y: 0), high: Position(x: 20, y: 6))
        #expect(warnings.contains("rooms hall, yard: area_m of both overlap"))
        site.rooms[1].storey = 1
        #expect(!warnings.contains("rooms hall, yard: area_m of both overlap"))
    }

    @Test mutating func `a station nearer to another's node than to its own is named`() {
        site.nodes[1].station = "lathe"
        #expect(warnings.contains { $0.hasPrefix("station lathe") } == false)
        site.nodes[0].x = 11
        site.nodes[1].x = 2
        #expect(
            warnings.contains { $0.hasPrefix("station saw: by x_m, y_m it is nearer to n-east") })
    }

    @Test mutating func `feet and plans of a town are asked about`() {
        site.rooms[0].area = Area(low: Position(x: 0, y: 0), high: Position(x: 130, y: 6))
        #expect(warnings.contains { $0.contains("130 m long: are these metres, not feet?") })
        site.nodes[1].x = 5_000
        #expect(warnings.contains { $0.contains("span 4999 m") })
    }

    @Test(arguments: [
        ("[0, 0, 12]", "expected a list of 4 to 64 numbers"),
        ("[0, 0, 12, 5, 6]", "3 to 32 corners"),
        ("[0, 0, 6, 6, 6, 0, 0, 6]", "its sides 1 and 3 cross"),
        ("[0, 0, 12, x]", "expected a list of 4"),
        ("[0, 0, 12, 99999]", "expected a list of 4"), ("5", "expected a list of 4"),
        ("[0, 0, 0, 6]", "no extent"), ("[0, 0, .nan, 6]", "expected a list of 4"),
        ("[[0], 0, 1, 6]", "expected a list of 4"),
    ])
    func `an area that is none is refused with its key`(area: String, problem: String) {
        let text = "site: {id: a}\nrooms:\n  - {id: hall, area_m: \(area)}\n"
        let error = #expect(throws: (any Error).self) {
            try SiteFile(text: text, named: "site.yaml")
        }
        let shown = error.map { "\($0)" } ?? ""
        #expect(shown.contains("rooms[0].area_m"), "\(shown)")
        #expect(shown.contains(problem), "\(shown)")
    }

    @Test func `an area is read, whichever corners are given`() throws {
        let text = "site: {id: a}\nrooms:\n  - {id: hall, area_m: [12, 0, 0.5, 6]}\n"
        let room = try SiteFile(text: text, named: "site.yaml").document.rooms[0]
        #expect(room.area == Area(low: Position(x: 0.5, y: 0), high: Position(x: 12, y: 6)))
    }
}
