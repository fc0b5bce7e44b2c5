import Foundation
import GRDB
import SiteEngine
import SiteModel
import SiteSchema
import Synchronization
import Wire

/// The database of one site: one SQLite file.
///
/// Any thread may call it. Writes come one after the other; reads see the newest commit and do not
/// wait for writes. What `commit` has accepted survives a power cut: write-ahead log with
/// `synchronous = FULL`.
package final class Store: Sendable {
    /// How long a locked database is waited for, in seconds.
    package static let patience = 5.0
    /// The number of inputs kept in `refused_input`.
    package static let refusedInputsKept = 1000

    /// The database file.
    package let path: String
    package let pool: DatabasePool
    /// The greatest revision of the overrides that a transaction of this store has seen committed, its
    /// own decision included: whoever answers for that write waits until the machines have taken this
    /// revision in. Read in the transaction itself, so that no later fault of the disk hides it.
    package let overridesWritten = Atomic<Int64>(0)
    /// How the file was when it was opened as one that nobody writes; `nil` for one that may be
    /// written. See `init(reading:)`.
    private let still: StillFile?
    /// What was read of the registry, and what has changed since.
    private let registryParts = Mutex(RegistryParts())
    private let registryWatch = RegistryWatch()
    /// The thread that has a transaction of several works open; 0: none.
    let grouping = Atomic<UInt>(0)

    /// Opens the database of a site, or creates it, and brings its schema up to date.
    ///
    /// A file that is damaged, of a newer schema or of another program is refused and not written
    /// to. An empty file counts as none; see `init(existing:)`. Before the schema of an older release
    /// is changed, `backups` gets a backup of it, or it is refused; `nil` does without.
    ///
    /// Only the owner of a database changes its schema: who holds its lock passes it as `owner`. For
    /// anybody else the lock is taken while the schema changes; throws `.olderSchema` if another
    /// process has it, because a coordinator of an older release may run. Tests open with the
    /// `migrations` of a release to come.
    package init(
        path: String, backups: BackupFolder?, under owner: DatabaseLock? = nil,
        migrations: [String] = Schema.migrations
    ) throws(StoreError) {
        precondition(owner?.isOf(path) ?? true, "a lock of another database than \(path)")
        self.path = path
        still = nil
        do {
            let known = migrations.count
            let schema = try Self.inspect(path, known: known)
            let isOlder = schema > 0 && schema < known
            let lock = isOlder && owner == nil ? try Self.lockToMigrate(path, schema, known) : nil
            defer { withExtendedLifetime(lock) {} }
            if let backups, isOlder { try Self.keep(schema, in: backups) }
            try Self.create(path)
            var configuration = Configuration()
            configuration.busyMode = .timeout(Self.patience)
            // Routes hold four at most (`Blocking`): the store, accounts and the machines wait for none of them.
            configuration.maximumReaderCount = 8
            pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction(Self.configure)
            try pool.write { try Store.migrate($0, by: migrations) }
            pool.add(transactionObserver: registryWatch, extent: .databaseLifetime)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// A store on a pool that is open for reading only.
    init(path: String, reading pool: DatabasePool, still: StillFile?) {
        self.path = path
        self.pool = pool
        self.still = still
    }

    /// As above, with the backups beside the database.
    ///
    /// - Throws: As above.
    package convenience init(path: String) throws(StoreError) {
        try self.init(path: path, backups: BackupFolder(of: path))
    }

    /// Ends all connections. Nothing is lost without it; with it the file is left without a log
    /// beside it. Further calls throw.
    package func close() {
        // The last connection to close removes the log, which a reader may not: without this, a
        // file copied over this one later would meet the log of another.
        pool.invalidateReadOnlyConnections()
        // The only fault is a statement still running elsewhere; then the connections end later.
        _ = Result { try pool.close() }
    }

    /// What the site consists of, what it is called, and where its machines stand; `nil` before
    /// the first import.
    ///
    /// The plan holds what is in force. The names hold what was retired, too, because the saved
    /// state and history may still refer to it.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func load() throws(StoreError) -> (plan: Plan, names: Names, saved: Saved)? {
        try read { db in
            var parts = RegistryParts()
            guard let (plan, names) = try parts.read(db) else { return nil }
            return (plan, names, try StoredState(store: self).saved(db))
        }
    }

    /// What the site consists of and what it is called alone, which takes a part of the time of `load`.
    ///
    /// - Throws: As `load`.
    package func registry() throws(StoreError) -> (plan: Plan, names: Names)? {
        try read { db in
            var parts = RegistryParts()
            return try parts.read(db)
        }
    }

    /// The same, of which only that is read that this store has changed since revision `old`, if what it knows is of that
    /// one. `nil`: all is read anew, also what others may have changed, or what no table tells.
    ///
    /// - Throws: As `load`.
    package func changedRegistry(
        since old: Int64?
    ) throws(StoreError) -> (plan: Plan, names: Names)? {
        let changed = registryWatch.take()
        return try registryParts.withLock { parts throws(StoreError) in
            let known = parts
            // A fault leaves nothing that was read half.
            parts = RegistryParts()
            let (new, registry) = try read { db in try known.read(db, since: old, changed) }
            parts = new
            return registry
        }
    }

    /// Stores facts, in the order in which they were decided, in one transaction: all or none.
    ///
    /// When it returns they survive a power cut. Storing a fact again changes nothing. Throws
    /// `.full` and `.busy`, after which the same facts can be committed again, and `.refused` with
    /// the index of the fact that broke a constraint.
    package func commit(_ facts: [Fact]) throws(StoreError) {
        guard !facts.isEmpty else { return }
        var index = 0
        do {
            try pool.write { db in
                while index < facts.count {
                    try FactRows.put(facts[index], into: db)
                    index += 1
                }
            }
        } catch {
            throw StoreError(error, path: path, fact: index < facts.count ? index : nil)
        }
    }

    /// The number of the plan in force, or 0 before the first import.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func revision() throws(StoreError) -> Int64 {
        try read { db in try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0 }
    }

    /// Keeps an input whose facts the database refused, to find the bug by; only the newest
    /// `refusedInputsKept`. Returns what went wrong, or `nil`.
    @discardableResult
    package func recordRefused(input: String, reason: String, at now: Timestamp) -> StoreError? {
        do throws(StoreError) {
            try write { db in
                try db.run(
                    "INSERT INTO refused_input (at_ms, input, reason) VALUES (?, ?, ?)",
                    [now.milliseconds, input.storable, reason.storable])
                try db.run(
                    "DELETE FROM refused_input WHERE id <= (SELECT max(id) FROM refused_input) - ?",
                    [Self.refusedInputsKept])
            }
            return nil
        } catch {
            return error
        }
    }

    /// How large SQLite holds its file for, with what is only in the log yet, in bytes.
    ///
    /// - Throws: A reader's `StoreError`.
    package func size() throws(StoreError) -> Int64 {
        try read { db in
            try (Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
                * (Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
    }

    /// Reads from one consistent state.
    ///
    /// - Throws: A reader's `StoreError`; what `body` throws comes as one, too.
    package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        let value = Result { try snapshot(body) }
        try still?.checkUnchanged(path)
        do { return try value.get() } catch { throw StoreError(error, path: path) }
    }

    /// Writes in one transaction, rolled back if `body` throws.
    package func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try transaction(body) } catch { throw StoreError(error, path: path) }
    }
}

extension Store {
    /// Looks at an existing file without writing to it; GRDB's pool writes as soon as it opens.
    /// Returns the version of its schema, 0 if there is nothing in it.
    private static func inspect(_ path: String, known: Int) throws -> Int {
        try examineBeginning(of: path)
        if let obstacle = StoreError.obstacle(at: path) {
            throw StoreError.cannotOpen(path: path, reason: obstacle)
        }
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        guard let size, size > 0 else { return 0 }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(patience)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { _ = Result { try queue.close() } }
        return try queue.read { db in
            try examine(db, path: path, known: known)
            // Nothing may be stored in the last page, so that the check does not look at it. With a
            // log beside it a file may end anywhere.
            let log =
                try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            let page = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
            guard size.isMultiple(of: page) || log ?? 0 > 0 else {
                throw StoreError.corrupt(path: path, detail: "its end is missing")
            }
            return try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        }
    }

    /// Takes the lock of a database whose schema is to be changed.
    private static func lockToMigrate(
        _ path: String, _ schema: Int, _ known: Int
    ) throws(StoreError) -> DatabaseLock {
        do {
            // Only what others read in the lock depends on this clock.
            let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            return try DatabaseLock(of: path, by: ProcessInfo.processInfo.processName, at: now)
        } catch {
            guard case .owned(_, let holder) = error else { throw error }
            throw .olderSchema(
                path: path, found: schema, known: known,
                owner: holder?.description ?? "another process")
        }
    }

    /// Makes the backup that comes before a migration.
    private static func keep(_ schema: Int, in backups: BackupFolder) throws {
        // Only the file's name depends on this clock.
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        do {
            try backups.make(at: now, schema: schema)
        } catch {
            throw StoreError.other(
                code: 0,
                message: """
                    \(backups.database) stays at schema \(schema), because no backup of it can be \
                    made in \(backups.path): \(error)
                    """)
        }
    }

    /// Throws unless this is a whole database of ours, or an empty one, that this release knows.
    /// `isThorough`: compares indexes with their tables, too, which takes some times as long.
    package static func examine(
        _ db: Database, path: String, isThorough: Bool = false, known: Int = Schema.version
    ) throws {
        _ = try schema(of: db, path: path, known: known)
        try check(db, path: path, isThorough: isThorough)
    }

    /// Reads all of it through and throws `.corrupt` with the first findings.
    package static func check(_ db: Database, path: String, isThorough: Bool) throws {
        let check = isThorough ? "integrity_check" : "quick_check"
        let findings = try String.fetchAll(db, sql: "PRAGMA \(check)(5)")
        guard findings == ["ok"] else {
            throw StoreError.corrupt(path: path, detail: findings.joined(separator: "; "))
        }
    }

    /// Creates the file where there is none. It holds names, so that only its owner writes it and
    /// only the group reads it; SQLite gives the files beside it the same rights.
    ///
    /// - Throws: `StoreError.cannotOpen` if the file cannot be made.
    package static func create(_ path: String) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { return }
        guard files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o640])
        else {
            throw StoreError.cannotOpen(path: path, reason: "it cannot be created")
        }
    }

    /// Sets up the one writing connection.
    private static func configure(_ db: Database) throws {
        // GRDB's pool lowers `synchronous` to NORMAL when it opens, whatever was asked before.
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // With SQLite's 1,000 pages the log alone can fill a small disk and then never shrinks.
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 100")
        _ = try Int.fetchOne(db, sql: "PRAGMA journal_size_limit = 1048576")
        // What is deleted or changed is overwritten with zeros.
        _ = try Int.fetchOne(db, sql: "PRAGMA secure_delete = ON")
        let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        let journal = try String.fetchOne(db, sql: "PRAGMA journal_mode")
        let foreignKeys = try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
        guard synchronous == 2, journal == "wal", foreignKeys == 1 else {
            throw StoreError.other(
                code: 0,
                message: """
                    commits would not be safe: synchronous \(synchronous ?? -1) instead of 2, \
                    journal \(journal ?? "none") instead of wal, or foreign keys off
                    """)
        }
    }

    /// Applies the migrations the file has not seen. The write lock alone shows a file that is
    /// open for reading only.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func migrate(_ db: Database, by migrations: [String]) throws {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version < migrations.count else { return }
        for migration in migrations[version...] { try db.execute(sql: migration) }
        try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(migrations.count)")
    }
}
