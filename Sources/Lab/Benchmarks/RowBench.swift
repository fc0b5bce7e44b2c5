import Foundation
import Glibc
import Platform
import SiteEngine
import SiteModel
import SiteStore

/// `rows`: events a second into the database, a thousand a transaction. Held against a program in C
/// that writes the same rows with the same statement into the same tables.
enum RowBench {
    private static let batch = 1000

    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("rows")
        let program = try compiled(in: folder, context)
        let batches = context.amount(quick: 10, full: 30)
        var plain: [Double] = []
        let samples = try context.samples { round in
            if let program {
                let path = try database(context, round, "c")
                plain.append(try Self.plain(program, path, batches: batches))
            }
            return try ours(database(context, round, "swift"), batches: batches)
        }
        guard !plain.isEmpty else { return [Figure("rows", unit: "rows/s", samples)] }
        return [
            Figure(
                "rows", unit: "rows/s", samples,
                limit: Figure.Limit(name: "c-rows", value: Samples(rounds: plain).value),
                bar: .atLeast(0.6))
        ]
    }

    /// The program in C, or `nil` where there is nothing to compile it with.
    private static func compiled(in folder: String, _ context: BenchContext) throws -> String? {
        do {
            return try CCompiler.compile(
                source, named: "rows", into: folder, searchPath: context.searchPath,
                libraries: ["sqlite3"])
        } catch let failure as BenchFailure {
            // A machine without a compiler or SQLite's header can write rows all the same.
            context.say("rows are measured without a limit: \(failure)")
            return nil
        }
    }

    /// A new database with the demonstration gym.
    private static func database(
        _ context: BenchContext, _ round: Int, _ name: String
    ) throws -> String {
        let folder = try context.directory("rows/\(name)-\(round)")
        return try BenchSite(
            people: 12, seed: context.seed, in: folder, from: BenchContext.start
        ).database
    }

    private static func ours(_ database: String, batches: Int) throws -> Double {
        let store = try Store(path: database)
        defer { store.close() }
        let watch = Stopwatch()
        for number in 0..<batches {
            let first = Int64(number * batch)
            try store.commit((first + 1...first + Int64(batch)).map(event))
        }
        return Double(batches * batch) / watch.seconds
    }

    private static func event(_ id: Int64) -> Fact {
        .event(
            Event(
                id: id, kind: .entered, at: BenchContext.start + .milliseconds(id),
                user: UserID(1 + id % 12), place: .room(RoomID(1 + id % 3)), subject: id))
    }

    private static func plain(_ program: String, _ database: String, batches: Int) throws -> Double
    {
        let words = [
            database, String(batches), String(batch), "\(BenchContext.start.milliseconds)",
        ]
        let result = try Tool.run(program, words)
        let text = result.output.trimmingCharacters(in: .whitespacesAndNewlines)
        guard result.status == 0, let rate = Double(text) else {
            throw BenchFailure.failed("the rows in C said “\(text)”")
        }
        return rate
    }

    /// Arguments: database, transactions, rows in each, time of row 0. Prints rows a second.
    private static let source = #"""
        #include <sqlite3.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <time.h>

        static double now(void) {
            struct timespec t;
            clock_gettime(CLOCK_MONOTONIC, &t);
            return t.tv_sec + t.tv_nsec / 1e9;
        }

        int main(int argc, char **argv) {
            sqlite3 *db;
            sqlite3_stmt *row;
            if (argc != 5 || sqlite3_open(argv[1], &db)) return 1;
            if (sqlite3_exec(db, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                "PRAGMA wal_autocheckpoint = 100", 0, 0, 0)) return 1;
            const char *sql = "INSERT INTO event (id, kind, at_ms, user, room, station, subject)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                " kind = excluded.kind, at_ms = excluded.at_ms, user = excluded.user,"
                " room = excluded.room, station = excluded.station, subject = excluded.subject";
            if (sqlite3_prepare_v2(db, sql, -1, &row, 0)) return 1;
            long batches = atol(argv[2]), count = atol(argv[3]);
            long long zero = atoll(argv[4]), id = 0;
            double start = now();
            for (long batch = 0; batch < batches; batch++) {
                if (sqlite3_exec(db, "BEGIN IMMEDIATE", 0, 0, 0)) return 1;
                for (long i = 0; i < count; i++) {
                    id++;
                    sqlite3_bind_int64(row, 1, id);
                    sqlite3_bind_text(row, 2, "presence.entered", -1, SQLITE_STATIC);
                    sqlite3_bind_int64(row, 3, zero + id);
                    sqlite3_bind_int64(row, 4, 1 + id % 12);
                    sqlite3_bind_int64(row, 5, 1 + id % 3);
                    sqlite3_bind_null(row, 6);
                    sqlite3_bind_int64(row, 7, id);
                    if (sqlite3_step(row) != SQLITE_DONE) {
                        printf("%s\n", sqlite3_errmsg(db));
                        return 1;
                    }
                    sqlite3_reset(row);
                }
                if (sqlite3_exec(db, "COMMIT", 0, 0, 0)) return 1;
            }
            printf("%.1f\n", batches * count / (now() - start));
            sqlite3_finalize(row);
            return sqlite3_close(db);
        }

        """#
}

/// `transactions`: commits a second of the facts that single inputs decide, each safe on disk.
/// Held against the same disk's appends of 4 KiB with fdatasync.
enum TransactionBench {
    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("transactions")
        let site = try BenchSite(
            people: 12, seed: context.seed, in: folder, from: BenchContext.start)
        var batches = Batches(site, seed: context.seed)
        let store = try Store(path: site.database)
        defer { store.close() }
        let seconds = context.amount(quick: 0.4, full: 1.0)
        var appends: [Double] = []
        let samples = try context.samples { round in
            appends.append(
                try Self.appends(to: "\(folder)/appended-\(round)", seconds: seconds))
            return try Self.commits(&batches, to: store, seconds: seconds)
        }
        return [
            Figure(
                "transactions", unit: "transactions/s", samples,
                limit: Figure.Limit(name: "fdatasync-4k", value: Samples(rounds: appends).value))
        ]
    }

    /// Commits a second, of which at least one.
    private static func commits(
        _ batches: inout Batches, to store: Store, seconds: Double
    ) throws -> Double {
        var spent = 0.0
        var count = 0
        while spent < seconds {
            let batch = batches.next()
            let watch = Stopwatch()
            try store.commit(batch)
            spent += watch.seconds
            count += 1
        }
        return Double(count) / spent
    }

    /// Appends a second, each followed by fdatasync, to a new file that is removed again.
    static func appends(to path: String, seconds: Double) throws(BenchFailure) -> Double {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed("\(path): \(String(cString: strerror(errno)))") }
        defer {
            close(file)
            unlink(path)
        }
        let page = [UInt8](repeating: 0x5A, count: 4096)
        let watch = Stopwatch()
        var count = 0
        repeat {
            guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
                throw .failed("\(path): \(String(cString: strerror(errno)))")
            }
            count += 1
        } while watch.seconds < seconds
        return Double(count) / watch.seconds
    }

    /// What the inputs of an endless day decide, an input's facts at a time.
    private struct Batches {
        private var inputs: SiteInputs
        private var mesh: Mesh
        private var ready: [[Fact]] = []

        init(_ site: BenchSite, seed: UInt64) {
            inputs = SiteInputs(site, seed: seed, from: BenchContext.start)
            mesh = Mesh(plan: site.plan, restoring: site.saved)
        }

        mutating func next() -> [Fact] {
            while ready.isEmpty {
                var decisions: [Decision] = []
                for step in inputs.next() {
                    mesh.handle(step.input, at: step.at, into: &decisions)
                    let facts = decisions.compactMap { decision in
                        if case .fact(let fact) = decision { fact } else { nil }
                    }
                    if !facts.isEmpty { ready.append(facts) }
                    decisions.removeAll(keepingCapacity: true)
                }
                ready.reverse()
            }
            return ready.removeLast()
        }
    }
}
