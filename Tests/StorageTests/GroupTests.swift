import Foundation
import GRDB
import Testing

@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// Several works in one transaction: each as if alone, and the disk is waited for once.
struct GroupTests {
    private struct Refusal: Error {}

    /// Is found to be wrong only when all is committed.
    private static let claim =
        "INSERT INTO station_claim (station, slot, user, workout, from_ms) VALUES (1, 1, 1, 9, 1)"

    /// How many transactions a store has committed.
    private final class Commits: TransactionObserver, @unchecked Sendable {
        // Changed on the writer's queue, read when it is done.
        var count = 0

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { count += 1 }
        func databaseDidRollback(_ db: Database) {}
    }

    private func opened(_ scratch: Scratch) throws -> Store {
        let store = try Store(path: scratch.path)
        try SiteImport(store).importDocument(
            SiteDocument(
                slug: "gym", name: "Gym", timeZone: "Europe/Berlin",
                rooms: [.init(slug: "hall", name: "Hall")],
                stations: [.init(slug: "press", name: "Press", room: "hall", slots: 1)], nodes: [],
                users: [.init(slug: "u-1", name: "User")], beacons: []),
            at: Timestamp(milliseconds: 1_760_000_000_000))
        return store
    }

    private func note(_ text: String, in store: Store) throws {
        try store.write {
            try $0.execute(
                sql: "INSERT INTO refused_input (at_ms, input, reason) VALUES (1, ?, 'x')",
                arguments: [text])
        }
    }

    private func notes(_ store: Store) throws -> [String] {
        try store.read {
            try String.fetchAll($0, sql: "SELECT input FROM refused_input ORDER BY id")
        }
    }

    /// Does works in one transaction; what each brought.
    private func together(
        _ store: Store, _ works: [() throws -> Void]
    ) throws(StoreError) -> [Result<Void, any Error>] {
        var results: [Result<Void, any Error>] = []
        try store.inOneTransaction {
            results.append(Result { try works[results.count]() })
            return results.count < works.count
        }
        return results
    }

    @Test func `one that throws leaves nothing, and the others stand`() throws {
        let scratch = try Scratch()
        let store = try opened(scratch)
        defer { store.close() }
        let commits = Commits()
        store.pool.add(transactionObserver: commits)
        var seen: [String] = []
        let results = try together(
            store,
            [
                { try note("a", in: store) },
                {
                    try store.write { db in
                        try db.execute(sql: "DELETE FROM refused_input")
                        throw Refusal()
                    }
                },
                {
                    try note("b", in: store)
                    seen = try notes(store)
                },
                {
                    try store.write {
                        try $0.execute(sql: "INSERT INTO refused_input DEFAULT VALUES")
                    }
                },
            ])
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true, false])
        #expect(seen == ["a", "b"], "it reads what those before it wrote")
        #expect(try notes(store) == ["a", "b"])
        #expect(commits.count == 1)
    }

    @Test func `what cannot be committed is stored of none`() throws {
        let scratch = try Scratch()
        let store = try opened(scratch)
        defer { store.close() }
        var results: [Result<Void, any Error>] = []
        #expect(throws: StoreError.self) {
            results = try together(
                store,
                [
                    { try note("a", in: store) },
                    { try store.write { try $0.execute(sql: Self.claim) } },
                ])
        }
        #expect(results.isEmpty)
        #expect(try notes(store) == [])
        try note("b", in: store)
        #expect(try notes(store) == ["b"], "and the store goes on")
    }

    @Test func `others read what is committed meanwhile`() throws {
        let scratch = try Scratch()
        let store = try opened(scratch)
        defer { store.close() }
        var others = ["none"]
        _ = try together(
            store,
            [
                {
                    try note("a", in: store)
                    let done = DispatchSemaphore(value: 0)
                    let found = Found()
                    Thread.detachNewThread {
                        found.texts = (try? self.notes(store)) ?? ["failed"]
                        done.signal()
                    }
                    done.wait()
                    others = found.texts
                }
            ])
        #expect(others == [])
        #expect(try notes(store) == ["a"])
    }

    /// What another thread read, handed over by a semaphore.
    private final class Found: @unchecked Sendable {
        var texts: [String] = []
    }
}
