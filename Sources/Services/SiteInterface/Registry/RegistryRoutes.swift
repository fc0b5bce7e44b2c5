import Accounts
import Descriptions
import Foundation
import JSON
import Permissions
import ReadRoutes
import Records
import Registry
import SiteModel
import SiteStore
import SiteWriting
import WebServer
import Wire

/// Rooms, stations, nodes, people and beacons, a row at a time; the site file and the policy.
package struct RegistryRoutes: Sendable {
    /// Rows in one answer, unless fewer are asked for, and at most.
    private static let usualLimit = 100
    private static let mostRows = 500

    let desk: WriteDesk
    /// Each change is made of what the one before it left.
    private let turns = Turns<String>()

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
                    status: 201,
                    refusals: [.alreadyExists, .revisionConflict])
            ) { request in
                let tree = try Self.row(kind, request)
                let slug = tree["id"]?.string ?? ""
                return try await edit(request) { (edit) throws(RegistryEdit.Fault) in
                    try edit.add(kind, tree)
                } answering: {
                    try Self.written($0, kind, slug, tree, for: request, status: 201)
                }
            },
            Route(
                .put, one, kind.write,
                about: RouteText(
                    "Replaces a \(kind.one), or adds it.", body: kind.sent(id: false),
                    answer: kind.partly,
                    refusals: [.preconditionFailed, .revisionConflict])
            ) { request in
                let slug = request.parameters["id"] ?? ""
                var tree = try Self.row(kind, request)
                guard tree["id"] == nil || tree["id"]?.string == slug else {
                    throw RouteProblem(.badRequest, "id: the path says another one.")
                }
                tree.set("id", .text(slug))
                let changed = tree
                return try await edit(request, of: kind, slug) {
                    (edit) throws(RegistryEdit.Fault) in
                    try edit.put(kind, changed, ifMatch: nil)
                } answering: {
                    try Self.written($0, kind, slug, changed, for: request)
                }
            },
            Route(
                .patch, one, kind.write,
                about: RouteText(
                    "Changes members of a \(kind.one); null takes one away.", body: kind.changed,
                    answer: kind.partly,
                    refusals: [.notFound, .preconditionFailed, .revisionConflict])
            ) { request in
                let slug = request.parameters["id"] ?? ""
                let tree = try Self.row(kind, request)
                return try await edit(request, of: kind, slug) {
                    (edit) throws(RegistryEdit.Fault) in
                    try edit.patch(kind, slug, tree, ifMatch: nil)
                } answering: {
                    try Self.written($0, kind, slug, tree, for: request)
                }
            },
            Route(
                .delete, one, kind.write,
                about: RouteText(
                    "Retires a \(kind.one): history keeps it.\(more)", status: 204, type: nil,
                    refusals: [.notFound, .preconditionFailed, .revisionConflict])
            ) { request in
                let slug = request.parameters["id"] ?? ""
                return try await edit(request) { (edit) throws(RegistryEdit.Fault) in
                    try edit.retire(kind, slug, ifMatch: request.ifMatch)
                } answering: { _ in
                    Reading.nothing
                }
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
                ], answer: SiteCollection.beacons.partly,
                refusals: [.notFound, .revisionConflict])
        ) { request in
            let (a, b) = try Reading.body(request, known: ["a", "b"]) {
                (object, json) throws(PayloadError) in
                (
                    try object.required("a", json).slug(json),
                    try object.required("b", json).slug(json)
                )
            }
            return try await edit(request) { (edit) throws(RegistryEdit.Fault) in
                try edit.swap(a, b)
            } answering: {
                try Self.written($0, .beacons, a, .section([]), for: request)
            }
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
            .init("cursor", .text(1...128), "`next` of the answer before."),
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
        let limit = Int(
            try asked.number("limit", 1...Int64(Self.mostRows)) ?? Int64(Self.usualLimit))
        let sort = asked.values["sort"] ?? "id"
        guard ["id", kind.label].contains(sort) else {
            throw RouteProblem(.badRequest, "sort: id or \(kind.label).")
        }
        func key(_ row: SiteTree) -> String {
            (sort == "id" ? "" : (row[sort]?.string ?? "").lowercased() + "\n")
                + (row["id"]?.string ?? "")
        }
        var rows = try await current().edit.rows(kind).filter { Self.shows($0, to: request) }
        for name in ["id"] + kind.filters.map(\.name) {
            guard let value = asked.values[name] else { continue }
            rows.removeAll { $0[name]?.string != value }
        }
        if let part = asked.values["q"]?.lowercased() {
            rows.removeAll { !($0[kind.label]?.string ?? "").lowercased().contains(part) }
        }
        var keyed = rows.map { (key: key($0), row: $0) }.sorted { $0.key < $1.key }
        if let cursor = asked.values["cursor"] {
            guard let bytes = Data(base64Encoded: cursor) else {
                throw RouteProblem(.badRequest, "cursor: what `next` of an answer said expected.")
            }
            let last = String(decoding: bytes, as: UTF8.self)
            keyed.removeAll { $0.key <= last }
        }
        let page = keyed.prefix(limit)
        let next =
            keyed.count > limit ? page.last.map { Data($0.key.utf8).base64EncodedString() } : nil
        let fields = try asked.fields(among: kind.members.map(\.name))
        let lines = page.map { Self.sparse($0.row, fields).json }
        return .json(
            "{\"\(kind.name)\":[\(lines.joined(separator: ",\n"))],"
                + "\"next\":\(next.map { "\"\($0)\"" } ?? "null")}\n")
    }

    private static func sparse(_ row: SiteTree, _ fields: Set<String>?) -> SiteTree {
        guard let fields, case .section(let members) = row else { return row }
        return .section(members.filter { fields.contains($0.key) || $0.key == "id" })
    }

    private func answer(
        _ kind: SiteCollection, _ slug: String, to request: RouteRequest
    ) async throws -> RouteAnswer {
        guard let row = try await current().edit.row(kind, slug), Self.shows(row, to: request)
        else { throw Self.unknown(kind.one) }
        return RouteAnswer(
            contentType: "application/json",
            headers: [("ETag", RegistryEdit.tag(row))],
            body: .bytes(Array((row.json + "\n").utf8)))
    }

    /// The row after a write; who may not read it is told what they wrote.
    private static func written(
        _ edit: RegistryEdit, _ kind: SiteCollection, _ slug: String, _ told: SiteTree,
        for request: RouteRequest, status: Int = 200
    ) throws -> RouteAnswer {
        guard let row = edit.row(kind, slug) else {
            throw Self.unknown(kind.one)
        }
        var shown = row
        if request.onlyUser(kind.read) != nil
            || !Self.shows(row, to: request),
            case .section(let members) = told
        {
            shown = Self.sparse(row, Set(members.map(\.key)))
        }
        return RouteAnswer(
            status: status, contentType: "application/json",
            headers: [("ETag", RegistryEdit.tag(row))],
            body: .bytes(Array((shown.json + "\n").utf8)))
    }

    /// Whether somebody may see a row. A node that a person carries says who that is, and is called so.
    private static func shows(_ row: SiteTree, to request: RouteRequest) -> Bool {
        guard let user = row["user"]?.string else { return true }
        return request.onlyUser(.peopleRead).map { $0 == user } ?? true
    }

    private static func unknown(_ what: String) -> RouteProblem {
        RouteProblem(.notFound, "There is no such \(what).")
    }

    func current() async throws -> (edit: RegistryEdit, revision: Int64) {
        try await Blocking.run { [store = desk.store] in try Self.current(store) }
    }

    private static func current(
        _ store: Store
    ) throws -> (edit: RegistryEdit, revision: Int64) {
        guard let (document, revision) = try SiteImport(store).current() else {
            throw RouteProblem(.unavailable, "The database holds no site.")
        }
        return (RegistryEdit(document), revision)
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value {
        try await Blocking.run { [store = desk.store] in try body(store) }
    }

    // MARK: Writing

    /// A row, or members of one, as it was sent: what cannot be is refused whatever the row is by now.
    private static func row(_ kind: SiteCollection, _ request: RouteRequest) throws -> SiteTree {
        let row = try tree(request)
        if let fault = kind.fault(in: row) { throw RouteProblem(.schema, "\(fault).") }
        return row
    }

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

    /// Makes a change of the newest revision, one after the other, and tries again if somebody beside the server was
    /// quicker.
    ///
    /// With `If-Match` the row of a kind, if it is about one, must be that one still. That is looked at last: what
    /// can never be is refused whatever the row is by now.
    func edit(
        _ request: RouteRequest, of kind: SiteCollection? = nil, _ slug: String = "",
        _ change: (inout RegistryEdit) throws(RegistryEdit.Fault) -> Void,
        answering answer: @escaping @Sendable (RegistryEdit) throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        try await turns.inTurn("site") {
            for _ in 0..<5 {
                let (before, revision) = try await current()
                let document: SiteDocument
                var edit = before
                do throws(RegistryEdit.Fault) {
                    try change(&edit)
                    document = try edit.document()
                    if let kind, let tag = request.ifMatch {
                        try before.check(kind, slug, tag)
                    }
                } catch {
                    throw Self.problem(error)
                }
                guard
                    edit.carriers.isSubset(of: before.carriers)
                        || request.onlyUser(.peopleWrite) == nil
                else {
                    throw RouteProblem(
                        .forbidden,
                        "To give a node to somebody you need \(Right.peopleWrite.rawValue).")
                }
                do {
                    // In the form in which it will be read.
                    let made = RegistryEdit(document)
                    return try await replace(revision, by: document, for: request) { _ in
                        try answer(made)
                    }
                } catch let problem as RouteProblem where problem.code == .revisionConflict {
                    continue
                }
            }
            throw RouteProblem(
                .revisionConflict, "Others change the site all the time. Try again.")
        }
    }

    /// Makes the site what a document says, if it is of that revision still. `answer` takes the new one.
    func replace(
        _ revision: Int64, by document: SiteDocument, force: Bool = false,
        for request: RouteRequest,
        answering answer: @escaping @Sendable (Int64) throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        try checkWhoLeaves(document, request)
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
        _ document: SiteDocument, _ request: RouteRequest
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
        guard !privileged.isEmpty else { return }
        let leaving = privileged.subtracting(document.users.map(\.slug)).sorted()
        guard let user = leaving.first else { return }
        throw RouteProblem(
            .forbidden,
            """
            \(user) has an account or token as owner, manager or auditor: to retire them you need \
            \(Right.accounts.rawValue).
            """)
    }

    static func problem(_ fault: RegistryEdit.Fault) -> RouteProblem {
        switch fault {
        case .notFound(let what): RouteProblem(.notFound, "There is no \(AskedQuery.shown(what)).")
        case .alreadyExists(let what):
            RouteProblem(.alreadyExists, "There is a \(AskedQuery.shown(what)) already.")
        case .changed:
            RouteProblem(
                .preconditionFailed, "It has changed since, or is not there: read it again.")
        case .refused(let text): RouteProblem(.schema, "The site would be wrong: \(text).")
        }
    }
}
