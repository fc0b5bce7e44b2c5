import Foundation
import Glibc
import Records
import Reporting
import Simulation
import SiteModel
import SiteStore

/// A simulated month at both sites, once as it is and once without anything going wrong but the power.
struct MonthRun {
    /// What it follows from.
    struct Options {
        var people = 60
        var days = 30
        /// The day of October 2026 it begins with.
        var first = 1
        var seed: UInt64 = 1
        /// How often nodes tell what they heard, in seconds, a whole number of minutes.
        var rhythm: Int64 = 60
        /// The same where nothing goes wrong: seldom, because it changes nothing.
        var calmRhythm: Int64 = 6 * 3600
    }

    /// What was counted along the way, at both sites together.
    struct Counts: Codable, Equatable {
        var deliveries = 0
        var restarts = 0
        var statements = 0
        var refusals = 0
        var corrections = 0
        var audited = 0
        var waiting = 0
    }

    /// What a run leaves behind, by site.
    struct Outcome {
        var sessions: [[Session]] = []
        /// People as users, by site: the person with index `i` has the `i`th.
        var users: [[UserID]] = []
        var rebuilt: [RebuiltSessions] = []
        var sheets: [MonthSheets] = []
        /// What is wrong with the audits.
        var faults: [String] = []
        var counts = Counts()
    }

    let options: Options
    let life: MonthLife
    let trouble: MonthTrouble

    /// Makes the month, and what goes wrong in it.
    init(_ options: Options) {
        self.options = options
        life = MonthLife(
            people: options.people, days: options.days, first: options.first, seed: options.seed)
        trouble = MonthTrouble(from: life.start, to: life.midnight, seed: options.seed)
    }

    /// Lets it happen, with a database for each site in `folder`. `progress` is told the share done,
    /// 0 ... 1.
    func run(
        isDisturbed: Bool, in folder: String, progress: (Double) -> Void = { _ in }
    ) throws -> Outcome {
        var outcome = Outcome()
        for index in MonthLife.sites.indices {
            let file =
                "\(folder)/\(MonthLife.sites[index])\(isDisturbed ? "" : "-undisturbed").sqlite"
            var site = try MonthSite(
                life, site: index, people: options.people, trouble: trouble,
                isDisturbed: isDisturbed, seed: options.seed, database: file)
            defer { site.store.close() }
            var second = life.start.second
            var told: Int64 = 0
            let rhythm = isDisturbed ? options.rhythm : options.calmRhythm
            while second < life.end.second {
                let limit = min(second - second % rhythm + rhythm, life.end.second)
                let due = site.boundary(before: Timestamp(second: limit)).second
                let next = min(limit, max(due - due % 60 + 60, second + 60))
                try site.pass(from: second, to: next)
                second = next
                let percent = (second - life.start.second) * 100 / (life.end - life.start).second
                guard percent > told else { continue }
                told = percent
                progress((Double(index) + Double(percent) / 100) / Double(MonthLife.sites.count))
            }
            try site.finish()
            outcome.sessions.append(try site.store.everySession())
            outcome.users.append(site.users)
            if let rebuilt = try SessionCheck(site.store).rebuiltSessions() {
                outcome.rebuilt.append(rebuilt)
            }
            outcome.sheets.append(try MonthSheets(site.store, life))
            let audit = try AuditTrail(site.store).verify()
            outcome.counts.audited += audit.rows
            if let fault = audit.fault { outcome.faults.append("\(fault)") }
            outcome.counts.corrections += site.corrections
            outcome.counts.deliveries += site.deliveries
            outcome.counts.restarts += site.restarts
            outcome.counts.statements += site.taken
            outcome.counts.refusals += site.refusals
            outcome.counts.waiting += site.waiting
        }
        return outcome
    }
}

extension Timestamp.Span {
    /// Whole seconds.
    fileprivate var second: Int64 { milliseconds / 1000 }
}

/// Where the databases of a simulated month are. A temporary folder goes away with it.
struct MonthFolder {
    let path: String
    private let isTemporary: Bool

    /// Takes a directory, emptied of an earlier month, or makes a temporary one.
    init(_ given: String?) throws {
        let files = FileManager.default
        isTemporary = given == nil
        path =
            given.map { URL(fileURLWithPath: $0).path }
            ?? NSTemporaryDirectory() + "beaconmesh-month-\(getpid())"
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for site in MonthLife.sites {
            for name in ["\(site).sqlite", "\(site)-undisturbed.sqlite"] {
                for end in ["", "-wal", "-shm"] {
                    let old = "\(path)/\(name)\(end)"
                    if files.fileExists(atPath: old) { try files.removeItem(atPath: old) }
                }
            }
        }
    }

    /// Removes a temporary folder.
    func remove() {
        guard isTemporary else { return }
        // Nothing is lost if it stays: the system clears its temporary directory.
        _ = try? FileManager.default.removeItem(atPath: path)
    }
}
