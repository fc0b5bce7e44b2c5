import SiteModel
import Wire

/// What nodes say of themselves, by topic: shown on the page, and no part of the board.
///
/// Only nodes in force are shown: one that was retired may go on talking.
struct RelayedTopics {
    private(set) var topics: [String: [UInt8]] = [:]
    private var prefix = ""
    private var nodes: Set<String> = []

    init(plan: Plan, names: Names) { adopt(plan, names) }

    /// Another plan is in force: forgets what is said of nodes that it does not have.
    mutating func adopt(_ plan: Plan, _ names: Names) {
        prefix = SiteTopics(site: names.site).root + "node/"
        nodes = Set(plan.nodes.map { names.nodes.slug($0.id) })
        topics = topics.filter { isShown($0.key) }
    }

    /// Keeps a message; an empty one clears its topic. Returns whether it may be shown.
    mutating func take(_ publication: Publication) -> Bool {
        guard isShown(publication.topic) else { return false }
        topics[publication.topic] = publication.payload.isEmpty ? nil : publication.payload
        return true
    }

    private func isShown(_ topic: String) -> Bool {
        guard topic.hasPrefix(prefix) else { return true }
        return nodes.contains(String(topic.dropFirst(prefix.count).prefix { $0 != "/" }))
    }
}
