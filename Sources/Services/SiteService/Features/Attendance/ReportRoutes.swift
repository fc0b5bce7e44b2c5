import Basics
import Foundation
import Permissions
import Reporting
import SiteModel
import SiteStore
import WebServer

/// What can be read of attendance by HTTP alone: reports as files, and calendars with a secret address.
package struct ReportRoutes: Sendable {
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
