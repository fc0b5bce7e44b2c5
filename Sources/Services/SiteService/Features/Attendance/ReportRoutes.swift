import Basics
import Foundation
import Permissions
import Reporting
import SiteModel
import SiteStore
import WebServer

/// What can be read of attendance by HTTP: sessions, reports, and calendars with a secret address.
package struct ReportRoutes: Sendable {
    /// Sessions in one answer, unless fewer are asked for, and at most.
    static let usualLimit = 100
    static let mostSessions = 500

    private let store: Store
    private let now: @Sendable () -> Timestamp

    /// Routes that read a site's database.
    package init(store: Store, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
    }

    package var all: [Route] {
        [
            Route(
                .get, "/api/v1/attendance/sessions", .attendanceRead, whose: .query("user"),
                about: RouteText(
                    "Sessions of attendance, newest first; what is not known yet is null.",
                    query: [
                        .init("user", .slug, "Whose."), .init("from", .date), .init("to", .date),
                        .init("review", .word(["true", "false"]), "Whether they need a look."),
                        .init("cursor", .text(1...64), "`next` of the answer before."),
                        .init("limit", .integer(1...Int64(Self.mostSessions))),
                    ], answer: Sheet.sessionsAnswer, refusals: [.notFound, .badTime])
            ) { try await sessions($0) },
            Route(
                .get, "/api/v1/reports/{report}", .reports, whose: .query("user"),
                about: RouteText(
                    "A report: its name, with .json, .jsonl or .csv.",
                    query: ReportOrder.parameters.map { .init($0, .text(1...200)) } + [
                        .init("format", .word(["json", "jsonl", "csv"])),
                        .init("bom", .word(["0", "1"]), "CSV for a spreadsheet on Windows."),
                        .init("raw", .word(["0", "1"]), "Cells as they are, also formulas."),
                        .init("separator", .word(["comma", "semicolon", "tab"])),
                    ], answer: Sheet.answer, refusals: [.notFound, .badTime])
            ) { try await report($0) },
            Route(
                .get, "/feeds/{secret}", nil, isSecret: true,
                about: RouteText("A calendar; the path holds its secret.", type: "text/calendar")
            ) { try await feed($0) },
        ]
    }

    // MARK: Sessions

    private func sessions(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(
            request, allowed: ["user", "from", "to", "review", "cursor", "limit"])
        return try await reading { mailbox in
            let limit =
                try asked.values["limit"].map { text throws(ReportOrder.Refusal) in
                    try ReportOrder.number(text, "limit", 1...Self.mostSessions)
                } ?? Self.usualLimit
            // One more than asked for tells whether there are more.
            var query = SessionQuery(limit: limit + 1)
            query.isNewestFirst = true
            let people = try ReportRows(mailbox.store).people()
            if let user = asked.values["user"] {
                guard let person = people.first(where: { $0.slug == user }) else {
                    throw ReportOrder.Refusal(
                        code: .notFound, parameter: "user", reason: "nobody has this id")
                }
                query.user = person.user
            }
            try Self.read(asked, into: &query, mailbox)
            var page = try ReportRows(mailbox.store).sessions(query)
            let hasMore = page.count > limit
            page = Array(page.prefix(limit))
            let sheet = mailbox.sheet(
                "sessions", Sheet.Column.sessions,
                Interval(
                    from: query.from ?? mailbox.context.now,
                    to: max(
                        query.from ?? mailbox.context.now, query.to ?? mailbox.context.now)))
            let rows = try page.map {
                RowText.object(try mailbox.cells($0, people), of: sheet, hasNulls: true)
            }
            let next = hasMore ? page.last.map { "\"\($0.from.milliseconds)-\($0.id)\"" } : nil
            return .json(
                "{\"sessions\":[\(rows.joined(separator: ",\n"))],"
                    + "\"demo\":\(mailbox.site.isDemo),\"next\":\(next ?? "null")}\n")
        }
    }

    private static func read(
        _ asked: AskedQuery, into query: inout SessionQuery, _ mailbox: ReportDesk
    ) throws(ReportOrder.Refusal) {
        let calendar = mailbox.context.calendar
        func day(_ name: String) throws(ReportOrder.Refusal) -> Interval? {
            guard let text = asked.values[name] else { return nil }
            guard let date = LocalDate(text) else {
                throw ReportOrder.Refusal(
                    parameter: name, reason: "a date like 2026-03-29 expected")
            }
            return calendar.bounds(of: date)
        }
        query.from = try day("from")?.from
        query.to = try day("to")?.to
        if let from = query.from, let to = query.to, to <= from {
            throw ReportOrder.Refusal(code: .badTime, parameter: "to", reason: "is before from")
        }
        if let review = asked.values["review"] {
            guard ["true", "false"].contains(review) else {
                throw ReportOrder.Refusal(parameter: "review", reason: "true or false expected")
            }
            query.needsReview = review == "true"
        }
        if let cursor = asked.values["cursor"] {
            let parts = cursor.split(separator: "-").map { Int64($0) }
            guard parts.count == 2, let from = parts[0], let id = parts[1] else {
                throw ReportOrder.Refusal(
                    parameter: "cursor", reason: "what `next` of an answer said expected")
            }
            query.after = (Timestamp(milliseconds: from), id)
        }
    }

    // MARK: Reports

    private func report(_ request: RouteRequest) async throws -> RouteAnswer {
        let parts = (request.parameters["report"] ?? "").split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let kind = ReportOrder.Kind(rawValue: String(first)) else {
            let all = ReportOrder.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw RouteProblem(.notFound, "There is no such report. There are \(all).")
        }
        // Also about oneself these tell of others.
        guard request.onlyUser(.reports) == nil || ![.contacts, .twins].contains(kind) else {
            throw RouteProblem(.forbidden, "This report names other people.")
        }
        let asked = try AskedQuery(
            request, allowed: ReportOrder.parameters + ["format", "bom", "raw", "separator"])
        let form = parts.count > 1 ? String(parts[1]) : asked.values["format"] ?? "json"
        let format: SheetWriter.Format
        let type: String
        switch form {
        case "csv":
            guard let separator = CSVText.Separator(named: asked.values["separator"] ?? "comma")
            else {
                throw RouteProblem(
                    .badRequest, "separator: comma, semicolon or tab expected.")
            }
            format = .csv(
                mark: asked.values["bom"] == "1", raw: asked.values["raw"] == "1",
                separator: separator)
            type = "text/csv; charset=utf-8; header=present"
        case "json": (format, type) = (.json, "application/json")
        case "jsonl": (format, type) = (.lines, "application/x-ndjson")
        default:
            throw RouteProblem(
                parts.count > 1 ? .notFound : .badRequest,
                "A report is written as csv, json or jsonl.")
        }
        let (mailbox, order, run) = try await reading { mailbox in
            let order = try ReportOrder(
                kind, asked.values, mailbox.context.calendar, now: mailbox.context.now)
            return (mailbox, order, try ReportRun(order, mailbox))
        }
        let sheet = mailbox.sheet(for: order)
        let name = "\(kind.rawValue)-\(order.days.lowerBound).\(form)"
        return RouteAnswer(
            contentType: type,
            headers: [("Content-Disposition", "attachment; filename=\"\(name)\"")],
            body: .stream { write in
                var stage = Stage(run: run, writer: SheetWriter(sheet, as: format))
                stage.writer.begin()
                while !stage.isDone {
                    let last = stage
                    stage = try await Blocking.run { try last.next() }
                    try await write(Array(stage.writer.take().utf8)[...])
                }
            })
    }

    /// Where a report stands between two pieces of its text.
    private struct Stage: Sendable {
        var run: ReportRun
        var writer: SheetWriter
        var isDone = false

        /// After the next person.
        func next() throws -> Stage {
            var stage = self
            stage.isDone = !(try stage.run.step(&stage.writer))
            if stage.isDone { stage.writer.end() }
            return stage
        }
    }

    // MARK: Calendars

    private func feed(_ request: RouteRequest) async throws -> RouteAnswer {
        let unknown = RouteProblem(.notFound, "There is nothing at this path.")
        let file = request.parameters["secret"] ?? ""
        guard file.hasSuffix(".ics"), request.query.isEmpty else { throw unknown }
        let hash = FeedText.hash(of: String(file.dropLast(4)))
        return try await reading { mailbox in
            guard let feed = try Feeds(mailbox.store).feed(hash: hash) else { throw unknown }
            return RouteAnswer(
                contentType: "text/calendar; charset=utf-8",
                body: .bytes(Array(try FeedText.text(of: feed, mailbox).utf8)))
        }
    }

    /// Reads from the database away from the server's threads; refusals become problems.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (ReportDesk) throws -> Value
    ) async throws -> Value {
        let (store, now) = (store, now())
        do {
            return try await Blocking.run { try body(try ReportDesk(store, now: now)) }
        } catch let refusal as any Refusing {
            throw RouteProblem(refusal)
        }
    }
}
