import Basics
import Operations
import Wire

/// What one identity may read and write at the broker. What is not listed is refused.
package struct BrokerRights: Equatable, Sendable {
    package enum Access: String, Sendable, CaseIterable {
        case read
        case write
    }

    package struct Rule: Equatable, Hashable, Sendable {
        package var access: Access
        /// A topic, with `+` and `#` as MQTT has them.
        package var filter: String
    }

    /// In the order of the access list.
    package let rules: [Rule]

    /// The rights of an identity at a site. Everything is bound to its name, which is one level of a
    /// topic: see `BrokerIdentity.fault`.
    package init(of identity: BrokerIdentity, site: String) {
        let root = SiteTopics(site: site).root
        let name = identity.name
        // `station/{t}/state` says who is there and who claimed it.
        let shown = ["info", "state", "room/+/+", "station/+/info"].map { root + $0 }
        let answers = root + "res/\(name)/+"
        // Each by its name: under “+” there would be room for retained messages without end.
        let requests = Verb.all.map { root + "req/\(name)/\($0.name)" }
        switch identity.kind {
        case .node: self.init(writing: Self.ofNode(name, root), reading: Self.toNode(name, root))
        case .screen: self.init(writing: [], reading: shown)
        case .kiosk:
            self.init(
                writing: Verb.all.filter { $0.right.reach(of: .kiosk) >= $0.subject.least }
                    .map { root + "req/\(name)/\($0.name)" },
                reading: shown + [answers])
        case .member:
            let person = identity.person ?? ""
            self.init(
                writing: requests,
                // The site's time zone is in `info`.
                reading: [answers, root + "info"]
                    + (person.isSlug
                        ? [root + "user/\(person)/#", root + "notify/\(person)"] : []))
        case .integration:
            self.init(
                writing: identity.scopes.flatMap { scope -> [String] in
                    switch scope {
                    case .requests: requests
                    case .diagnosis: [root + "debug/lease/+"]
                    case .presence, .attendance, .workouts, .rooms, .beacons, .events, .nodes: []
                    }
                },
                reading: identity.scopes.flatMap { scope -> [String] in
                    switch scope {
                    case .presence: [root + "user/+/presence"]
                    case .attendance: [root + "user/+/attendance"]
                    case .workouts: [root + "user/+/workout"]
                    case .rooms: shown + [root + "station/+/state"]
                    case .beacons: [root + "beacon/+/+"]
                    case .events: [root + "event/+/+"]
                    case .nodes: ["status", "info", "health"].map { root + "node/+/" + $0 }
                    case .diagnosis:
                        ["node/+/status", "node/+/beat", "node/+/raw", "debug/lease/+"].map {
                            root + $0
                        }
                    case .requests: [answers, root + "info"]
                    }
                })
        case .coordinator: self.init(writing: Self.ofCoordinator(root), reading: Self.heard(root))
        }
    }

    private init(writing: [String], reading: [String]) {
        var seen: Set<Rule> = []
        rules =
            (writing.map { Rule(access: .write, filter: $0) }
            + reading.map { Rule(access: .read, filter: $0) }).filter { seen.insert($0).inserted }
    }

    /// Whether it may read or write a topic, which has no wildcards.
    package func allows(_ access: Access, _ topic: String) -> Bool {
        rules.contains { $0.access == access && Self.matches(topic, $0.filter) }
    }

    private static func matches(_ topic: String, _ filter: String) -> Bool {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        let parts = filter.split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            // `a/#` takes `a`, too.
            if part == "#" { return levels.count >= index }
            guard index < levels.count, part == "+" || part == levels[index] else { return false }
        }
        return levels.count == parts.count
    }

    /// Level by level: with its whole branch a node, or whoever has its password, could tell itself how far
    /// its evidence is stored (`cursor`) and what to listen to (`config/desired`).
    private static func ofNode(_ node: String, _ root: String) -> [String] {
        [
            "status", "info", "health", "beat", "frame", "rssi/+", "evidence", "event", "res",
            "raw", "config/active",
        ].map { "\(root)node/\(node)/\($0)" }
    }

    private static func toNode(_ node: String, _ root: String) -> [String] {
        ["config/desired", "cmd", "cursor"].map { "\(root)node/\(node)/\($0)" }
            + ["\(root)debug/lease/\(node)"]
    }

    /// `debug/doctor` is for `beaconmesh doctor`, which tries whether what is written there comes back.
    private static func ofCoordinator(_ root: String) -> [String] {
        ["mesh/v1/core/#"]
            + [
                "info", "state", "shadow", "room/+/+", "station/+/+", "beacon/+/+", "user/+/+",
                "event/+/+", "notify/+", "res/+/+", "node/+/config/desired", "node/+/cmd",
                "node/+/cursor", "debug/doctor/+",
            ].map { root + $0 }
    }

    private static func heard(_ root: String) -> [String] {
        [root + "#", "mesh/v1/core/#", SiteTopics.attendanceAnywhere]
    }
}
