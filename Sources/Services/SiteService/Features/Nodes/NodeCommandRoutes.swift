import Foundation
import JSON
import Permissions
import Registry
import WebServer
import Wire

/// Orders to nodes, which go over the broker.
package struct NodeCommandRoutes: Sendable {
    private let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    /// How long a command is of use, in milliseconds.
    private static let freshness: Int64 = 30_000

    package var all: [Route] {
        [
            Route(
                .post, "/api/v1/nodes/{id}/commands", .nodesCommand,
                about: RouteText(
                    "Tells a node to do something once; its answer comes on node/{id}/res.",
                    body: [
                        .init(
                            "op", .word(NodeOperation.allCases.map(\.rawValue)), isNeeded: true),
                        .init(
                            "for_s",
                            .integer(
                                NodeCommandPayload.durations), "How long it is to last, in seconds."
                        ),
                    ], answer: [.always("id", .anyText, "The answer has it, too.")], status: 202,
                    refusals: [.notFound])
            ) { try await command($0) }
        ]
    }

    private func command(_ request: RouteRequest) async throws -> RouteAnswer {
        let (operation, seconds) = try Reading.body(request, known: ["op", "for_s"]) {
            (object, json) throws(PayloadError) in
            (
                try object.required("op", json).choice(json, of: NodeOperation.self),
                try object.optional("for_s", json)?.integer(
                    json, from: NodeCommandPayload.durations.lowerBound,
                    through: NodeCommandPayload.durations.upperBound)
            )
        }
        let node = request.parameters["id"] ?? ""
        let (row, site) = try await Blocking.run { [store = desk.store] in
            (try SiteRows(store).row(.nodes, node), try SiteRows(store).site())
        }
        guard row != nil, let site = site?.tree["id"]?.string else {
            throw RouteProblem(.notFound, "There is no such node.")
        }
        let id = UUID().uuidString.lowercased()
        let payload = NodeCommandPayload(
            id: id, op: operation.rawValue,
            expMs: desk.clock.now.milliseconds + Self.freshness, forS: seconds)
        let message = SiteTopics(site: site).message(.nodeCommand, node, saying: payload)
        return try await desk.perform(
            .noteCommand(node: node, operation: operation.rawValue), for: request,
            telling: message
        ) { _, _ in .json("{\"id\":\"\(id)\"}\n", status: 202) }
    }
}
