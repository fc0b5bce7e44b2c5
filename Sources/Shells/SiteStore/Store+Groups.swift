import Foundation
import GRDB
import Synchronization

/// Several works in one transaction: the disk is waited for once.
extension Store {
    /// Calls `work`, which does one work and returns whether there is another, until there is none, and commits what
    /// they wrote. A work reads and writes as without it and sees what those before it wrote; what a
    /// call of `write` throws undoes that call alone.
    ///
    /// - Throws: A writer's `StoreError`, after which nothing of any of them is stored.
    package func inOneTransaction(_ work: () -> Bool) throws(StoreError) {
        do {
            try pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    grouping.store(Self.thread, ordering: .relaxed)
                    defer { grouping.store(0, ordering: .relaxed) }
                    while work() { try checkOpen(db) }
                    try checkOpen(db)
                    return .commit
                }
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Calls `work` as one of several; what it throws undoes all that it wrote.
    package func undoing<Value>(_ work: () throws -> Value) throws -> Value {
        precondition(isGrouped, "a work of inOneTransaction")
        let before = overridesWritten.load(ordering: .relaxed)
        do {
            return try transaction { _ in try work() }
        } catch {
            // Of what was undone nothing is to be waited for.
            overridesWritten.store(before, ordering: .relaxed)
            throw error
        }
    }

    /// What `work` returns, with how many rows it inserted, changed or deleted. Called where nothing else writes
    /// meanwhile.
    package func counting<Value>(_ work: () throws -> Value) throws -> (value: Value, rows: Int) {
        func total() -> Int {
            isGrouped
                ? pool.unsafeReentrantWrite(\.totalChangesCount)
                : pool.writeWithoutTransaction(\.totalChangesCount)
        }
        let before = total()
        let value = try work()
        return (value, total() - before)
    }

    /// The same as `write`; what `body` throws stays what it is.
    package func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard isGrouped else { return try pool.write(body) }
        return try pool.unsafeReentrantWrite { db in
            try checkOpen(db)
            var value: Value?
            try db.inSavepoint {
                value = try body(db)
                return .commit
            }
            guard let value else { preconditionFailure("a savepoint without its work") }
            return value
        }
    }

    /// The same as `read`, without regard to a file that nobody writes; what `body` throws stays what it is.
    package func snapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard isGrouped else { return try pool.read(body) }
        return try pool.unsafeReentrantWrite(body)
    }

    private static var thread: UInt { UInt(pthread_self()) }

    /// Whether the caller is a work of `inOneTransaction`.
    private var isGrouped: Bool { grouping.load(ordering: .relaxed) == Self.thread }

    /// SQLite undoes a whole transaction where the disk is full or fails; what follows must not be stored alone.
    private func checkOpen(_ db: Database) throws {
        guard db.isInsideTransaction else {
            throw DatabaseError(resultCode: .SQLITE_ABORT_ROLLBACK)
        }
    }
}
