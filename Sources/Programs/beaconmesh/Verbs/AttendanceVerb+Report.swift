import ArgumentParser
import Basics
import Foundation
import Reporting
import SiteModel
import SiteStore
import Platform
import SiteClient

/// How a verb that writes CSV is told what stands between cells.
struct SeparatorOptions: ParsableArguments {
    @Option(
        help: """
            CSV: what stands between cells: comma, tab, or semicolon with decimal commas, as \
            spreadsheet programs of many countries expect.
            """,
        transform: SeparatorOptions.read)
    var separator = CSVText.Separator.comma

    @Sendable private static func read(_ text: String) throws -> CSVText.Separator {
        guard let separator = CSVText.Separator(named: text) else {
            throw ValidationError("--separator: comma, semicolon or tab")
        }
        return separator
    }
}

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

    @OptionGroup var separator: SeparatorOptions

    @OptionGroup var times: TimeOptions

    /// Writes a sheet. `step` writes what comes next and returns whether there is more.
    func write(
        _ sheet: Sheet, of desk: ReportDesk, step: (inout SheetWriter) throws -> Bool
    ) throws {
        let output = try ReportOutput(path: out)
        var writer = SheetWriter(sheet, as: form)
        writer.begin()
        while try step(&writer) { try output.write(writer.take()) }
        writer.end()
        try output.write(writer.take())
        // Widths are known when all rows are, so that a table does not stream.
        if format == .table {
            let clock = try times.clock(of: desk.store, at: sheet.asked.from)
            try output.write(SheetTable(sheet, writer.rows, clock).text + "\n")
        }
        try output.finish()
    }

    private var form: SheetWriter.Format {
        switch format {
        case .csv: .csv(mark: bom, raw: raw, separator: separator.separator)
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
                stays (where somebody was from when until when), present (who is in now), between (who was in between two moments), contacts (who was \
                in a room with whom), twins (tags that come and go together), usual-day (how many \
                are in, and usually are). Days are business \
                days of the site. Lengths are exact unless --round is given.

                beaconmesh attendance report attendance-day --date 2026-03-29
                beaconmesh attendance report attendance-month --month 2026-03 --user "Paul R."
                beaconmesh attendance report attendance-month --month 2026-03 --format csv --bom \
                --separator semicolon --out march.csv
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

        @Option(help: "Only about this person: their id (u-…) or their name.")
        var user: String?

        @Option(help: "How many minutes a contact lasts at least.")
        var least: String?

        @Option(help: "Round lengths to so many minutes.")
        var round: String?

        @Option(help: "Which way: nearest, ceil, floor or none.")
        var rounding: String?

        @OptionGroup var sheet: SheetOptions

        @OptionGroup var place: DatabaseOptions

        func run() async throws {
            guard let kind = ReportOrder.Kind(rawValue: kind) else {
                let all = ReportOrder.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Exit(
                    code: 64, text: "\(TerminalText.harmless(kind)): no report; one of \(all)")
            }
            try AttendanceVerb.reporting(on: place) { desk in
                let values = [
                    "date": date, "month": month, "from": from, "to": to,
                    "user": try user.map { try NameResolver.person($0, in: desk.store).slug },
                    "least_min": least,
                    "round_min": round, "rounding": rounding,
                ].compactMapValues(\.self)
                let order = try ReportOrder(
                    kind, values, desk.context.calendar, now: desk.context.now)
                var run = try ReportRun(order, desk)
                try sheet.write(desk.sheet(for: order), of: desk) { try run.step(&$0) }
            }
        }
    }

    /// `attendance list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists sessions.",
            discussion: """
                beaconmesh attendance list --from 2026-03-01 --to 2026-03-31 --user "Paul R."
                beaconmesh attendance list --review
                """)

        /// Sessions read at a time.
        private static let page = 1000

        @Option(help: "Only this person's: their id (u-…) or their name.")
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

        @OptionGroup var place: DatabaseOptions

        func run() async throws {
            var sheet = sheet
            if json { sheet.format = .json }
            try AttendanceVerb.reporting(on: place) { desk in
                let values = [
                    "from": from, "to": to,
                    "user": try user.map { try NameResolver.person($0, in: desk.store).slug },
                ].compactMapValues(\.self)
                let order = try ReportOrder(
                    .day, values, desk.context.calendar, now: desk.context.now)
                let people = try desk.people(of: order)
                var query = SessionQuery(limit: Self.page)
                query.user = user == nil ? nil : people.first?.user
                query.from = order.asked.from
                query.to = order.asked.to
                query.needsReview = review
                let empty = desk.sheet("sessions", Sheet.Column.sessions, order.asked)
                try sheet.write(empty, of: desk) { writer in
                    let page = try ReportRows(desk.store).sessions(query)
                    for session in page { writer.row(try desk.cells(session, people)) }
                    query.after = page.last.map { ($0.from, $0.id) }
                    return page.count == query.limit
                }
            }
        }
    }

    /// Opens a site's database for reports; what goes wrong ends the verb.
    static func reporting(on place: DatabaseOptions, _ body: (ReportDesk) throws -> Void) throws {
        do {
            try place.read { try body(try ReportDesk($0, now: AnchoredClock().now)) }
        } catch let refusal as ReportOrder.Refusal {
            throw Exit(code: refusal.code == .notFound ? 3 : 64, text: refusal.description)
        } catch let error as Exit {
            throw error
        } catch {
            throw Exit(code: 1, text: "\(error)")
        }
    }
}
