import JSON
import Permissions
import Wire

/// What of a site's live state somebody sees: how far each topic's right goes for them.
package struct FeedView: Hashable, Sendable {
    /// Whose own topics they see, by slug; `nil`: nobody's.
    let person: String?
    private let reaches: [Right: Reach]
    /// Rights for which they see of others only what these share, however far the rights reach.
    private let agreed: Set<Right>

    /// Everything.
    package static let site = FeedView { _ in .site }
    /// Rooms and stations, without anything that names or means a person.
    static let nameless = FeedView { Right.reach($0)(of: .screen) }
    /// What is about one person, by slug, and where those are who share it; rooms and stations.
    static func person(_ slug: String) -> FeedView {
        FeedView(person: slug) { Right.reach($0)(of: .member) }
    }

    /// What a principal sees; `nil` if nothing. Where the live page is open to whoever is at this machine, it is
    /// the whole page.
    package init?(of principal: Principal) {
        guard principal != .neighbour else {
            self = .site
            return
        }
        guard principal.reach(.live) > .nothing else { return nil }
        let others = Self.rights.filter { principal.needsConsent(of: nil, for: $0) }
        self.init(person: principal.user, agreed: others, reach: principal.reach)
    }

    private init(
        person: String? = nil, agreed: Set<Right> = [], reach: (Right) -> Reach
    ) {
        self.person = person
        self.agreed = agreed
        reaches = Dictionary(uniqueKeysWithValues: Self.rights.map { ($0, reach($0)) })
    }

    /// The rights that topics have readers by.
    private static let rights = Set(PayloadKind.allCases.map(\.topic.reader))

    func reach(_ right: Right) -> Reach { reaches[right] ?? .nothing }

    func needsConsent(for right: Right) -> Bool { agreed.contains(right) }

    /// Whether they see everything, also what is of unknown form.
    var isWhole: Bool { agreed.isEmpty && reaches.values.allSatisfy { $0 == .site } }

    /// Whether they see everybody's names, and who is where.
    var seesEverybody: Bool { reach(PayloadKind.presence.topic.reader) == .site }
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
    /// Who lets others see what of themselves, by slug.
    let sharing: [Shared: Set<String>]
    /// Which topics they ask for; `nil`: all.
    var choice: TopicChoice?

    /// What of `mesh/v1/{site}/…` is seen. Of topics of unknown form nothing but by those who see all.
    func sight(of topic: String) -> Sight {
        if let choice, !choice.includes(topic) { return .nothing }
        if view.isWhole { return .whole }
        guard let (kind, names) = PayloadKind.of(topic) else { return .nothing }
        let spec = kind.topic
        switch (view.reach(spec.reader), spec.subject) {
        case (.site, .person) where view.needsConsent(for: spec.reader):
            guard let user = names.last else { return .nothing }
            return user == view.person || shares(.training, user) ? .whole : .nothing
        case (.site, _): return .whole
        case (.nothing, _), (_, .everybody): return .nothing
        case (_, .places): return .whole
        case (_, .placesWithPeople): return .nameless
        case (.nameless, .person): return .nothing
        case (.own, .person(let isShared)):
            guard let user = names.last else { return .nothing }
            return user == view.person || isShared && shares(.place, user) ? .whole : .nothing
        }
    }

    func topics(_ all: [String: [UInt8]]) -> [String: [UInt8]] {
        if view.isWhole, choice == nil { return all }
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
        if view.seesEverybody { return all }
        return rewritten(all) { name, value, json in
            switch name {
            case "site", "rooms", "stations", "exercises": return json
            case "users": return rewritten(json) { slug, _, name in isSeen(slug) ? name : nil }
            case "nodes", "beacons": return Array("{}".utf8)
            default: return nil
            }
        }
    }

    /// The payload of a station's state with those of `by`, `here` and `offered` who are seen; how many `others` there
    /// are among the first two, how many of these are there (`others_here`), hold a slot (`others_by`), and are offered
    /// one (`others_offered`).
    func bare(_ payload: [UInt8]) -> [UInt8] {
        var others: Set<String>?
        var (othersHere, othersBy): (Int?, Int?)
        var othersOffered: Int?
        return rewritten(payload) { name, value, json in
            if name == "offered" {
                let (seen, hidden) = offers(value, payload)
                othersOffered = hidden
                return seen
            }
            guard name == "by" || name == "here" else { return json }
            let all = (try? value.slugs(payload.span)) ?? []
            let hidden = all.filter { !isSeen($0) }
            others = (others ?? []).union(hidden)
            if name == "here" { othersHere = hidden.count } else { othersBy = hidden.count }
            let seen = all.filter(isSeen).map { "\"\($0)\"" }
            return Array(("[" + seen.joined(separator: ",") + "]").utf8)
        } last: { json in
            if let others { json.field("others", Int64(others.count)) }
            if let othersHere { json.field("others_here", Int64(othersHere)) }
            if let othersBy { json.field("others_by", Int64(othersBy)) }
            if let othersOffered { json.field("others_offered", Int64(othersOffered)) }
        }
    }

    /// The offers to those who are seen, and how many there are to others.
    private func offers(
        _ list: JSONValue, _ payload: [UInt8]
    ) -> (seen: [UInt8], hidden: Int) {
        let all = try? list.list(payload.span) { (offer, text) throws(PayloadError) in
            let user = try offer.object(text).required("user", text).slug(text)
            return (user: user, json: Array(payload[try offer.range(text)]))
        }
        let seen = (all ?? []).filter { isSeen($0.user) }.map(\.json)
        let json = Array("[".utf8) + seen.joined(separator: Array(",".utf8)) + Array("]".utf8)
        return (json, (all ?? []).count - seen.count)
    }

    private func isSeen(_ user: String) -> Bool {
        guard let own = view.person, view.reach(PayloadKind.presence.topic.reader) >= .own else {
            return false
        }
        return user == own || shares(.place, user)
    }

    private func shares(_ part: Shared, _ user: String) -> Bool {
        sharing[part]?.contains(user) ?? false
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
        if let members = try? JSONObject(document: text, limit: .max, atMost: .max).all(text) {
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
