import ArgumentParser
import Daemon
import Foundation
import MeshCore
import Reports
import Storage

/// How a verb that shows a table is told to write it.
struct SheetOptions: ParsableArguments {
    /// The forms there are.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case table, csv, json, jsonl
    }

    @Option(help: "How it is written: table, csv, json or jsonl.")
    var format = Form.table

    @Option(help: "The file it is written to, whole or not at all; standard output if not given.")
    var out: String?

    @Flag(help: "CSV: begin with a byte order mark, by which spreadsheet programs know UTF-8.")
    var bom = false

    @Flag(help: "CSV: leave names alone that a spreadsheet program would take for a formula.")
    var raw = false

    /// Writes a sheet. `step` writes what comes next and returns whether there is more.
    func write(_ sheet: Sheet, step: (inout SheetWriter) throws -> Bool) throws {
        let output = try ReportOutput(path: out)
        var writer = SheetWriter(sheet, as: form)
        writer.begin()
        while try step(&writer) { try output.write(writer.take()) }
        writer.end()
        try output.write(writer.take())
        // Widths are known when all rows are, so that a table does not stream.
        if format == .table { try output.write(SheetTable(sheet, writer.rows).text + "\n") }
        try output.finish()
    }

    private var form: SheetWriter.Format {
        switch format {
        case .csv: .csv(mark: bom, raw: raw)
        case .json: .json
        case .jsonl: .lines
        case .table: .cells
        }
    }
}

extension AttendanceVerb {
    /// `attendance report KIND`
    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a report.",
            discussion: """
                Reports: attendance-day, attendance-month, overtime, late-early, time-in-place, \
                present (who is in now), between (who was in between two moments), contacts (who was \
                in a room with whom), twins (tags that come and go together). Days are business \
                days of the site. Lengths are exact unless --round is given.
                """)

        @Argument(help: "Which report.")
        var kind: String

        @Option(help: "The day, 2026-03-29; today if nothing is said.")
        var date: String?

        @Option(help: "The month, 2026-03.")
        var month: String?

        @Option(help: "The first day; of `between` the moment, 2026-03-29 14:30.")
        var from: String?

        @Option(help: "The last day; of `between` the moment.")
        var to: String?

        @Option(help: "Only about this person (u-…).")
        var user: String?

        @Option(help: "How many minutes a contact lasts at least.")
        var least: String?

        @Option(help: "Round lengths to so many minutes.")
        var round: String?

        @Option(help: "Which way: nearest, ceil, floor or none.")
        var rounding: String?

        @OptionGroup var sheet: SheetOptions

        @Option(help: "The site's database.")
        var database: String

        func run() async throws {
            guard let kind = ReportOrder.Kind(rawValue: kind) else {
                let all = ReportOrder.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Exit(
                    code: 64, text: "\(TerminalText.harmless(kind)): no report; one of \(all)")
            }
            let values = [
                "date": date, "month": month, "from": from, "to": to, "user": user,
                "least_min": least, "round_min": round, "rounding": rounding,
            ].compactMapValues(\.self)
            try AttendanceVerb.reporting(on: database) { desk in
                let order = try ReportOrder(
                    kind, values, desk.context.calendar, now: desk.context.now)
                var run = try ReportRun(order, desk)
                try sheet.write(desk.sheet(for: order)) { try run.step(&$0) }
            }
        }
    }

    /// `attendance list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists sessions.")

        /// Sessions read at a time.
        private static let page = 1000

        @Option(help: "Only this person's (u-…).")
        var user: String?

        @Option(help: "The first day, 2026-03-29; today if nothing is said.")
        var from: String?

        @Option(help: "The last day.")
        var to: String?

        @Flag(help: "Only those that somebody should look at.")
        var review = false

        @OptionGroup var sheet: SheetOptions

        @Flag(help: "Print JSON.")
        var json = false

        @Option(help: "The site's database.")
        var database: String

        func run() async throws {
            var sheet = sheet
            if json { sheet.format = .json }
            let values = ["from": from, "to": to, "user": user].compactMapValues(\.self)
            try AttendanceVerb.reporting(on: database) { desk in
                let order = try ReportOrder(
                    .day, values, desk.context.calendar, now: desk.context.now)
                let people = try desk.people(of: order)
                var query = SessionQuery(limit: Self.page)
                query.user = user == nil ? nil : people.first?.user
                query.from = order.asked.from
                query.to = order.asked.to
                query.needsReview = review
                let empty = desk.sheet("sessions", Sheet.Column.sessions, order.asked)
                try sheet.write(empty) { writer in
                    let page = try desk.store.sessions(query)
                    for session in page { writer.row(try desk.cells(session, people)) }
                    query.after = page.last.map { ($0.from, $0.id) }
                    return page.count == query.limit
                }
            }
        }
    }

    /// Opens a site's database for reports; what goes wrong ends the verb.
    static func reporting(on database: String, _ body: (ReportDesk) throws -> Void) throws {
        do {
            let store = try Store(existing: database)
            defer { store.close() }
            try body(try ReportDesk(store, now: AnchoredClock().now))
        } catch let refusal as ReportOrder.Refusal {
            throw Exit(code: 64, text: "\(refusal.code): \(refusal)")
        } catch let error as Exit {
            throw error
        } catch {
            throw Exit(code: 1, text: "\(error)")
        }
    }
}

extension ReportDesk {
    /// A session's line.
    func cells(
        _ session: Session, _ people: [ReportPerson]
    ) throws(StoreError) -> [Sheet.Cell?] {
        let person = people.first { $0.user == session.user }
        return session.cells(
            slug: person?.slug ?? "", name: person?.name ?? "",
            knownThrough: try store.knownThrough(of: session), context)
    }
}
