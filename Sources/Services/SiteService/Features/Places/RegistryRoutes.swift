import Accounts
import Foundation
import JSON
import Permissions
import Records
import Registry
import SiteModel
import SiteStore
import WebServer
import Wire

/// Rooms, stations, nodes, people and beacons, a row at a time; the site file and the policy.
package struct RegistryRoutes: Sendable {
    /// Rows in one answer, unless fewer are asked for, and at most.
    private static let usualLimit = 100
    private static let mostRows = 500

    let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    package var all: [Route] {
        SiteCollection.all.flatMap(rows) + [swap, starter] + site
    }

    private func rows(_ kind: SiteCollection) -> [Route] {
        let path = "/api/v1/\(kind.name)"
        let one = path + "/{id}"
        let more = kind == .users ? " " + Self.whoNeedsAccounts : ""
        return [
            Route(
                .get, path, kind.read, whose: kind.owner.map { .query($0) } ?? .anybody,
                about: RouteText(
                    "All \(kind.name) that are not retired.", query: Self.query(kind),
                    answer: [
                        .always(kind.name, .list(.object(kind.partly))),
                        .always(
                            "next", .anyText, isNullable: true, "The cursor of the next page."),
                    ])
            ) { try await list(kind, $0) },
            Route(
                .get, one, kind.read, whose: kind.owner == "id" ? .path("id") : .anybody,
                about: RouteText(
                    "One \(kind.one), with its ETag.", answer: kind.members, refusals: [.notFound])
            ) { request in
                try await answer(kind, request.parameters["id"] ?? "", to: request)
            },
            Route(
                .post, path, kind.write,
                about: RouteText(
                    "Adds a \(kind.one).", body: kind.sent(id: true), answer: kind.partly,
                    status: 201, refusals: [.alreadyExists])
            ) { request in
                let row = try Self.tree(request)
                return try await edit(.add(kind, row), sending: row, for: request, status: 201)
            },
            Route(
                .put, one, kind.write,
                about: RouteText(
                    "Replaces a \(kind.one), or adds it.", body: kind.sent(id: false),
                    answer: kind.partly, refusals: [.preconditionFailed])
            ) { request in
                let slug = request.parameters["id"] ?? ""
                var row = try Self.tree(request)
                guard row["id"] == nil || row["id"]?.string == slug else {
                    throw RouteProblem(.badRequest, "id: the path says another one.")
                }
                row.set("id", .text(slug))
                return try await edit(.put(kind, row), sending: row, for: request)
            },
            Route(
                .patch, one, kind.write,
                about: RouteText(
                    "Changes members of a \(kind.one); null takes one away.", body: kind.changed,
                    answer: kind.partly, refusals: [.notFound, .preconditionFailed])
            ) { request in
                let slug = request.parameters["id"] ?? ""
                let members = try Self.tree(request)
                return try await edit(
                    .patch(kind, slug, members), sending: members, for: request)
            },
            Route(
                .delete, one, kind.write,
                about: RouteText(
                    "Retires a \(kind.one): history keeps it.\(more)", status: 204, type: nil,
                    refusals: [.notFound, .preconditionFailed])
            ) { request in
                let slug = request.parameters["id"] ?? ""
                if kind == .users { try checkWhoLeaves({ $0 == slug }, request) }
                return try await edit(.retire(kind, slug), for: request) { _ in Reading.nothing }
            },
        ]
    }

    private var swap: Route {
        Route(
            .post, "/api/v1/beacons/swap", .peopleWrite,
            about: RouteText(
                "Two beacons take each other's identity.",
                body: [
                    .init("a", .slug, isNeeded: true), .init("b", .slug, isNeeded: true),
                ], answer: SiteCollection.beacons.partly, refusals: [.notFound])
        ) { request in
            let (a, b) = try Reading.body(request, known: ["a", "b"]) {
                (object, json) throws(PayloadError) in
                (
                    try object.required("a", json).slug(json),
                    try object.required("b", json).slug(json)
                )
            }
            return try await edit(.swap(a, b), sending: .section([]), for: request)
        }
    }

    // MARK: Reading

    private static func query(_ kind: SiteCollection) -> [RouteText.Field] {
        var fields: [RouteText.Field] = [
            .init("id", .slug, "Only this one."),
            .init("q", .text(1...120), "Only what is called so, in part, upper or lower case."),
            .init("sort", .word(["id", kind.label]), "By what; by id if not said."),
            .init("fields", .text(1...200), "Only these members, with commas between them."),
            .init("limit", .integer(1...Int64(mostRows))),
            .init("cursor", .text(1...1024), "`next` of the answer before."),
        ]
        for member in kind.filters {
            fields.append(.init(member.name, .slug, "Only those with this \(member.name)."))
        }
        return fields
    }

    private func list(_ kind: SiteCollection, _ request: RouteRequest) async throws
        -> RouteAnswer
    {
        let asked = try AskedQuery(request, allowed: Self.query(kind).map(\.name))
        var query = SiteRows.Query()
        query.most = Int(
            try asked.number("limit", 1...Int64(Self.mostRows)) ?? Int64(Self.usualLimit))
        let sort = asked.values["sort"] ?? "id"
        guard ["id", kind.label].contains(sort) else {
            throw RouteProblem(.badRequest, "sort: id or \(kind.label).")
        }
        query.isByLabel = sort != "id"
        for member in kind.members.prefix(1) + kind.filters {
            if let value = asked.values[member.name] { query.matching.append((member, value)) }
        }
        query.part = asked.values["q"]
        if let cursor = asked.values["cursor"] {
            guard let bytes = Data(base64Encoded: cursor) else {
                throw RouteProblem(.badRequest, "cursor: what `next` of an answer said expected.")
            }
            query.after = String(decoding: bytes, as: UTF8.self)
        }
        query.onlyOf = request.onlyUser(.peopleRead)
        let fields = try asked.fields(among: kind.members.map(\.name))
        let (rows, next) = try await read { [query] in try SiteRows($0).page(kind, query) }
        let lines = rows.map { Self.sparse($0, fields).json }
        let cursor = next.map { "\"\(Data($0.utf8).base64EncodedString())\"" } ?? "null"
        return .json(
            "{\"\(kind.name)\":[\(lines.joined(separator: ",\n"))],\"next\":\(cursor)}\n")
    }

    private static func sparse(_ row: SiteTree, _ fields: Set<String>?) -> SiteTree {
        guard let fields, case .section(let members) = row else { return row }
        return .section(members.filter { fields.contains($0.key) || $0.key == "id" })
    }

    private func answer(
        _ kind: SiteCollection, _ slug: String, to request: RouteRequest
    ) async throws -> RouteAnswer {
        guard let row = try await read({ try SiteRows($0).row(kind, slug) }),
            Self.shows(row, to: request)
        else { throw RouteProblem(.notFound, "There is no such \(kind.one).") }
        return Self.answer(row, row)
    }

    private static func answer(
        _ row: SiteTree, _ shown: SiteTree, status: Int = 200
    ) -> RouteAnswer {
        RouteAnswer(
            status: status, contentType: "application/json",
            headers: [("ETag", RowEdit.tag(row))],
            body: .bytes(Array((shown.json + "\n").utf8)))
    }

    /// Whether somebody may see a row. A node that a person carries says who that is, and is called so.
    private static func shows(_ row: SiteTree, to request: RouteRequest) -> Bool {
        guard let user = row["user"]?.string else { return true }
        return request.onlyUser(.peopleRead).map { $0 == user } ?? true
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value {
        try await Blocking.run { [store = desk.store] in try body(store) }
    }

    // MARK: Writing

    static func tree(_ request: RouteRequest) throws -> SiteTree {
        guard request.query.isEmpty else {
            throw RouteProblem(.badRequest, "This path takes no query.")
        }
        let json = request.body.span
        do throws(PayloadError) {
            return try SiteTree(JSONObject(document: json, limit: Route.largestBody), json)
        } catch {
            throw ProblemCode.problem("schema", "The body is refused: \(error.words).")
        }
    }

    /// Makes a change, and answers the row as it is now; who may not read it is told what they sent.
    private func edit(
        _ edit: RowEdit, sending sent: SiteTree, for request: RouteRequest, status: Int = 200
    ) async throws -> RouteAnswer {
        try await self.edit(edit, for: request) { rows in
            guard let row = rows.first?.after else { throw RouteProblem(.internal, "No row.") }
            if !Self.shows(row, to: request)
                || edit.kind.map({ request.onlyUser($0.read) != nil }) ?? false,
                case .section(let members) = sent
            {
                return Self.answer(row, Self.sparse(row, Set(members.map(\.key))), status: status)
            }
            return Self.answer(row, row, status: status)
        }
    }

    /// Makes a change. `answer` takes the rows that were asked about; what it throws undoes it.
    func edit(
        _ edit: RowEdit, for request: RouteRequest,
        _ answer: @escaping @Sendable ([RowEdit.Changed]) throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        let tag = edit.isOfOneRow ? request.ifMatch : nil
        let readsPeople = request.onlyUser(.peopleRead) == nil
        return try await desk.perform(
            .edit(edit, ifMatch: tag, readsPeople: readsPeople), for: request
        ) { written, _ in
            let rows = try written.changed
            if edit.kind == .nodes, request.onlyUser(.peopleWrite) != nil {
                for row in rows where row.after?["user"] != nil {
                    guard row.after?["user"] == row.before?["user"] else {
                        throw RouteProblem(
                            .forbidden,
                            "To give a node to somebody you need \(Right.peopleWrite.rawValue).")
                    }
                }
            }
            return try answer(rows)
        }
    }

    /// Makes the site what a document says, if it is of that revision still. `answer` takes the new one.
    func replace(
        _ revision: Int64, by document: SiteDocument, force: Bool = false,
        for request: RouteRequest,
        answering answer: @escaping @Sendable (Int64) throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        let staying = Set(document.users.map(\.slug))
        try checkWhoLeaves({ !staying.contains($0) }, request)
        return try await desk.perform(
            .replaceSite(document, revision: revision, force: force), for: request
        ) { written, _ in try answer(try written.number) }
    }

    /// What `checkWhoLeaves` asks for, for the descriptions of its routes.
    static let whoNeedsAccounts =
        "To retire an owner, manager or auditor needs `\(Right.accounts.rawValue)`, too."

    /// Retiring a person ends their accounts and tokens: of privileged ones that is for those only who may end
    /// these themselves.
    private func checkWhoLeaves(
        _ isLeaving: (String) -> Bool, _ request: RouteRequest
    ) throws(RouteProblem) {
        guard request.onlyUser(.accounts) != nil else { return }
        let now = desk.clock.now
        var privileged: Set<String> = []
        for account in desk.directory.accounts
        where account.role.isPrivileged && account.disabled == nil {
            if let user = account.user { privileged.insert(user) }
        }
        for token in desk.directory.tokens where token.role.isPrivileged && token.isValid(at: now) {
            if let user = token.user { privileged.insert(user) }
        }
        guard let user = privileged.sorted().first(where: isLeaving) else { return }
        throw RouteProblem(
            .forbidden,
            """
            \(user) has an account or token as owner, manager or auditor: to retire them you need \
            \(Right.accounts.rawValue).
            """)
    }
}
