import Foundation
import JSON
import Operations
import Platform
import Records
import Reporting
import SiteModel
import SitePipeline
import SiteStore
import WebServer
import Wire

/// The books over HTTP: corrections and locks, as `beaconmesh attendance` has them.
///
/// Writes go through the loop to the one thread that writes the database: each is one transaction, and
/// is answered after the machines have taken it in and what they made of it is stored.
package struct BooksRoutes: Sendable {
    private let desk: WriteDesk
    private var store: Store { desk.store }

    package init(_ desk: WriteDesk) { self.desk = desk }

    /// Corrections, decisions, locks, and the nodes that are waited for.
    package var all: [Route] {
        let root = "/api/v1/attendance/"
        return [
            Route(
                .get, root + "corrections", .attendanceRead, whose: .query("user"),
                about: RouteText(
                    "Corrections, the newest first, at most 500.",
                    query: [
                        .init("state", .word(CorrectionRow.State.allCases.map(\.rawValue))),
                        .init("user", .slug, "Of whom."),
                    ], answer: CorrectionRow.answer, refusals: [.notFound], isList: true)
            ) { try await list($0) },
            Route(.correct, members: CorrectionRow.asked) { request in
                let change = try Self.change(request)
                try await ownOnly(change.what, request)
                return try await perform(
                    .request(change.what, reason: change.reason), request)
            },
            Route(.decide, members: CorrectionRow.asked) { request in
                try await perform(try Self.decision(request), request)
            },
            Route(.lock, members: LockRow.answer) { request in
                let (date, reason, force, unlocks) = try Self.lock(request)
                let now = desk.clock.now
                let boundary = try await Self.read { [store] in
                    try StatedMoment(site: store, at: now).end(of: date)
                }
                guard let boundary else {
                    throw ProblemCode.problem("bad_request", "through: a date, 2026-03-31.")
                }
                return try await perform(
                    .lock(
                        through: date, boundary: boundary, reason: reason, force: force,
                        unlocks: unlocks), request)
            },
        ] + waiting(root + "waiting")
    }

    /// What nothing becomes final without, and what nobody waits for any longer.
    private func waiting(_ path: String) -> [Route] {
        [
            Route(
                .get, path, .attendanceRead,
                about: RouteText(
                    "How much each node has told, and whether that is waited for.",
                    answer: ToldRow.answer, isList: true)
            ) { request in
                _ = try AskedQuery(request, allowed: [])
                return .json(
                    try await Self.read { [store] in
                        try Self.text(of: try Excuses(store).told())
                    } + "\n")
            },
            Route(
                .post, path + "/{node}/excuse", .decide,
                about: RouteText(
                    "Has nobody wait any longer for what a node has not told.",
                    body: [.init("reason", .text(1...500), isNeeded: true)],
                    answer: ExcuseRow.answer, refusals: Self.refusals)
            ) { request in
                let reason = try Reading.body(request, known: ["reason"]) {
                    (object, json) throws(PayloadError) in
                    try object.required("reason", json).text(json)
                }
                let node = request.parameters["node"] ?? ""
                return try await perform(.excuse(node: node, reason: reason), request)
            },
            Route(
                .delete, path + "/{node}/excuse", .decide,
                about: RouteText(
                    "Has it waited for again.", answer: ExcuseRow.answer, refusals: Self.refusals)
            ) { request in
                let node = request.parameters["node"] ?? ""
                return try await perform(.endExcuse(node: node), request)
            },
        ]
    }

    private static let refusals = Verb.decisions

    /// Lets whoever may ask about themselves only name no session of another person.
    private func ownOnly(_ change: SessionChange, _ request: RouteRequest) async throws {
        guard let own = request.onlyUser(.correct) else { return }
        let session: Int64
        switch change {
        case .add(let user, _, _):
            guard user == own else { throw Self.othersSession }
            return
        case .times(let id, _, _, _), .remove(let id, _), .reviewed(let id, _): session = id
        }
        let owner = try await Self.read { [store] in try Books(store).owner(of: session) }
        guard owner == own else { throw Self.othersSession }
    }

    /// The same for a session there is not, so that nobody learns which there are.
    private static let othersSession = RouteProblem(
        .forbidden, "You may ask about your own sessions only.")

    private func list(_ request: RouteRequest) async throws -> RouteAnswer {
        var state: CorrectionRow.State?
        var slug: String?
        for (name, value) in request.query {
            switch name {
            case "state":
                state = CorrectionRow.State(rawValue: value)
                guard state != nil else {
                    throw ProblemCode.problem(
                        "bad_request", "state: pending, approved, refused or superseded.")
                }
            case "user": slug = value
            default: throw ProblemCode.problem("bad_request", "There is no parameter \(name).")
            }
        }
        let (asked, whose) = (state, slug)
        let text = try await Self.read { [store] in
            var user: UserID?
            if let whose {
                user = try Books(store).userID(whose)
                guard user != nil else {
                    throw ProblemCode.problem("not_found", "There is no such user.")
                }
            }
            return try Self.text(of: try Corrections(store).all(in: asked, of: user))
        }
        return .json(text + "\n")
    }

    /// Done after it is stored, and what follows from it.
    private func perform(_ call: BooksCall, _ request: RouteRequest) async throws -> RouteAnswer {
        try await desk.perform(.books(call), for: request) { written, _ in
            let text: String
            switch try written.outcome {
            case .correction(let row):
                let own = request.onlyUser(.attendanceRead)
                let isReadable = own == nil || own == row.user
                text = try isReadable ? Self.text(of: row) : Self.text(of: Noted(row))
            case .lock(let row): text = try Self.text(of: row)
            case .excuse(let row): text = try Self.text(of: row)
            case .retry(let corrections): text = try Self.text(of: ["corrections": corrections])
            }
            return .json(text + "\n")
        }
    }

    /// What is told of a correction to who may ask for one and not read whose session it is of.
    private struct Noted: Encodable {
        var id: Int64
        var change: CorrectionRow.Kind
        var session: Int64?
        var state: CorrectionRow.State

        init(_ row: CorrectionRow) {
            (id, change, session, state) = (row.id, row.change, row.session, row.state)
        }
    }

    /// What is read, or why it cannot be.
    private static func read<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await Blocking.run { try reporting(body) }
    }

    /// A disk that is full or a database that is locked may be better in a minute.
    private static func reporting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            switch error {
            case .full, .busy: throw ProblemCode.problem("unavailable", error.description)
            default: throw ProblemCode.problem("internal", "The database failed.")
            }
        } catch let error as ReportError {
            throw ProblemCode.problem("unavailable", error.description)
        } catch let error as ZoneError {
            throw ProblemCode.problem("unavailable", "\(error)")
        }
    }

    private static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension BooksRoutes {
    /// `{"change":"times","session":…,"rev":…,"from_ms":…,"to_ms":…,"reason":…}`; `remove` and
    /// `reviewed` without times, `add` with `user` for `session`. `rev` may be missing, `to_ms` null.
    private static func change(
        _ request: RouteRequest
    ) throws -> (what: SessionChange, reason: String) {
        try Reading.body(
            request,
            known: ["change", "session", "rev", "user", "from_ms", "to_ms", "reason"]
        ) { (object, json) throws(PayloadError) in
            let reason = try object.required("reason", json).text(json)
            let kind = try object.required("change", json).choice(
                json, of: CorrectionRow.Kind.self)
            if kind == .add {
                let user = try object.required("user", json).slug(json)
                return (
                    .add(
                        user: user, from: try time("from_ms", object, json),
                        to: try time("to_ms", object, json)), reason
                )
            }
            let session = try object.required("session", json).integer(json)
            let revision = try object.optional("rev", json)?.integer(json, from: 1)
            switch kind {
            case .remove: return (.remove(session, revision: revision), reason)
            case .reviewed: return (.reviewed(session, revision: revision), reason)
            case .times, .add:
                let end = try object.nullable("to_ms", json)?.time(json)
                return (
                    .times(
                        session, revision: revision, from: try time("from_ms", object, json),
                        to: end.map { Timestamp(milliseconds: $0) }), reason
                )
            }
        }
    }

    private static func time(
        _ name: String, _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> Timestamp {
        Timestamp(milliseconds: try object.required(name, json).time(json))
    }

    /// `{"approve":true,"reason":…}`.
    private static func decision(_ request: RouteRequest) throws -> BooksCall {
        guard let id = request.parameters["correction"].flatMap({ Int64($0) }) else {
            throw ProblemCode.problem("not_found", "There is no such correction.")
        }
        return try Reading.body(request, known: ["approve", "reason"]) {
            (object, json) throws(PayloadError) in
            let reason = try object.required("reason", json).text(json)
            return try object.required("approve", json).flag(json)
                ? .approve(id, reason: reason) : .refuse(id, reason: reason)
        }
    }

    /// `{"through":"2026-03-31","reason":…,"force":false,"unlock":false}`; the flags may be missing.
    private static func lock(
        _ request: RouteRequest
    ) throws -> (date: String, reason: String, force: Bool, unlocks: Bool) {
        try Reading.body(request, known: ["through", "reason", "force", "unlock"]) {
            (object, json) throws(PayloadError) in
            (
                date: try object.required("through", json).text(json, limit: 10),
                reason: try object.required("reason", json).text(json),
                force: try object.optional("force", json)?.flag(json) ?? false,
                unlocks: try object.optional("unlock", json)?.flag(json) ?? false
            )
        }
    }
}
