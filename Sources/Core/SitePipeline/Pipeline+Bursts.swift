import SiteEngine
import SiteModel
import Wire

extension Pipeline {
    /// The age of a move after which a command that follows it is of no use.
    private static let freshness: Int64 = 10_000

    /// Where somebody came to a room or left one, the nodes there are asked for frames for a while, if
    /// the site wants that: what follows a move is worth more than a reading every 30 s.
    package func bursts(after fact: Fact, at now: Timestamp) -> [Publication] {
        guard mesh.plan.policy.bursts, case .event(let event) = fact,
            [.entered, .observed, .left].contains(event.kind), case .room(let room) = event.place
        else { return [] }
        return mesh.plan.nodes.filter { $0.room == room }.map { node in
            let slug = names.nodes.slug(node.id)
            let command = NodeCommandPayload(
                id: "burst-\(event.id)-\(node.id.row)", op: NodeOperation.burst.rawValue,
                expMs: now.milliseconds + Self.freshness)
            return Publication(
                topic: board.paths.nodeCommand(slug), payload: command.json, quality: 1,
                isRetained: false)
        }
    }
}
