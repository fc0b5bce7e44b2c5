import Operations
import Permissions
import Registry
import SiteStore
import WebServer

/// Who carried which beacon, and what it was recognised by.
package struct HistoryRoutes: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    package var all: [Route] {
        [
            Route(
                .get, "/api/v1/beacons/{id}/bindings", .peopleRead,
                about: RouteText(
                    "Who carried a beacon from when until when, oldest first.",
                    answer: [.always("bindings", .list(.object(BeaconHistory.Bound.answer)))],
                    refusals: [.notFound])
            ) { request in
                let lines = try await read(request, "id") { try $0.bindings(of: $1) }
                guard let lines else { throw Self.unknown }
                return try Reading.answer(["bindings": lines])
            },
            Route(
                .get, "/api/v1/beacons/{id}/identities", .peopleRead,
                about: RouteText(
                    "What a beacon was recognised by from when until when, oldest first.",
                    answer: [.always("identities", .list(.object(BeaconHistory.Known.answer)))],
                    refusals: [.notFound])
            ) { request in
                let lines = try await read(request, "id") { try $0.identities(of: $1) }
                guard let lines else { throw Self.unknown }
                return try Reading.answer(["identities": lines])
            },
            Route(
                .get, "/api/v1/identities/{identity}", .peopleRead,
                about: RouteText(
                    "Which beacons were ever recognised by something, such as mac-…, oldest first.",
                    answer: [.always("identities", .list(.object(BeaconHistory.Known.answer)))])
            ) { request in
                let lines = try await read(request, "identity") { try $0.beacons(knownBy: $1) }
                return try Reading.answer(["identities": lines])
            },
        ]
    }

    private static let unknown = RouteProblem(.notFound, "There is no such beacon.")

    private func read<Value: Sendable>(
        _ request: RouteRequest, _ name: String,
        _ body: @escaping @Sendable (BeaconHistory, String) throws -> Value
    ) async throws -> Value {
        let text = request.parameters[name] ?? ""
        return try await Blocking.run { [store] in try body(BeaconHistory(store), text) }
    }
}

extension BeaconHistory.Bound {
    fileprivate static let answer: [RouteText.Field] = [
        .always("user", .slug), .always("from_ms", .time),
        .init("to_ms", .time, "Not there while they carry it."),
    ]
}

extension BeaconHistory.Known {
    fileprivate static let answer: [RouteText.Field] = [
        .always("beacon", .slug), .always("identity", .anyText), .always("from_ms", .time),
        .init("to_ms", .time, "Not there while it holds."),
    ]
}
