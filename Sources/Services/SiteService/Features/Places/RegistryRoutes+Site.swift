import JSON
import Records
import Registry
import SiteModel
import WebServer
import Wire

/// The site as a whole: its file, itself, and the policy.
extension RegistryRoutes {
    /// Replaces everything at once, as an import does.
    private var importing: Route {
        var route = Route(
            .put, "/api/v1/site.yaml", .peopleWrite, longestBody: SiteFile.largest,
            about: RouteText(
                "Replaces the whole site by a file; its ETag is the new revision. "
                    + "What is not of people needs `places.write`, too. " + Self.whoNeedsAccounts,
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

    private static let noSite = RouteProblem(.unavailable, "The database holds no site.")

    private func file() async throws -> (tree: SiteTree, revision: Int64) {
        guard let file = try await read({ try SiteRows($0).file() }) else { throw Self.noSite }
        return file
    }

    var site: [Route] {
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
            Route(
                .get, "/api/v1/site", .placesRead, whose: .each,
                about: RouteText(
                    "The site itself, and its revision.", answer: SiteRows.siteAnswer)
            ) { _ in
                guard let (site, revision) = try await read({ try SiteRows($0).site() }) else {
                    throw Self.noSite
                }
                var tree = site
                tree.set("revision", .scalar("\(revision)"))
                return .json(tree.json + "\n")
            },
            Route(
                .get, "/api/v1/policy", .placesRead, whose: .each,
                about: RouteText(
                    "How the site decides, with its ETag.", answer: SiteRows.policyAnswer)
            ) { _ in
                let policy = try await read { try SiteRows($0).policy() }
                return RouteAnswer(
                    contentType: "application/json", headers: [("ETag", RowEdit.tag(policy))],
                    body: .bytes(Array((policy.json + "\n").utf8)))
            },
            Route(
                .put, "/api/v1/policy", .placesWrite,
                about: RouteText(
                    "Replaces how the site decides; what is left out has its default.",
                    body: [.init("(members)", .value, "As in the site file.")],
                    answer: SiteRows.policyAnswer, refusals: [.preconditionFailed])
            ) { request in
                try await edit(.policy(try Self.tree(request)), for: request) { changed in
                    .json((changed.first?.after ?? .null).json + "\n")
                }
            },
        ]
    }

    var starter: Route {
        Route(
            .post, "/api/v1/exercises/starter", SiteCollection.exercises.write,
            about: RouteText(
                "Adds the forty exercises that come with the program; none that is there changes.",
                answer: [.always("exercises", .count, "How many there are now.")])
        ) { request in
            _ = try Reading.body(request, known: []) { (_, _) throws(PayloadError) in }
            return try await desk.perform(.edit(.addStarter), for: request) { _, store in
                let count = try SiteRows(store).labels(.exercises).count
                return .json("{\"exercises\":\(count)}\n")
            }
        }
    }
}
