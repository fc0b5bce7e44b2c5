import Foundation
import Reporting
import SiteModel
import SiteStore
import Platform
import Wire

/// A site to be calibrated: its database, what is in force, and how people call its places.
package struct CalibrationSite {
    package let store: Store
    package let plan: Plan
    package let names: Names

    /// Opens a database that is there and holds a site; throws an `Exit` that says what to do.
    /// `isReading`: for who only reads, beside whoever writes it.
    package init(database: String, isReading: Bool = false) throws {
        guard FileManager.default.fileExists(atPath: database) else {
            throw Exit(
                code: 78,
                text: """
                    \(database): no such file; run calibrate on the coordinator's machine, it works \
                    on its database
                    """)
        }
        do {
            store =
                isReading ? try Store(reading: database) : try Store(existing: database)
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
    package var places: [Place] {
        (plan.rooms.map { Place(room: $0.id, station: nil) }
            + plan.stations.map { Place(room: $0.room, station: $0.id) }).sorted()
    }

    /// What a place is called here: the slug of its station, else of its room; told apart where a
    /// station and a room share one.
    package func text(_ place: Place) -> String {
        let room = names.rooms.slug(place.room)
        guard let station = place.station.map({ names.stations.slug($0) }) else {
            return names.stations.id(room) == nil ? room : "room/\(room)"
        }
        return names.rooms.id(station) == nil ? station : "station/\(station)"
    }

    /// The place of a slug, perhaps with `room/` or `station/` before it, or of a name. Throws an
    /// `Exit`.
    package func place(_ text: String) throws -> Place {
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
        let known = places.map { NameResolver.Thing(id: self.text($0), name: name(of: $0)) }
        let found = try NameResolver(kind: "place", things: known).find(text)
        guard let place = places.first(where: { self.text($0) == found.id }) else {
            preconditionFailure("a place that is none")
        }
        return place
    }

    private func name(of place: Place) -> String {
        let station = place.station.flatMap { names.stations.entry($0)?.name }
        return station ?? names.rooms.entry(place.room)?.name ?? ""
    }

    /// What is followed for a beacon's slug, or for a user: all they carry. Throws an `Exit`.
    package func subjects(beacon: String?, user: String?, at now: Timestamp) throws
        -> [HeardSeconds.Subject]
    {
        if let beacon {
            // Also one that is not registered can be followed.
            if Names.isSlug(beacon) { return [.beacon(beacon)] }
            let known = plan.beacons.compactMap { names.beacons.entry($0.id) }
            let registered = NameResolver(
                kind: "beacon", things: known.map { .init(id: $0.slug, name: $0.name) })
            return [.beacon(try registered.find(beacon).id)]
        }
        guard let user else { return [] }
        let found = try stored { try NameResolver.person(user, in: store, isActive: true) }.user
        let beacons = plan.bindings.filter {
            $0.user == found && $0.from <= now && $0.to.map { now < $0 } ?? true
        }.map { HeardSeconds.Subject.beacon(names.beacons.slug($0.beacon)) }
        let nodes = plan.nodes.filter { $0.carrier == found }
            .map { HeardSeconds.Subject.node(names.nodes.slug($0.id)) }
        guard !(beacons + nodes).isEmpty else {
            throw Exit(code: 64, text: "\(user) carries neither a beacon nor a mobile node")
        }
        return beacons + nodes
    }

    /// Runs a call of the database, and turns its faults into an `Exit`.
    package func stored<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw Exit(code: error == .full ? 75 : 78, text: "\(error)")
        }
    }
}
