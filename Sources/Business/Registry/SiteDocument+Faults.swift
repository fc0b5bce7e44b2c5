import SiteStore
import Basics
import SiteModel
import Wire

extension SiteDocument {
    /// Everything that keeps this document from being imported; empty if nothing does.
    package var faults: [String] {
        var faults: [String] = []
        if !slug.isSlug || slug == "core" {
            faults.append("site \(slug.quoted): not an id a site may have")
        }
        if timeZone.isEmpty { faults.append("site \(slug.quoted): no time zone") }
        faults += Self.faults(of: "site", [(slug, name), (slug, timeZone)], areUnique: false)
        faults += Self.faults(of: "room", rooms.map { ($0.slug, $0.name) })
        faults += Self.faults(of: "station", stations.map { ($0.slug, $0.name) })
        faults += Self.faults(of: "node", nodes.map { ($0.slug, $0.name) })
        faults += Self.faults(of: "user", users.map { ($0.slug, $0.name) })
        faults += Self.faults(of: "beacon", beacons.map { ($0.slug, $0.title) })
        faults += users.compactMap { user in
            guard let consent = user.consent, consent.isEmpty || consent.utf8.contains(0) else {
                return nil
            }
            return "user \(user.slug.quoted): its consent names no version of a text"
        }
        if let days = privacy.attendanceDays, !PrivacyPolicy.possibleDays.contains(days) {
            faults.append(
                "site \(slug.quoted): attendance kept for \(days) days, not for 730 or more")
        }
        let known = ids
        for collection in SiteCollection.content {
            faults += collection.faults(in: content[collection.name] ?? [], known: known)
        }
        faults += roomFaults + stationFaults + nodeFaults + beaconFaults + policyFaults
        return faults
    }

    /// What may be referred to, by collection.
    private var ids: [String: Set<String>] {
        let own: [SiteCollection: [String]] = [
            .rooms: rooms.map(\.slug), .stations: stations.map(\.slug), .nodes: nodes.map(\.slug),
            .users: users.map(\.slug), .beacons: beacons.map(\.slug),
        ]
        return Dictionary(
            uniqueKeysWithValues: SiteCollection.all.map { collection in
                let rows = content[collection.name]?.compactMap { $0["id"]?.string }
                return (collection.name, Set(own[collection] ?? rows ?? []))
            })
    }

    private static func faults(
        of kind: String, _ things: [(slug: String, name: String)], areUnique: Bool = true
    ) -> [String] {
        var seen: Set<String> = []
        return things.flatMap { slug, name in
            var faults: [String] = []
            let what = "\(kind) \(slug.quoted)"
            if kind != "site", !slug.isSlug {
                faults.append("\(what): not an id: 1 to 64 of a-z, 0-9 and -")
            }
            if areUnique, !seen.insert(slug).inserted { faults.append("\(what): occurs twice") }
            // SQLite's own functions and many readers end a text at the first NUL.
            if name.utf8.contains(0) { faults.append("\(what): its name contains a NUL") }
            return faults
        }
    }

    private var roomFaults: [String] {
        rooms.compactMap { room in
            guard let area = room.area else { return nil }
            let corners = [area.low.x, area.low.y, area.high.x, area.high.y]
            let isFloor =
                corners.allSatisfy(\.isFinite) && area.low.x < area.high.x
                && area.low.y < area.high.y
            return isFloor ? nil : "room \(room.slug.quoted): its area is no rectangle"
        }
    }

    private var stationFaults: [String] {
        let rooms = Set(rooms.map(\.slug))
        let exercises = Set((content["exercises"] ?? []).compactMap { $0["id"]?.string })
        return stations.flatMap { station in
            var faults: [String] = []
            let what = "station \(station.slug.quoted)"
            if !rooms.contains(station.room) {
                faults.append("\(what): there is no room \(station.room.quoted)")
            }
            if !(1...1000).contains(station.slots) {
                faults.append("\(what): \(station.slots) slots instead of 1 to 1000")
            }
            faults += station.use.exercises.filter { !exercises.contains($0) }.map {
                "\(what): there is no exercise \($0.quoted)"
            }
            return faults + Self.faults(of: what, station.x, station.y)
        }
    }

    private var nodeFaults: [String] {
        let rooms = Set(rooms.map(\.slug))
        let roomOf = Dictionary(stations.map { ($0.slug, $0.room) }) { first, _ in first }
        return nodes.flatMap { node in
            var faults: [String] = []
            let what = "node \(node.slug.quoted)"
            if !rooms.contains(node.room) {
                faults.append("\(what): there is no room \(node.room.quoted)")
            }
            if let station = node.station {
                if let room = roomOf[station] {
                    if room != node.room {
                        faults.append(
                            "\(what): station \(station.quoted) is in room \(room.quoted)")
                    }
                } else {
                    faults.append("\(what): there is no station \(station.quoted)")
                }
            }
            if let carrier = node.carrier {
                if !users.contains(where: { $0.slug == carrier }) {
                    faults.append("\(what): there is no user \(carrier.quoted)")
                }
                if node.station != nil { faults.append("\(what): is mobile and at a station") }
            }
            return faults + Self.faults(of: what, node.x, node.y)
        }
    }

    private static func faults(of what: String, _ x: Double?, _ y: Double?) -> [String] {
        [x, y].allSatisfy { $0?.isFinite ?? true } ? [] : ["\(what): its position is no number"]
    }

    private var beaconFaults: [String] {
        let users = Set(users.map(\.slug))
        var owners: [Identity: String] = [:]
        return beacons.flatMap { beacon in
            var faults: [String] = []
            let what = "beacon \(beacon.slug.quoted)"
            if let other = owners.updateValue(beacon.slug, forKey: beacon.identity) {
                faults.append("\(what): has the identity of beacon \(other.quoted)")
            }
            if let user = beacon.user, !users.contains(user) {
                faults.append("\(what): there is no user \(user.quoted)")
            }
            if beacon.threshold?.dBm.isFinite == false {
                faults.append("\(what): its threshold is no number")
            }
            if let room = beacon.room, !rooms.contains(where: { $0.slug == room }) {
                faults.append("\(what): there is no room \(room.quoted)")
            }
            if let station = beacon.station, !stations.contains(where: { $0.slug == station }) {
                faults.append("\(what): there is no station \(station.quoted)")
            }
            if [beacon.user, beacon.room, beacon.station].compactMap(\.self).count > 1 {
                faults.append("\(what): can have one of user, room and station")
            }
            return faults
        } + ruleFaults
    }

    private var ruleFaults: [String] {
        var faults: [String] = []
        let identities = beacons.map(\.identity)
        if identities.count(where: \.isTriedInOrder) > NodePolicy.mostRules {
            faults.append("beacons: more than \(NodePolicy.mostRules) masks and name patterns")
        }
        if let hidden = Identity.hidden(in: identities) {
            let (beacon, other) = (beacons[hidden.place].slug, beacons[hidden.by].slug)
            faults.append(
                "beacon \(beacon.quoted): could never be heard, beacon \(other.quoted) comes first"
                    + " and takes all of it")
        }
        return faults
    }

    private var policyFaults: [String] {
        let levels = [("site", policy.site), ("room", policy.room), ("station", policy.station)]
        let half = Timestamp.Span.seconds(0.5)
        var faults = levels.flatMap { level, timing in
            [("enter", timing.enter), ("lost", timing.lost), ("leave", timing.leave)]
                .filter { $0.1 < half }
                .map { "policy: \(level) \($0.0) is \($0.1.seconds) s, at least 0.5 s are needed" }
        }
        let ranges = [policy.practice?.rangingRange, policy.practice?.sparseRange]
        if !ranges.compactMap(\.self).allSatisfy({ (1...1000).contains($0) }) {
            faults.append("policy: max_range_m is not from 1 to 1000")
        }
        if ![policy.stationFloor, policy.siteFloor].allSatisfy(\.dBm.isFinite) {
            faults.append("policy: a floor is no number")
        }
        if let allowed = policy.allowed {
            if !(1...NodePolicy.mostRules).contains(allowed.count) {
                faults.append("policy: \(allowed.count) identities are allowed instead of 1 to 256")
            }
            var seen: Set<Identity> = []
            for identity in allowed where !seen.insert(identity).inserted {
                faults.append("policy: \(identity.text) is allowed twice")
            }
            if let hidden = Identity.hidden(in: allowed) {
                faults.append("policy: \(allowed[hidden.place].text) is allowed already")
            }
        }
        return faults
    }
}
