import Daemon
import Foundation
import MeshCore
import MeshWire
import Storage

/// A site to be calibrated: its database, what is in force, and how people call its places.
struct CalibrationSite {
    let store: Store
    let plan: Plan
    let names: Names

    /// Opens a database that is there and holds a site; throws an `Exit` that says what to do.
    init(database: String) throws {
        guard FileManager.default.fileExists(atPath: database) else {
            throw Exit(
                code: 78,
                text: """
                    \(database): no such file; run calibrate on the coordinator's machine, it works \
                    on its database
                    """)
        }
        do {
            store = try Store(existing: database)
            guard let (plan, names, _) = try store.load() else {
                throw Exit(
                    code: 78,
                    text: "\(database) holds no site yet: run beaconmesh import first")
            }
            (self.plan, self.names) = (plan, names)
        } catch let error as StoreError {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    /// Where people can be: the rest of each room, and its stations.
    var places: [Place] {
        (plan.rooms.map { Place(room: $0.id, station: nil) }
            + plan.stations.map { Place(room: $0.room, station: $0.id) }).sorted()
    }

    /// What a place is called here: the slug of its station, else of its room; told apart where a
    /// station and a room share one.
    func text(_ place: Place) -> String {
        let room = names.rooms.slug(place.room)
        guard let station = place.station.map({ names.stations.slug($0) }) else {
            return names.stations.id(room) == nil ? room : "room/\(room)"
        }
        return names.rooms.id(station) == nil ? station : "station/\(station)"
    }

    /// The place of a slug, perhaps with `room/` or `station/` before it. Throws an `Exit`.
    func place(_ text: String) throws -> Place {
        if let place = places.first(where: { self.text($0) == text }) { return place }
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2 {
            let found = places.first { place in
                switch parts[0] {
                case "room": place.station == nil && names.rooms.slug(place.room) == parts[1]
                case "station": place.station.map { names.stations.slug($0) } == parts[1]
                default: false
                }
            }
            if let found { return found }
        }
        if places.contains(where: { self.text($0) == "station/\(text)" }) {
            throw Exit(
                code: 64,
                text: "there is a room and a station \(text): room/\(text) or station/\(text)"
            )
        }
        let known = places.map(self.text).joined(separator: ", ")
        throw Exit(code: 64, text: "the site has no place “\(text)”; it has \(known)")
    }

    /// What is followed for a beacon's slug, or for a user: all they carry. Throws an `Exit`.
    func subjects(beacon: String?, user: String?, at now: Timestamp) throws
        -> [HeardSeconds.Subject]
    {
        if let beacon {
            guard Names.isSlug(beacon) else {
                throw Exit(code: 64, text: "--beacon: 1 to 64 of a-z, 0-9 and “-”")
            }
            return [.beacon(beacon)]
        }
        guard let user else { return [] }
        let matches = names.users.entries.filter { entry in
            (entry.slug == user || entry.name == user) && plan.users.contains { $0.id == entry.id }
        }
        guard let found = matches.first, matches.count == 1 else {
            throw Exit(
                code: 64,
                text: matches.isEmpty
                    ? "the site has no user “\(user)”; give a slug or the whole name"
                    : "several users are called “\(user)”; give one's slug")
        }
        let beacons = plan.bindings.filter {
            $0.user == found.id && $0.from <= now && $0.to.map { now < $0 } ?? true
        }.map { HeardSeconds.Subject.beacon(names.beacons.slug($0.beacon)) }
        let nodes = plan.nodes.filter { $0.carrier == found.id }
            .map { HeardSeconds.Subject.node(names.nodes.slug($0.id)) }
        guard !(beacons + nodes).isEmpty else {
            throw Exit(code: 64, text: "\(user) carries neither a beacon nor a mobile node")
        }
        return beacons + nodes
    }

    /// Runs a call of the database, and turns its faults into an `Exit`.
    func stored<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw Exit(code: error == .full ? 75 : 78, text: "\(error)")
        }
    }
}
