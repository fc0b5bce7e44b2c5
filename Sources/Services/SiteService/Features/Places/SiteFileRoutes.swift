import JSON
import Records
import Registry
import SiteModel
import WebServer
import Wire

/// The whole site as its file.
package struct SiteFileRoutes: Sendable {
    private let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    /// Replaces everything at once, as an import does.
    private var importing: Route {
        var route = Route(
            .put, "/api/v1/site.yaml", .peopleWrite, longestBody: SiteFile.largest,
            about: RouteText(
                "Replaces the whole site by a file; its ETag is the new revision. "
                    + "What is not of people needs `places.write`, too. "
                    + Operation.whoNeedsAccounts,
                query: [
                    .init(
                        "force", .word(["true", "false"]),
                        "Also where locked days change, which the audit says.")
                ], status: 204, type: nil,
                refusals: [.preconditionFailed, .revisionConflict, .lockedPeriod])
        ) { request in
            let force = try AskedQuery(request, allowed: ["force"]).values["force"] == "true"
            let document = try await Blocking.run {
                try Self.document(String(decoding: request.body, as: UTF8.self))
            }
            let (tree, revision) = try await file()
            try Self.check(SiteFileWriter(document).partsChanged(from: tree), request)
            guard request.ifMatch.map({ $0 == "*" || $0 == "\"\(revision)\"" }) ?? true else {
                throw RouteProblem(BooksRefusal.changed)
            }
            return try await replace(revision, by: document, force: force, for: request) { made in
                RouteAnswer(
                    status: 204, contentType: nil, headers: [("ETag", "\"\(made)\"")],
                    body: .bytes([]))
            }
        }
        route.takes = "application/yaml"
        return route
    }

    /// Asks for the right of each part that a file changes, besides the route's own.
    private static func check(
        _ changed: [SiteCollection?], _ request: RouteRequest
    ) throws(RouteProblem) {
        for kind in changed {
            let right = kind?.write ?? .placesWrite
            guard request.onlyUser(right) == nil else {
                throw RouteProblem(
                    .forbidden,
                    "The file changes \(kind?.name ?? "settings"), for which you need \(right.rawValue)."
                )
            }
        }
    }

    private static func document(_ text: String) throws(RouteProblem) -> SiteDocument {
        do {
            return try SiteFile(text: text, named: "site.yaml").document
        } catch {
            let faults = error.faults.prefix(8).map { "\($0)" }.joined(separator: "; ")
            throw RouteProblem(
                .schema, "The file is refused: \(AskedQuery.shown(faults, most: 1000)).")
        }
    }

    private func file() async throws -> (tree: SiteTree, revision: Int64) {
        let file = try await Blocking.run { [store = desk.store] in try SiteRows(store).file() }
        guard let file else { throw RouteProblem(BooksRefusal.noSite) }
        return file
    }

    /// Makes the site what a document says, if it is of that revision still. `answer` takes the new one.
    private func replace(
        _ revision: Int64, by document: SiteDocument, force: Bool, for request: RouteRequest,
        answering answer: @escaping @Sendable (Int64) throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        let staying = Set(document.users.map(\.slug))
        let caller = request.caller.at(desk.clock.now)
        try await WriteDesk.refusing { [store = desk.store] in
            try await Blocking.run {
                try Operation.refuse({ !staying.contains($0) }, toLeaveBy: caller, in: store)
            }
        }
        return try await desk.perform(
            .replaceSite(document, revision: revision, force: force), for: request
        ) { written, _ in try answer(try written.number) }
    }

    package var all: [Route] {
        [
            importing,
            Route(
                .get, "/api/v1/site.yaml", .peopleRead,
                about: RouteText(
                    "The whole site as the file that makes it; its ETag is the revision.",
                    type: "application/yaml")
            ) { _ in
                let (tree, revision) = try await file()
                return RouteAnswer(
                    contentType: "application/yaml", headers: [("ETag", "\"\(revision)\"")],
                    body: .bytes(Array(tree.file.utf8)))
            },
        ]
    }
}
