import Basics
import Foundation
import Reporting
import Simulation
import SiteModel
import SiteStore

/// What came of a simulated month.
struct MonthReport: ScenarioReport, Equatable {
    /// How many sessions were computed anew from stored evidence, by site.
    struct Rebuilt: Codable, Equatable {
        var site: String
        var same: Int
        var differences: [String]
    }

    var people: Int
    var days: Int
    var seed: UInt64
    /// How often each kind of trouble came, at both sites together.
    var troubles: [String: Int]
    var sessions: Int
    /// Against the truth.
    var judgement: MonthJudgement
    /// Sessions that are the same, to the second, without anything going wrong but the power.
    var sameUndisturbed: Int
    /// How the others differ, a line each.
    var differences: [String]
    var rebuilt: [Rebuilt]
    /// By site.
    var sheets: [MonthSheets]
    /// What is wrong with the audits; nothing should be.
    var auditFaults: [String]
    var counts: MonthRun.Counts

    /// Runs a month twice, with databases in `folder`.
    init(
        _ options: MonthRun.Options, in folder: String,
        progress: (String, Double) -> Void = { _, _ in }
    ) throws {
        let run = MonthRun(options)
        let disturbed = try run.run(isDisturbed: true, in: folder) { progress("month", $0) }
        let calm = try run.run(isDisturbed: false, in: folder) { progress("undisturbed", $0) }
        people = options.people
        days = options.days
        seed = options.seed
        troubles = Dictionary(grouping: run.trouble.spells, by: \.kind.rawValue).mapValues(\.count)
        sessions = disturbed.sessions.reduce(0) { $0 + $1.count }
        judgement = MonthJudgement(
            run.life, trouble: run.trouble, sessions: disturbed.sessions, users: disturbed.users,
            mergeGap: AttendancePolicy().mergeGap)
        (sameUndisturbed, differences) = Self.compare(disturbed.sessions, calm.sessions)
        rebuilt = zip(MonthLife.sites, disturbed.rebuilt).map {
            Rebuilt(site: $0, same: $1.same, differences: $1.differences)
        }
        sheets = disturbed.sheets
        auditFaults = disturbed.faults
        counts = disturbed.counts
    }

    /// Compares what is said of sessions, whatever their rows and revisions.
    private static func compare(
        _ disturbed: [[Session]], _ calm: [[Session]]
    ) -> (same: Int, differences: [String]) {
        var same = 0
        var lines: [String] = []
        for site in MonthLife.sites.indices {
            func plain(_ sessions: [Session]) -> [Session] {
                sessions.map { session in
                    var session = session
                    (session.id, session.revision) = (0, 0)
                    return session
                }.sorted { ($0.user, $0.from) < ($1.user, $1.from) }
            }
            let (here, there) = (plain(disturbed[site]), plain(calm[site]))
            let known = Set(there.map(\.line))
            let found = Set(here.map(\.line))
            same += here.filter { known.contains($0.line) }.count
            let name = MonthLife.sites[site]
            lines += here.filter { !known.contains($0.line) }.map { "\(name) only so: \($0.line)" }
            lines += there.filter { !found.contains($0.line) }
                .map { "\(name) only undisturbed: \($0.line)" }
        }
        return (same, lines)
    }

    /// For people.
    var text: String {
        var table = TextTable([
            "visits", "number", "lost", "split", "merged", "begin s", "end s", "length s",
            "> 120 s", "unflagged",
        ])
        for (name, part) in [("heard", judgement.heard), ("power lost", judgement.unheard)] {
            table.add(
                [name, "\(part.visits)", "\(part.lost)", "\(part.split)", "\(part.merged)"]
                    + [part.begin, part.end, part.length].map(Self.text)
                    + ["\(part.wrong)", "\(part.unflagged)"])
        }
        let kinds = troubles.keys.sorted().map { "\(troubles[$0] ?? 0) × \($0)" }
        let hours = String(
            format: "hours: %.2f in truth, %.2f recorded; per person off by (s): ",
            judgement.trueHours, judgement.recordedHours)
        return """
            \(people) people, \(days) days, two sites, seed \(seed); \
            errors in seconds: median / 95 % / worst
            trouble: \(kinds.joined(separator: ", "))

            \(table.text)

            sessions: \(sessions), invented \(judgement.invented), open \(judgement.open), \
            corrected \(judgement.corrected), \
            to be looked at \(judgement.flagged)
            \(hours)\(Self.text(judgement.perPerson))
            undisturbed: \(sameUndisturbed) the same to the second, \(differences.count) differ\
            \(differences.prefix(10).map { "\n  \($0)" }.joined())
            rebuilt from stored evidence: \(rebuilt.map(\.text).joined(separator: "; "))
            month sheets: \(sheets.map(\.text).joined(separator: "; "))
            corrections: \(counts.corrections); audit: \(counts.audited) rows, \
            \(auditFaults.isEmpty ? "whole" : auditFaults.joined(separator: "; "))
            \(counts.deliveries) records delivered, \(counts.restarts) restarts, \
            \(counts.statements) statements, \(counts.refusals) refused, \(counts.waiting) waiting
            """
    }

    private static func text(_ errors: MonthJudgement.Errors) -> String {
        "\(errors.median) / \(errors.percentile95) / \(errors.worst)"
    }
}

extension MonthSheets {
    fileprivate var text: String {
        String(format: "%.3f h, sessions %.3f h", sheets / 3600, sessions / 3600)
    }
}

extension MonthReport.Rebuilt {
    fileprivate var text: String { "\(site) \(same) the same, \(differences.count) differ" }
}

extension Session {
    /// All that is said of it but its row and revision.
    fileprivate var line: String {
        let times = [from, to, lastHeard].map { $0.map { "\($0.milliseconds)" } ?? "–" }
        return """
            user \(user.row) \(times.joined(separator: " ")) \(inCause.rawValue) \
            \(outCause?.rawValue ?? "open") \(breaks.count) breaks \
            [\(review.map(\.rawValue).joined(separator: " "))]
            """
    }
}

/// The month sheets of a simulated site, added up, against its sessions.
struct MonthSheets: Codable, Equatable {
    /// What the lines of all days of all people say they were present, in seconds.
    var sheets = 0.0
    /// How long their sessions are without breaks, in seconds.
    var sessions = 0.0

    /// Reads both from a site's database.
    init(_ store: Store, _ life: MonthLife) throws {
        let desk = try ReportDesk(store, now: life.end)
        let calendar = desk.context.calendar
        let days = calendar.businessDay(of: life.start)...calendar.businessDay(of: life.end)
        for person in try ReportRows(store).people() {
            let record = try ReportRows(store).record(
                of: person.user, touching: Interval(from: life.start, to: life.end))
            let rows = DaySheet.rows(
                of: PersonRecord(
                    user: person.user, slug: person.slug, name: person.name,
                    sessions: record.sessions), days: days, desk.context)
            sheets += rows.reduce(0) { $0 + $1.present.seconds }
        }
        for session in try store.everySession() {
            let breaks = session.breaks.reduce(0) { $0 + $1.length.seconds }
            sessions += ((session.to ?? session.from) - session.from).seconds - breaks
        }
    }
}
