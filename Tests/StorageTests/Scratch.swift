import Basics
import Foundation
import GRDB

@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// A directory of one test, removed with it, and the path of a database in it.
final class Scratch {
    let directory: URL
    var path: String { directory.appendingPathComponent("site one.sqlite").path }

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("storage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { _ = Result { try FileManager.default.removeItem(at: directory) } }

    /// The bytes of the database file.
    func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// A store in which `document` was imported at the start of the tests' time.
    func store(_ document: SiteDocument = .gym) throws -> Store {
        let store = try Store(path: path)
        try SiteImport(store).importDocument(document, at: start)
        return store
    }

    /// Executes SQL as another program would, past the store.
    func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}

extension Store {
    /// The first column of a query, as texts; NULL is “-”.
    func texts(_ sql: String) throws -> [String] {
        try pool.read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "-")" }
                    .joined(separator: " ")
            }
        }
    }
}

/// The moment the tests begin.
let start = Timestamp(milliseconds: 1_760_000_000_000)

/// `seconds` after the beginning.
func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

extension SiteDocument {
    /// Two rooms, three stations, two nodes, three users with a beacon each.
    static let gym = SiteDocument(
        slug: "gym", name: "The Gym", timeZone: "Europe/Berlin",
        rooms: [Room(slug: "hall", name: "Hall"), Room(slug: "yard", name: "Yard")],
        stations: [
            Station(slug: "rack", name: "Rack", room: "hall", slots: 2, x: 1.5, y: 2),
            Station(slug: "bench", name: "Bench", room: "hall", slots: 1),
            Station(slug: "rower", name: "Rower", room: "yard", slots: 1),
        ],
        nodes: [
            Node(slug: "n-hall", name: "Pi 1", room: "hall"),
            Node(slug: "n-rack", name: "Pi 2", room: "hall", station: "rack", x: 0, y: 0.25),
        ],
        users: [
            User(slug: "u-ann", name: "Ann"), User(slug: "u-bob", name: "Bob"),
            User(slug: "u-cid", name: "Cid"),
        ],
        beacons: [
            Beacon(slug: "b-1", title: "Red", identity: .address(0xC0FF_EE00_0001), user: "u-ann"),
            Beacon(slug: "b-2", title: "Blue", identity: .address(0xC0FF_EE00_0002), user: "u-bob"),
            Beacon(
                slug: "b-3", title: "Watch",
                identity: .iBeacon(uuid: .init(high: 1, low: .max), major: 7, minor: 65535),
                user: "u-cid"),
        ])
}

let ann = UserID(1)
let bob = UserID(2)
let cid = UserID(3)
let hall = RoomID(1)
let yard = RoomID(2)
let rack = StationID(1)
let bench = StationID(2)

/// Numbers for tests, so that a seed printed by a failing test brings the failure back.
typealias SeededRandom = SplitMix64
