import Permissions
import Wire

/// What of a site's live state somebody sees.
package enum FeedView: Hashable, Sendable {
    /// Everything.
    case site
    /// What is about one person, by slug, and where those are who share it; rooms and stations.
    case person(String)
    /// Rooms and stations, without anything that names or means a person.
    case nameless

    /// What a principal sees; `nil` if nothing.
    package init?(of principal: Principal) {
        switch principal.reach(.live) {
        case .site: self = .site
        case .own: self = principal.user.map { .person($0) } ?? .nameless
        case .nameless: self = .nameless
        case .nothing: return nil
        }
    }
}

/// Takes out of topics and names what somebody may not see.
struct FeedFilter: Sendable {
    /// How much of a topic is seen.
    enum Sight: Sendable {
        case whole
        /// All but who it is about.
        case nameless
        case nothing
    }

    let view: FeedView
    /// Who lets others see where they are, by slug.
    let sharing: Set<String>

    /// What of `mesh/v1/{site}/…` is seen. Of topics of unknown form nothing but by those who see all.
    func sight(of topic: String) -> Sight {
        if view == .site { return .whole }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count >= 4, levels[0] == "mesh", levels[1] == "v1" else { return .nothing }
        switch levels[3] {
        case "info", "state": return levels.count == 4 ? .whole : .nothing
        case "room": return .whole
        case "station": return .nameless
        case "user":
            guard case .person(let own) = view, levels.count == 6 else { return .nothing }
            if levels[4] == own { return .whole }
            return levels[5] == "presence" && sharing.contains(String(levels[4]))
                ? .whole : .nothing
        default: return .nothing
        }
    }

    func topics(_ all: [String: [UInt8]]) -> [String: [UInt8]] {
        if view == .site { return all }
        var seen: [String: [UInt8]] = [:]
        for (topic, payload) in all {
            switch sight(of: topic) {
            case .whole: seen[topic] = payload
            case .nameless: seen[topic] = bare(payload)
            case .nothing: continue
            }
        }
        return seen
    }

    /// The names of what is seen: of people only their own and of those who share, of beacons none.
    func names(_ all: [UInt8]) -> [UInt8] {
        if view == .site { return all }
        return rewritten(all) { name, value, json in
            switch name {
            case "site", "rooms", "stations": return json
            case "users": return rewritten(json) { slug, _, name in isSeen(slug) ? name : nil }
            case "nodes", "beacons": return Array("{}".utf8)
            default: return nil
            }
        }
    }

    /// The payload of a station's state with those of `by` and `here` who are seen; how many `others`
    /// there are among both, and how many of these are there (`others_here`).
    func bare(_ payload: [UInt8]) -> [UInt8] {
        var others: Set<String>?
        var othersHere: Int?
        return rewritten(payload) { name, value, json in
            guard name == "by" || name == "here" else { return json }
            let all = (try? value.slugs(payload.span)) ?? []
            let hidden = all.filter { !isSeen($0) }
            others = (others ?? []).union(hidden)
            if name == "here" { othersHere = hidden.count }
            let seen = all.filter(isSeen).map { "\"\($0)\"" }
            return Array(("[" + seen.joined(separator: ",") + "]").utf8)
        } last: { json in
            if let others { json.field("others", Int64(others.count)) }
            if let othersHere { json.field("others_here", Int64(othersHere)) }
        }
    }

    private func isSeen(_ user: String) -> Bool {
        guard case .person(let own) = view else { return false }
        return user == own || sharing.contains(user)
    }

    /// An object with other values, by name, and more members at its end; `nil` leaves a member out. What
    /// is no object is empty.
    private func rewritten(
        _ object: [UInt8], _ change: (String, JSONValue, [UInt8]) -> [UInt8]?,
        last: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        guard !object.isEmpty else { return [] }
        var json = JSONWriter()
        json.beginObject()
        let text = object.span
        if let members = try? JSONObject(document: text, limit: .max).all(text) {
            for member in members {
                guard let range = try? member.range(text),
                    let value = change(member.name, member, Array(object[range]))
                else { continue }
                json.key(member.name)
                json.raw(value)
            }
        }
        last(&json)
        json.endObject()
        return json.bytes
    }
}
