import GRDB
import Operations
import Records
import Settings
import SiteModel
import SiteStore
import Wire

/// The rules of the file for single rows: what a row names is looked up.
struct RowRules {
    /// What else becomes another row with it, by slug: of beacons that take each other's identity.
    var changing: [String: SiteTree] = [:]
    let db: Database

    init(_ db: Database, changing rows: [SiteTree] = []) {
        self.db = db
        for row in rows { changing[row["id"]?.string ?? ""] = row }
    }

    /// A row as the file would write it.
    ///
    /// - Throws: A `BooksRefusal`, `schema`, with up to eight faults, or with the first value of a wrong type; a
    ///   `DatabaseError`.
    func read(_ row: SiteTree, of kind: SiteCollection) throws -> SiteTree {
        if let fault = kind.fault(in: row) { throw BooksRefusal(.schema, fault) }
        let known = try named(by: row, of: kind)
        var places = SitePlaces()
        places.rooms = known["rooms"] ?? []
        places.stations = known["stations"] ?? []
        places.exercises = known["exercises"] ?? []
        for station in places.stations {
            places.roomOfStation[station] = try RowTable(.stations).row(station, db)?["room"]?
                .string
        }
        var people = SitePeople()
        people.users = known["users"] ?? []
        var item = SettingsReader(SettingsNode(row), named: "site")
        let read: SiteTree?
        switch kind {
        case .rooms: read = SiteFileWriter.row(places.room(&item))
        case .stations: read = SiteFileWriter.row(places.station(&item))
        case .nodes:
            places.firstRoom = try String.fetchOne(
                db, sql: "SELECT slug FROM room WHERE retired_ms IS NULL ORDER BY id LIMIT 1")
            read = SiteFileWriter.row(places.node(&item, users: people.users))
        case .users: read = SiteFileWriter.row(people.user(&item))
        case .beacons:
            let zone = try String.fetchOne(db, sql: "SELECT time_zone FROM site") ?? "UTC"
            let beacon = people.beacon(&item, at: places, in: zone)
            if let beacon { try check(beacon, &item) }
            read = beacon.map { SiteFileWriter.row($0) }
        default:
            var seen: Set<String> = []
            read = kind.read(&item, seen: &seen, known: known)
        }
        do throws(SettingsError) {
            try item.finish()
        } catch {
            throw BooksRefusal(.schema, Self.words(error))
        }
        guard let read else { preconditionFailure("a row without a fault that is none") }
        return read
    }

    /// The faults of what is no file, in one line.
    static func words(_ error: SettingsError) -> String {
        error.faults.prefix(8).map { fault in
            fault.path.isEmpty ? fault.problem : "\(fault.path): \(fault.problem)"
        }.joined(separator: "; ")
    }

    /// Of what a row names, what there is, by the name of its collection.
    private func named(by row: SiteTree, of kind: SiteCollection) throws -> [String: Set<String>] {
        var named: [String: [String]] = [:]
        for member in kind.members {
            switch (member.kind, row[member.name]) {
            case (.reference(let other), .text(let slug)?): named[other, default: []].append(slug)
            case (.list(.reference(let other)), .list(let items)?):
                named[other, default: []] += items.prefix(SiteCollection.mostReferences)
                    .compactMap(\.string)
            default: break
            }
        }
        return try Dictionary(
            uniqueKeysWithValues: named.compactMap { name, slugs in
                try SiteCollection.named(name).map { (name, try RowTable($0).existing(slugs, db)) }
            })
    }

    // MARK: Identities

    /// Refuses an identity that another beacon answers to, and one that could never be heard.
    private func check(_ beacon: SiteDocument.Beacon, _ item: inout SettingsReader) throws {
        let identity = beacon.identity
        if let other = try holder(of: identity, but: beacon.slug) {
            item.refuse("identity", "beacon \"\(other)\" has it already")
        } else if identity.isTriedInOrder {
            try checkOrder(of: beacon, &item)
        }
    }

    private func holder(of identity: Identity, but slug: String) throws -> String? {
        let same = ([identity] + identity.stems).map(\.text)
        let isStem =
            switch identity {
            case .iBeaconRolling, .iBeaconAnyDigit: true
            default: false
            }
        let marks = same.map { _ in "?" }.joined(separator: ", ")
        return try db.rows(
            """
            SELECT slug, identity FROM beacon
            WHERE retired_ms IS NULL
                AND (identity IN (\(marks))\(isStem ? " OR identity GLOB 'ib-*'" : ""))
            ORDER BY id
            """, StatementArguments(same)
        ) { (slug: $0["slug"] as String, identity: $0["identity"] as String) }.first { other in
            guard other.slug != slug, changing[other.slug] == nil else { return false }
            return same.contains(other.identity)
                || Identity(text: other.identity)?.stems.contains(identity) == true
        }?.slug
    }

    /// Rules are tried in the order of their rows.
    private func checkOrder(
        of beacon: SiteDocument.Beacon, _ item: inout SettingsReader
    ) throws {
        var rules = try db.rows(
            "SELECT slug, identity FROM beacon WHERE retired_ms IS NULL OR slug = ? ORDER BY id",
            [beacon.slug]
        ) { row -> (slug: String, identity: Identity)? in
            let slug: String = row["slug"]
            if slug == beacon.slug { return (slug, beacon.identity) }
            let text = changing[slug]?["identity"]?.string ?? row["identity"]
            return Identity(text: text).map { (slug, $0) }
        }.compactMap(\.self).filter(\.identity.isTriedInOrder)
        if !rules.contains(where: { $0.slug == beacon.slug }) {
            rules.append((beacon.slug, beacon.identity))
        }
        if rules.count > NodePolicy.mostRules {
            item.refuse("identity", "more than \(NodePolicy.mostRules) masks and name patterns")
        }
        guard let place = rules.firstIndex(where: { $0.slug == beacon.slug }) else { return }
        if let first = rules[..<place].first(where: { $0.identity.hides(beacon.identity) }) {
            item.refuse(
                "identity",
                "could never be heard: beacon \"\(first.slug)\" comes first and takes all of it")
        } else if let later = rules[(place + 1)...].first(where: {
            beacon.identity.hides($0.identity)
        }) {
            item.refuse("identity", "takes all of what beacon \"\(later.slug)\" is recognised by")
        }
    }
}

extension SettingsNode {
    /// What a `SiteTree` says.
    init(_ tree: SiteTree) {
        switch tree {
        case .section(let members):
            self.init(
                value: .section(
                    members.map { Entry(key: $0.key, node: SettingsNode($0.value)) }))
        case .list(let items): self.init(value: .list(items.map { SettingsNode($0) }))
        case .text(let text): self.init(value: .scalar(Scalar(text: text, style: .quoted)))
        case .scalar(let text): self.init(value: .scalar(Scalar(text: text, style: .plain)))
        case .null: self.init(value: .empty)
        }
    }
}

extension Identity {
    /// Those that answer to all that this one answers to, and to more: of an iBeacon the one with any minor, and the one
    /// with any last digit.
    var stems: [Identity] {
        guard case .iBeacon(let uuid, let major, let minor) = self else { return [] }
        return [
            .iBeaconRolling(uuid: uuid, major: major),
            .anyDigit(uuid: uuid, major: major, minor: minor),
        ]
    }
}
