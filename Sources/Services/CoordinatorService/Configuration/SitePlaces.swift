import Settings
import SiteModel
import SiteStore
import Registry

/// Reads rooms, then stations, then nodes, each of which may refer to those before; and where
/// beacons are fixed.
struct SitePlaces {
    /// Whether a node hangs somewhere or is carried.
    private enum Role: String, CaseIterable {
        case fixed
        case mobile
    }

    private var rooms: Set<String> = []
    private var firstRoom: String?
    private var stations: Set<String> = []
    private var nodes: Set<String> = []
    /// The room of each station.
    private var roomOfStation: [String: String] = [:]

    mutating func room(_ item: inout SettingsReader) -> SiteDocument.Room {
        let slug = item.newSlug(&rooms)
        firstRoom = firstRoom ?? slug
        return SiteDocument.Room(slug: slug, name: item.name(default: slug), area: Self.area(&item))
    }

    mutating func station(_ item: inout SettingsReader) -> SiteDocument.Station {
        let slug = item.newSlug(&stations)
        let name = item.name(default: slug)
        let room = item.reference("room", to: rooms, "room")
        if room == nil { item.refuse("room", "missing, expected the id of a room") }
        roomOfStation[slug] = room
        let slots = item.int("slots", in: 1...64, default: 1)
        let (x, y) = Self.position(&item)
        return SiteDocument.Station(
            slug: slug, name: name, room: room ?? "", slots: slots, x: x, y: y)
    }

    /// A node at a station need not name its room, and a mobile one need not hang anywhere.
    mutating func node(_ item: inout SettingsReader, users: Set<String>) -> SiteDocument.Node {
        let slug = item.newSlug(&nodes)
        let name = item.name(default: slug)
        let role: Role = item.choice("role", default: .fixed)
        let named = item.reference("room", to: rooms, "room")
        let station = item.reference("station", to: stations, "station")
        let carrier = item.reference("user", to: users, "user")
        let (x, y) = Self.position(&item)
        switch role {
        case .fixed:
            if carrier != nil { item.refuse("user", "only a node with role: mobile is carried") }
            let implied = station.flatMap { roomOfStation[$0] }
            if named == nil, station == nil {
                item.refuse("room", "missing, expected the id of a room, or a station")
            }
            if let named, let implied, let station, named != implied, rooms.contains(named) {
                item.refuse("room", "station \"\(station)\" is in room \"\(implied)\"")
            }
            return SiteDocument.Node(
                slug: slug, name: name, room: named ?? implied ?? "", station: station, x: x, y: y)
        case .mobile:
            if carrier == nil { item.refuse("user", "missing, expected who carries the node") }
            if station != nil { item.refuse("station", "a mobile node is at no station") }
            if x != nil { item.refuse("x_m", "a mobile node has no position") }
            // It is kept somewhere; the first room is as good as any.
            return SiteDocument.Node(
                slug: slug, name: name, room: named ?? firstRoom ?? "", carrier: carrier)
        }
    }

    /// Where a beacon is fixed: one of `room` and `station`, or neither.
    func place(_ item: inout SettingsReader) -> (room: String?, station: String?) {
        let room = item.reference("room", to: rooms, "room")
        let station = item.reference("station", to: stations, "station")
        guard let station else { return (room, nil) }
        if let room, let other = roomOfStation[station], room != other {
            item.refuse("room", "station \"\(station)\" is in room \"\(other)\"")
        }
        return (nil, station)
    }

    /// `area_m: [x0, y0, x1, y1]`: two opposite corners, in any order.
    private static func area(_ item: inout SettingsReader) -> Area? {
        guard let corners = item.numbersIfPresent("area_m", count: 4, in: -10_000...10_000) else {
            return nil
        }
        let (first, second) = ((corners[0], corners[1]), (corners[2], corners[3]))
        guard first.0 != second.0, first.1 != second.1 else {
            item.refuse("area_m", "has no extent, expected two opposite corners [x0, y0, x1, y1]")
            return nil
        }
        return Area(
            low: Position(x: min(first.0, second.0), y: min(first.1, second.1)),
            high: Position(x: max(first.0, second.0), y: max(first.1, second.1)))
    }

    /// Metres from the site's origin: both or neither.
    private static func position(_ item: inout SettingsReader) -> (x: Double?, y: Double?) {
        let x = item.numberIfPresent("x_m", in: -10_000...10_000)
        let y = item.numberIfPresent("y_m", in: -10_000...10_000)
        if x != nil, y == nil { item.refuse("y_m", "missing, x_m is given") }
        if y != nil, x == nil { item.refuse("x_m", "missing, y_m is given") }
        return (x, y)
    }
}
