import Foundation

@testable import Calibration
@testable import SiteModel
@testable import SiteStore
@testable import Wire
@testable import Registry

/// A site in a database of its own, removed with it.
final class CalibrateScratch {
    let path: String
    let site: CalibrationSite

    init(_ document: SiteDocument = .workshop) throws {
        path = NSTemporaryDirectory() + "calibrate-\(UUID().uuidString).sqlite"
        let store = try Store(path: path)
        try SiteImport(store).importDocument(
            document, at: Timestamp(milliseconds: 1_790_000_000_000))
        store.close()
        site = try CalibrationSite(database: path)
    }

    deinit {
        site.store.close()
        for end in ["", "-wal", "-shm"] { unlink(path + end) }
    }
}

extension SiteDocument {
    /// A hall with three stations in a row and a node at either end, a yard without any, and a
    /// person with a tag and a phone.
    static let workshop = SiteDocument(
        slug: "workshop", name: "Workshop", timeZone: "UTC",
        rooms: [
            Room(
                slug: "hall", name: "Hall",
                area: Area(low: Position(x: 0, y: 0), high: Position(x: 12, y: 6))),
            Room(slug: "yard", name: "Yard"),
        ],
        stations: [
            Station(slug: "saw", name: "Saw", room: "hall", slots: 1, x: 1, y: 1),
            Station(slug: "lathe", name: "Lathe", room: "hall", slots: 1, x: 6, y: 1),
            Station(slug: "yard", name: "A station called yard", room: "hall", slots: 1),
        ],
        nodes: [
            Node(slug: "n-west", name: "West", room: "hall", station: "saw", x: 1, y: 2),
            Node(slug: "n-east", name: "East", room: "hall", x: 11, y: 2),
            Node(slug: "n-phone", name: "Phone", room: "hall", carrier: "u-ann"),
        ],
        users: [User(slug: "u-ann", name: "Ann A."), User(slug: "u-bob", name: "Bob B.")],
        beacons: [
            Beacon(slug: "b-1", title: "Tag", identity: .address(0xC0FF_EE00_0001), user: "u-ann"),
            Beacon(
                slug: "b-2", title: "Wall", identity: .address(0xC0FF_EE00_0002), user: nil,
                room: "yard"),
        ])
}

/// A frame of a node's process, at a second of the node's clock.
func frame(_ second: Int64, _ entries: [(String, Double)], boot: UInt64 = 1) -> FramePayload {
    FramePayload(
        boot: boot, seq: second, tMs: second * 1000,
        r: entries.map { .init(beacon: $0.0, median: $0.1, count: 3, strongest: $0.1 + 2) })
}
