import Foundation
import Operations
import Records
import Registry
import SiteModel
import SiteStore
import Wire

// Orders to nodes, which go over the broker.

extension Operation {
    static let nodes = [
        Operation(
            "node-command", .post, "/api/v1/nodes/{id}/commands", .nodesCommand,
            "Tells a node to do something once; its answer comes on node/{id}/res.",
            .of(NodeOrder.self), answer: .taken, refusals: [.notFound], telling: \.message
        ) { order, caller, store in
            let rows = SiteRows(store)
            guard try rows.row(.nodes, order.node) != nil,
                let site = try rows.site()?.tree["id"]?.string
            else { throw BooksRefusal(.notFound, "there is no such node") }
            let id = UUID().uuidString.lowercased()
            let payload = NodeCommandPayload(
                id: id, op: order.what.rawValue,
                expMs: caller.moment.milliseconds + NodeOrder.freshness, forS: order.seconds)
            try AuditTrail(store).note(
                order.what.rawValue, to: order.node, by: caller.name, via: caller.via,
                at: caller.moment)
            return Ordered(
                id: id,
                message: SiteTopics(site: site).message(.nodeCommand, order.node, saying: payload))
        },
        Operation(
            "node-events", "/api/v1/nodes/{id}/events", .live,
            "What happened at a node in the last fourteen days, the newest first.",
            .of(EventsAsked.self), answer: .rows("events"), refusals: [.notFound]
        ) { asked, _, store in
            let found = try NodeEvents(store).newest(of: asked.node, most: asked.limit)
            guard let found else { throw BooksRefusal(.notFound, "there is no such node") }
            return found
        },
    ]
}

private struct EventsAsked: OperationInput {
    var node = ""
    var limit = 50

    static let members: [Member<EventsAsked>] = [
        .needed("id", .reference("nodes"), \.node), .preset("limit", .integer(1...500), \.limit),
    ]
}

extension NodeEvents.Told: OperationOutput {
    package static let members: [Member<NodeEvents.Told>] = [
        .needed("at_ms", .time, \.at), .needed("kind", .anyText, \.kind),
        .optional("detail", .anyText, \.detail), .optional("beacon", .slug, \.beacon),
        .optional("value", .number, \.value),
    ]
}

private struct NodeOrder: OperationInput {
    /// How long a command is of use, in milliseconds.
    static let freshness: Int64 = 30_000

    var node = ""
    var what = NodeOperation.identify
    var seconds: Int64?

    static let members: [Member<NodeOrder>] = [
        .needed("id", .reference("nodes"), \.node), .needed("op", .word, \.what),
        .optional(
            "for_s", .integer(NodeCommandPayload.durations), \.seconds,
            "How long it is to last, in seconds."),
    ]
}

private struct Ordered: OperationOutput {
    var id: String
    var message: Publication?

    static let members: [Member<Ordered>] = [
        .needed("id", .anyText, \.id, "The answer has it, too.")
    ]
}
