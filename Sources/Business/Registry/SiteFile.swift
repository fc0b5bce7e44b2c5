import Basics
import Foundation
import Platform
import Records
import Scheduling
import Settings
import SiteModel
import SiteStore

/// Reads a site from YAML, as `beaconmesh import` takes it: everything is checked here, references
/// included, so that each fault has its line.
package struct SiteFile: Equatable, Sendable {
    package let document: SiteDocument

    /// Bytes of the largest file: one of as many people, beacons, stations and exercises as a site may have.
    package static let largest = 4 << 20

    /// Reads a YAML file. Throws every fault at once. The environment has no say in a site.
    package init(reading file: String) throws(SettingsError) {
        var settings = try SettingsReader(file: file, environment: [:], limit: Self.largest)
        document = try Self.document(&settings)
    }

    /// Reads `text` as if it were the file called `name`.
    ///
    /// - Throws: A `SettingsError` with every fault and its line: print it and exit with 78.
    package init(text: String, named name: String) throws(SettingsError) {
        var settings = try SettingsReader(text: text, named: name, limit: Self.largest)
        document = try Self.document(&settings)
    }

    /// Reads what `SiteFileWriter` makes.
    ///
    /// - Throws: A `SettingsError` with every fault.
    package init(_ tree: SiteTree) throws(SettingsError) {
        var settings = SettingsReader(SettingsNode(tree), named: "site")
        document = try Self.document(&settings)
    }

    /// What is stored, by whichever rules it was stored: nothing of it is refused. What the rules of today would refuse
    /// stands there as another value, so that this is for looking at, not for writing back.
    init(stored tree: SiteTree) {
        var settings = SettingsReader(SettingsNode(tree), named: "site")
        document = Self.read(&settings)
    }

    /// The slug of a site at the key `id`. `core` is taken: coordinators speak under it.
    package static func siteSlug(_ site: inout SettingsReader) -> String {
        let slug = site.slug("id")
        if slug == "core" { site.refuse("id", "\"core\" cannot be a site, topics use it") }
        return slug
    }

    private static func document(
        _ settings: inout SettingsReader
    ) throws(SettingsError) -> SiteDocument {
        let document = read(&settings)
        try settings.finish()
        return document
    }

    private static func read(_ settings: inout SettingsReader) -> SiteDocument {
        var document = settings.section("site") { head(&$0) }
        // What is referred to is read before what refers to it, whatever the order of the file.
        var places = SitePlaces()
        let rooms = settings.list("rooms", count: 1...256) { places.room(&$0) }
        var content = SiteContent(known: ["rooms": Set(rooms.map(\.slug))])
        content.read(SiteCollection.all.prefix { $0 != .stations }, &settings)
        places.exercises = content.known["exercises"] ?? []
        let stations = settings.list("stations", count: 0...1024) { places.station(&$0) }
        var people = SitePeople()
        let users = settings.list("users", count: 0...10_000) { people.user(&$0) }
        let nodes = settings.list("nodes", count: 0...256) {
            places.node(&$0, users: people.users)
        }
        let beacons = settings.list("beacons", count: 0...4096) {
            people.beacon(&$0, at: places, in: document.timeZone)
        }
        content.known["stations"] = Set(stations.map(\.slug))
        content.known["users"] = Set(users.map(\.slug))
        content.known["nodes"] = Set(nodes.map(\.slug))
        content.known["beacons"] = Set(beacons.compactMap(\.?.slug))
        content.read(SiteCollection.all.drop { $0 != .stations }, &settings)
        document.rooms = rooms
        document.stations = stations
        document.nodes = nodes
        document.users = users
        document.beacons = beacons.compactMap(\.self)
        for setting in SiteDocument.settings where setting.parameter.name != "site" {
            setting.read(&settings, &document)
        }
        document.content = content.rows.filter { !$0.value.isEmpty }
        return document
    }

    /// The section `site`, of a document that has nothing else yet.
    private static func head(_ settings: inout SettingsReader) -> SiteDocument {
        var document = SiteDocument(
            slug: siteSlug(&settings), name: "", timeZone: "", rooms: [], stations: [], nodes: [],
            users: [], beacons: [])
        SiteDocument.site.read(&settings, &document)
        document.isDemo = settings.bool("demo", default: false)
        return document
    }
}

/// The rows of content that were read, and what they may refer to.
private struct SiteContent {
    var rows: [String: [SiteTree]] = [:]
    /// Ids by the name of their collection.
    var known: [String: Set<String>]

    /// Reads those of some collections that are content.
    mutating func read(
        _ collections: some Collection<SiteCollection>, _ settings: inout SettingsReader
    ) {
        for collection in collections where collection.isContent {
            var seen: Set<String> = []
            rows[collection.name] = settings.list(collection.name, count: 0...collection.most) {
                collection.read(&$0, seen: &seen, known: known)
            }
            known[collection.name] = seen
        }
    }
}

extension SettingsReader {
    /// What people call a thing; its slug if nothing else is said.
    package mutating func name(_ key: String = "name", default slug: String) -> String {
        let name = string(key, default: slug, length: 120)
        // An empty one stands in for what was refused.
        if !name.isEmpty, let fault = HarmlessText.fault(inName: name) { refuse(key, fault) }
        return name
    }

    /// A slug at the key `id` that `seen` does not hold yet.
    mutating func newSlug(_ seen: inout Set<String>) -> String {
        let slug = slug("id")
        if !slug.isEmpty, !seen.insert(slug).inserted { refuse("id", "\"\(slug)\" is given twice") }
        return slug
    }

    /// A slug at `key` that must be one of `known`.
    package mutating func reference(_ key: String, to known: Set<String>, _ kind: String) -> String?
    {
        guard let slug = slugIfPresent(key) else { return nil }
        if !slug.isEmpty, !known.contains(slug) {
            refuse(key, "there is no \(kind) \"\(slug)\"")
        }
        return slug
    }
}

/// Reads rooms, then stations, then nodes, each of which may refer to those before; and where
/// beacons are fixed.
struct SitePlaces {
    /// Whether a node hangs somewhere or is carried.
    private enum Role: String, CaseIterable {
        case fixed
        case mobile
    }

    var rooms: Set<String> = []
    /// Where what is carried is kept if nobody says it.
    var firstRoom: String?
    var stations: Set<String> = []
    private var nodes: Set<String> = []
    /// The ids of the exercises that stations may name.
    var exercises: Set<String> = []
    /// The room of each station.
    var roomOfStation: [String: String] = [:]

    mutating func room(_ item: inout SettingsReader) -> SiteDocument.Room {
        let slug = item.newSlug(&rooms)
        firstRoom = firstRoom ?? slug
        return SiteDocument.Room(
            slug: slug, name: item.name(default: slug), area: Self.area(&item),
            storey: item.int("storey", in: -9...99, default: 0))
    }

    mutating func station(_ item: inout SettingsReader) -> SiteDocument.Station {
        let slug = item.newSlug(&stations)
        let name = item.name(default: slug)
        let room = item.reference("room", to: rooms, "room")
        if room == nil { item.refuse("room", "missing, expected the id of a room") }
        roomOfStation[slug] = room
        let slots = item.int("slots", in: 1...64, default: 1)
        let (x, y) = Self.position(&item)
        var station = SiteDocument.Station(
            slug: slug, name: name, room: room ?? "", slots: slots, x: x, y: y)
        station.use = use(&item)
        return station
    }

    /// What a station is for, as its collection declares it.
    private func use(_ item: inout SettingsReader) -> SiteDocument.Station.Use {
        let names = [
            "kind", "equipment", "location", "exercises", "auto_start_s", "auto_pause_s",
            "claim_grace_s",
        ]
        let members = SiteCollection.stations.members.filter { names.contains($0.name) }
        let row = SiteTree.section(
            SiteCollection.stations.read(members, &item, known: ["exercises": exercises]))
        func seconds(_ key: String) -> Int? {
            if case .scalar(let text)? = row[key] { Int(text) } else { nil }
        }
        var use = SiteDocument.Station.Use()
        use.kind = row["kind"]?.string.flatMap(StationKind.init) ?? .other
        use.equipment = row["equipment"]?.string
        use.location = row["location"]?.string
        if let items = row["exercises"]?.items { use.exercises = items.compactMap(\.string) }
        use.autoStart = seconds("auto_start_s")
        use.autoPause = seconds("auto_pause_s")
        use.claimGrace = seconds("claim_grace_s") ?? use.claimGrace
        return use
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
        let members = SiteCollection.nodes.members.filter {
            ["profile", "sparse_hours"].contains($0.name)
        }
        let practice = SiteTree.section(SiteCollection.nodes.read(members, &item, known: [:]))
        var node: SiteDocument.Node
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
            node = SiteDocument.Node(
                slug: slug, name: name, room: named ?? implied ?? "", station: station, x: x, y: y)
        case .mobile:
            if carrier == nil { item.refuse("user", "missing, expected who carries the node") }
            if station != nil { item.refuse("station", "a mobile node is at no station") }
            if x != nil { item.refuse("x_m", "a mobile node has no position") }
            // It is kept somewhere; the first room is as good as any.
            node = SiteDocument.Node(
                slug: slug, name: name, room: named ?? firstRoom ?? "", carrier: carrier)
        }
        node.profile = practice["profile"]?.string.flatMap(NodePolicy.Profile.init)
        node.sparseHours = practice["sparse_hours"]?.string.flatMap { DailyHours($0) }
        return node
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

    /// `area_m: [x0, y0, x1, y1]`: two opposite corners, in any order, or more than two in turn.
    private static func area(_ item: inout SettingsReader) -> Area? {
        let numbers = item.numbersIfPresent(
            "area_m", count: 4...2 * Area.mostCorners, in: -10_000...10_000)
        guard let numbers else { return nil }
        do throws(Area.Fault) {
            return try Area(numbers: numbers)
        } catch {
            item.refuse("area_m", "\(error)")
            return nil
        }
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

/// Reads users, then the beacons they carry.
struct SitePeople {
    var users: Set<String> = []
    private var beacons: Set<String> = []
    /// The beacon of each identity.
    private var beaconOfIdentity: [Identity: String] = [:]
    /// The first beacon with a fixed minor of each iBeacon name without it.
    private var beaconOfStem: [Identity: String] = [:]
    /// What is tried in order, and by which beacon.
    private var rules: [(identity: Identity, beacon: String)] = []

    mutating func user(_ item: inout SettingsReader) -> SiteDocument.User {
        let slug = item.newSlug(&users)
        let name = item.name(default: slug)
        let consent = item.stringIfPresent("consent", length: 64)
        if consent == "" {
            item.refuse("consent", "expected the version of a text, like \"2026-1\"")
        }
        return SiteDocument.User(slug: slug, name: name, consent: consent)
    }

    /// `nil` if the identity is faulty, which has been reported.
    mutating func beacon(
        _ item: inout SettingsReader, at places: SitePlaces, in zone: String
    ) -> SiteDocument.Beacon? {
        let slug = item.newSlug(&beacons)
        if Identity(text: slug)?.isOwnName == true {
            item.refuse("id", "is what an unregistered beacon is called, expected another name")
        }
        let title = item.name("title", default: slug)
        let user = item.reference("user", to: users, "user")
        let place = places.place(&item)
        if user != nil, place.room != nil || place.station != nil {
            item.refuse("user", "a beacon is carried or fixed at a place, not both")
        }
        let until = Self.until(&item, in: zone)
        if until != nil, user == nil {
            item.refuse("until", "says when a user ends, and there is none")
        }
        let threshold = item.numberIfPresent("threshold_dbm", in: -127...20)
        guard let identity = SiteIdentity.read(&item) else { return nil }
        if let other = claim(identity, for: slug) {
            item.refuse("identity", "beacon \"\(other)\" has it already")
        } else if identity.isTriedInOrder {
            add(rule: identity, of: slug, &item)
        }
        return SiteDocument.Beacon(
            slug: slug, title: title, identity: identity, user: user, until: until,
            room: place.room, station: place.station, threshold: threshold.map { RSSI(dBm: $0) })
    }

    /// `until: 2026-12-31`, the last day by the clocks of the site, or `2026-12-31T18:00:00+01:00`.
    private static func until(_ item: inout SettingsReader, in zone: String) -> Timestamp? {
        guard let text = item.stringIfPresent("until", length: 40) else { return nil }
        let moment =
            LocalDate(text).map { SiteCalendar(zone: zone).bounds(of: $0).to }
            ?? StatedMoment.exact(text)
        if let moment, (1...253_402_300_799_000).contains(moment.milliseconds),
            moment.milliseconds % 1000 == 0
        {
            return moment
        }
        item.refuse("until", "expected a day, 2026-12-31, or 2026-12-31T18:00:00+01:00")
        return nil
    }

    /// Returns the beacon that would answer to the same advertisement, if there is one.
    private mutating func claim(_ identity: Identity, for slug: String) -> String? {
        if let other = beaconOfIdentity[identity] { return other }
        beaconOfIdentity[identity] = slug
        let stems = identity.stems
        for stem in stems where beaconOfStem[stem] == nil { beaconOfStem[stem] = slug }
        return stems.compactMap { beaconOfIdentity[$0] }.first ?? beaconOfStem[identity]
    }

    private mutating func add(
        rule identity: Identity, of slug: String, _ item: inout SettingsReader
    ) {
        if let other = rules.first(where: { $0.identity.hides(identity) }) {
            item.refuse(
                "identity",
                "could never be heard: beacon \"\(other.beacon)\" comes first and takes all of it")
        }
        rules.append((identity, slug))
        if rules.count == NodePolicy.mostRules + 1 {
            item.refuse("identity", "more than \(NodePolicy.mostRules) masks and name patterns")
        }
    }
}
