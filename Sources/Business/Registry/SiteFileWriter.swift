import Foundation
import SiteModel

/// Writes a site as the file that makes it: reading what was written changes nothing.
package struct SiteFileWriter {
    /// The file as a tree.
    package let tree: SiteTree

    package init(_ document: SiteDocument) {
        var rows = document.content
        rows["rooms"] = document.rooms.map(Self.row)
        rows["stations"] = document.stations.map(Self.row)
        rows["nodes"] = document.nodes.map(Self.row)
        rows["users"] = document.users.map(Self.row)
        rows["beacons"] = document.beacons.map(Self.row)
        self.init(document, rows: rows)
    }

    /// The file of a site whose rows are given by the names of their collections.
    init(_ site: SiteDocument, rows: [String: [SiteTree]]) {
        var members: [(key: String, value: SiteTree)] = [("site", Self.head(of: site))]
        members += SiteCollection.all.map { ($0.name, .list(rows[$0.name] ?? [])) }
        for setting in SiteDocument.settings where setting.parameter.name != "site" {
            guard let value = setting.write(site) else { continue }
            members.append((setting.parameter.name, value))
        }
        tree = .section(members)
    }

    /// The lists in which another file differs, and `nil` if anything else does: the site itself, privacy, policy.
    package func partsChanged(from other: SiteTree) -> [SiteCollection?] {
        func rest(_ tree: SiteTree) -> SiteTree {
            guard case .section(let members) = tree else { return .section([]) }
            return .section(members.filter { SiteCollection.named($0.key) == nil })
        }
        let lists: [SiteCollection?] = SiteCollection.all.filter {
            tree[$0.name] != other[$0.name]
        }
        return lists + (rest(tree) == rest(other) ? [] : [nil])
    }

    /// The section `site`.
    static func head(of site: SiteDocument) -> SiteTree {
        .section([
            ("id", .text(site.slug)), ("name", .text(site.name)),
            ("time_zone", .text(site.timeZone)), ("demo", .flag(site.isDemo)),
            ("day_start", .text("\(site.dayStart)")),
        ])
    }

    static func row(_ room: SiteDocument.Room) -> SiteTree {
        var row = head(room.slug, ("name", room.name))
        if let area = room.area {
            row.append(("area_m", .list(area.numbers.map { .number($0) })))
        }
        row.append(("storey", .scalar("\(room.storey)")))
        return .section(row)
    }

    static func row(_ station: SiteDocument.Station) -> SiteTree {
        .section(
            head(station.slug, ("name", station.name)) + [
                ("room", .text(station.room)), ("slots", .scalar("\(station.slots)")),
            ] + members(of: station.use) + position(station.x, station.y))
    }

    private static func members(
        of use: SiteDocument.Station.Use
    ) -> [(key: String, value: SiteTree)] {
        func seconds(_ number: Int?) -> SiteTree { number.map { .scalar("\($0)") } ?? .null }
        var members: [(key: String, value: SiteTree)] = [("kind", .text(use.kind.rawValue))]
        if let equipment = use.equipment { members.append(("equipment", .text(equipment))) }
        if let location = use.location { members.append(("location", .text(location))) }
        if !use.exercises.isEmpty {
            members.append(("exercises", .list(use.exercises.map { .text($0) })))
        }
        return members + [
            ("auto_start_s", seconds(use.autoStart)), ("auto_pause_s", seconds(use.autoPause)),
            ("claim_grace_s", seconds(use.claimGrace)),
        ]
    }

    static func row(_ node: SiteDocument.Node) -> SiteTree {
        var row = head(node.slug, ("name", node.name))
        if node.carrier != nil { row.append(("role", .text("mobile"))) }
        row.append(("room", .text(node.room)))
        if let station = node.station { row.append(("station", .text(station))) }
        if let carrier = node.carrier { row.append(("user", .text(carrier))) }
        row += position(node.x, node.y)
        if let profile = node.profile { row.append(("profile", .text(profile.rawValue))) }
        if let hours = node.sparseHours { row.append(("sparse_hours", .text(hours.text))) }
        return .section(row)
    }

    static func row(_ user: SiteDocument.User) -> SiteTree {
        var row = head(user.slug, ("name", user.name))
        if let consent = user.consent { row.append(("consent", .text(consent))) }
        return .section(row)
    }

    static func row(_ beacon: SiteDocument.Beacon) -> SiteTree {
        var row = head(beacon.slug, ("title", beacon.title))
        row.append(("identity", .text(beacon.identity.text)))
        if let user = beacon.user { row.append(("user", .text(user))) }
        if let until = beacon.until { row.append(("until", .text(text(until)))) }
        if let room = beacon.room { row.append(("room", .text(room))) }
        if let station = beacon.station { row.append(("station", .text(station))) }
        if let threshold = beacon.threshold {
            row.append(("threshold_dbm", .number(threshold.dBm)))
        }
        return .section(row)
    }

    /// A moment in UTC, to the second, which is all a file can say.
    static func text(_ moment: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000).formatted(.iso8601)
    }

    private static func head(
        _ slug: String, _ name: (String, String)
    ) -> [(key: String, value: SiteTree)] {
        [("id", .text(slug)), (name.0, .text(name.1))]
    }

    private static func position(_ x: Double?, _ y: Double?) -> [(key: String, value: SiteTree)] {
        guard let x, let y else { return [] }
        return [("x_m", .number(x)), ("y_m", .number(y))]
    }
}
