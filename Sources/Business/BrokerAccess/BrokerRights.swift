import Basics
import Operations
import Permissions
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
        let topics = SiteTopics(site: site)
        let name = identity.name
        let kinds = PayloadKind.allCases
        func filters(
            _ names: [String: String] = [:], _ isOf: (TopicSpec) -> Bool
        ) -> [String] { kinds.filter { isOf($0.topic) }.map { topics.filter($0, names) } }
        // Of places what nobody can be known from.
        let shown = filters { $0.subject == .places }
        let answers = topics.filter(.response, ["client": name])
        // Each by its name: under “+” there would be room for retained messages without end.
        func requests(_ verbs: [Verb]) -> [String] {
            verbs.map { topics[.request, name, $0.name] }
        }
        switch identity.kind {
        case .node:
            // Level by level: with its whole branch a node, or whoever has its password, could tell itself
            // how far its evidence is stored and what to listen to.
            let own = ["node": name]
            self.init(
                writing: filters(own) { $0.writer == .node },
                reading: filters(own) { $0.writer != .node && $0.parameters.contains("node") })
        case .screen: self.init(writing: [], reading: shown)
        case .kiosk:
            let verbs = Verb.all.filter { $0.right.reach(of: .kiosk) >= $0.subject.least }
            self.init(writing: requests(verbs), reading: shown + [answers])
        case .member:
            let person = identity.person.flatMap { $0.isSlug ? $0 : nil }
            func own(by writers: [TopicSpec.Writer]) -> [String] {
                guard let person else { return [] }
                return filters(["user": person]) { spec in
                    if case .person = spec.subject { writers.contains(spec.writer) } else { false }
                }
            }
            // What is sent of somebody is answered by their name, whatever this client is called. The site's time
            // zone is in its `info`.
            let taken = person.map { [topics[.response, $0, IngestHead.operation]] } ?? []
            self.init(
                // Whether their account may, the coordinator decides.
                writing: requests(Verb.all) + own(by: [.client]) + [topics[.ingestDetection, name]],
                reading: [answers, topics[.siteInfo]] + own(by: [.node, .coordinator]) + taken)
        case .integration:
            let scopes = Set(identity.scopes)
            let own = ["client": name]
            self.init(
                writing: (scopes.contains(.requests) ? requests(Verb.all) : [])
                    + filters(own) { $0.writer == .client && !scopes.isDisjoint(with: $0.scopes) },
                reading: filters(own) { !scopes.isDisjoint(with: $0.scopes) }
                    + (scopes.contains(.detections)
                        ? [topics[.response, name, IngestHead.operation]] : []))
        case .coordinator:
            // `debug/doctor` is for `beaconmesh doctor`, which tries whether what is written there comes back. What
            // others have retained where nothing is to be is cleared.
            let cleared = filters { $0.writer == .client && $0.isInbound }
            self.init(
                writing: [CoreTopics.all] + topics.spoken + cleared
                    // For whoever looks through a node on the page.
                    + [topics.root + "debug/doctor/+", topics[.debugLease, "+"]],
                reading: [topics.root + "#", CoreTopics.all, SiteTopics.attendanceAnywhere])
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
        rules.contains { $0.access == access && TopicFilter($0.filter)?.matches(topic) ?? false }
    }
}
