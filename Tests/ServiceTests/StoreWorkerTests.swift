@testable import CoordinatorService
@testable import Records
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import SiteStore
@testable import Wire
import Foundation
import GRDB
import Glibc
import Reporting
import Synchronization
import Testing
@testable import SiteService

/// What stands between the loop and a disk that hangs: short queues, and no result lost.
final class StoreWorkerTests {
    private typealias Report = StoreWorker.Report

    private static let people = 40
    private let path = NSTemporaryDirectory() + "worker-\(UUID().uuidString).sqlite"
    private let start = Timestamp(milliseconds: 1_760_000_000_000)
    private let store: Store
    /// Another process that holds the database's write lock: the disk, as far as the worker can tell.
    private let other: DatabaseQueue

    init() throws {
        store = try Store(path: path)
        try SiteImport(store).importDocument(
            SiteDocument(
                slug: "gym", name: "Gym", timeZone: "Europe/Berlin",
                rooms: [.init(slug: "hall", name: "Hall")], stations: [], nodes: [],
                users: (1...Self.people).map { .init(slug: "u-\($0)", name: "User \($0)") },
                beacons: []), at: start)
        // A transaction is tried for this long and then refused for now: several times a test.
        try store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 200") }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        other = try DatabaseQueue(path: path, configuration: configuration)
    }

    deinit {
        _ = Result { try other.close() }
        store.close()
        for end in ["", "-wal", "-shm"] {
            _ = Result { try FileManager.default.removeItem(atPath: path + end) }
        }
    }

    private func stall() throws {
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    private func goOn() throws {
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }

    /// What the coordinator's loop does with its store; each turn is a quarter of a second of its time.
    private struct Loop {
        var pipeline: Pipeline
        let worker: StoreWorker
        let reports: WakeableQueue<Report>
        var now: Timestamp
        var answered = 0
        var postponed = 0
        var mostWaiting = 0

        init(_ store: Store, at now: Timestamp) throws {
            let (plan, names, saved) = try #require(try store.load())
            pipeline = Pipeline(plan: plan, names: names, saved: saved)
            reports = WakeableQueue(capacity: 64)
            worker = StoreWorker(store: store, reports: reports)
            self.now = now
        }

        mutating func perform(_ effects: [Pipeline.Effect]) {
            for effect in effects {
                switch effect {
                case .commit(let facts): worker.commit(facts)
                case .recall(let recalls): worker.recall(recalls)
                case .respond: answered += 1
                default: break
                }
            }
        }

        mutating func checkIn(_ person: Int) {
            perform(
                pipeline.asked(
                    .checkIn, RequestPayload(id: "r-\(person)", args: .init(user: "u-\(person)")),
                    client: "http:test", at: now))
        }

        mutating func turn(looks: Int) {
            var entry = pollfd(fd: reports.descriptor, events: Int16(POLLIN), revents: 0)
            if Glibc.poll(&entry, 1, 1) > 0 { for report in reports.take() { took(report) } }
            now = now + .milliseconds(250)
            perform(pipeline.tick(at: now))
            for _ in 0..<looks {
                worker.look(
                    known: (plan: pipeline.mesh.plan.revision, overrides: 0), at: now)
            }
            mostWaiting = max(mostWaiting, worker.jobsWaiting)
        }

        private mutating func took(_ report: Report) {
            switch report {
            case .committed: perform(pipeline.committed())
            case .recalled(let found): perform(pipeline.recalled(found, at: now))
            case .refused(let refusal):
                postponed += 1
                perform(pipeline.refused(refusal, at: now))
            case .failed, .revised: break
            case .restored, .clients, .wrote, .files, .over: Issue.record("\(report)")
            }
        }
    }

    /// Turns until something is so, or for twenty seconds.
    private func turn(_ loop: inout Loop, looks: Int, until isDone: (Loop) -> Bool) {
        let deadline = ContinuousClock.now + .seconds(20)
        while !isDone(loop), ContinuousClock.now < deadline { loop.turn(looks: looks) }
        #expect(isDone(loop))
    }

    @Test func `after a stall everything is stored and answered, and the queue stayed short`()
        throws
    {
        var loop = try Loop(store, at: start)
        defer { loop.worker.stop(within: 5) }
        turn(&loop, looks: 1) { $0.pipeline.isSettled }
        try stall()
        for person in 1...Self.people {
            loop.checkIn(person)
            // Far more looks than there is room for reports.
            loop.turn(looks: 100)
        }
        turn(&loop, looks: 100) { $0.postponed >= 3 }
        #expect(loop.answered == 0)
        #expect(loop.mostWaiting <= 3, "a commit, a look and a slice of an erasure may wait")
        try goOn()
        turn(&loop, looks: 1) { $0.pipeline.isSettled }
        // As long as it is asked to look it may always be at it.
        turn(&loop, looks: 0) { !$0.worker.progress.isBusy }
        #expect(loop.answered == Self.people)
        #expect(try WhoRow.all(in: store).count == Self.people)
        #expect(try #require(try store.load()).saved == loop.pipeline.mesh.saved)
        // It goes on.
        loop.perform(
            loop.pipeline.asked(
                .checkOut, RequestPayload(id: "out", args: .init(user: "u-1")), client: "http:test",
                at: loop.now))
        turn(&loop, looks: 1) { $0.answered == Self.people + 1 }
        #expect(try WhoRow.all(in: store).count == Self.people - 1)
    }

    /// Waits for the worker; nothing else tells of it.
    private func finish(_ worker: StoreWorker) {
        let deadline = ContinuousClock.now + .seconds(20)
        while worker.progress.isBusy, ContinuousClock.now < deadline { usleep(1000) }
        #expect(!worker.progress.isBusy)
    }

    @Test func `no result is lost to a full queue of reports`() throws {
        let reports = WakeableQueue<Report>(capacity: 4)
        let worker = StoreWorker(store: store, reports: reports)
        defer { worker.stop(within: 5) }
        for number in 1...4 { #expect(reports.put(.failed("\(number)"))) }
        #expect(!reports.put(.failed("one too many")))
        worker.commit([.ledger(LedgerRow(user: UserID(1), heard: []))])
        finish(worker)
        worker.restore(refused: [], reason: "test", at: start)
        finish(worker)
        let found = reports.take()
        #expect(found.count == 6)
        guard case .committed = found[safe: 4], case .restored = found[safe: 5] else {
            Issue.record("\(found.dropFirst(4)) followed the faults")
            return
        }
    }

    @Test func `a write that nobody waits for any more is not done`() throws {
        let reports = WakeableQueue<Report>(capacity: 4)
        let worker = StoreWorker(store: store, reports: reports)
        defer { worker.stop(within: 5) }
        try stall()
        let done = Mutex(0)
        let replied = Mutex(0)
        let writes = (0..<3).map { _ in
            LoopMailbox.Write { _ in
                done.withLock { $0 += 1 }
                return ""
            } reply: { _ in
                replied.withLock { $0 += 1 }
            }
        }
        worker.commit([.ledger(LedgerRow(user: UserID(1), heard: []))])
        // The first ones wait behind a batch that the disk keeps back; their askers go.
        #expect(writes[0].giveUp() && writes[1].giveUp())
        for write in writes { worker.write(write, known: 0) }
        try goOn()
        finish(worker)
        #expect(done.withLock { $0 } == 1)
        #expect(!writes[2].giveUp(), "it was done")
        for report in reports.take() {
            if case .wrote(let write, let result, _) = report { write.reply(result) }
        }
        #expect(replied.withLock { $0 } == 3, "each is answered, so that it no longer counts")
    }

    /// The overrides can be read no more once they are written: the disk fails just then.
    @Test func `a write says which overrides to wait for though these cannot be read`() throws {
        let reports = WakeableQueue<Report>(capacity: 4)
        let worker = StoreWorker(store: store, reports: reports)
        defer { worker.stop(within: 5) }
        let decide = { (breaks: Bool) in
            LoopMailbox.Write { store in
                _ = try Books(store).attempt { try OverrideTable.raiseOverrides($0) }
                if breaks { try store.write { try $0.execute(sql: "DROP TABLE correction") } }
                return ""
            } reply: { _ in
            }
        }
        worker.write(decide(false), known: 0)
        while worker.progress.isBusy { usleep(1000) }
        worker.write(decide(true), known: 0)
        while worker.progress.isBusy { usleep(1000) }
        // Asked again, because the answer was lost: refused, and it waits for the same.
        let again = LoopMailbox.Write { _ in
            throw BooksRefusal(.badState, "approved already")
        } reply: { _ in
        }
        worker.write(again, known: 1)
        finish(worker)
        let told = reports.take().map { report in
            guard case .wrote(_, _, let decided) = report else { return "\(report)" }
            return "\(decided.revision) \(decided.overrides.map { "\($0.revision)" } ?? "unread")"
        }
        #expect(told == ["1 1", "2 unread", "2 unread"])
    }

    @Test func `facts do not wait behind what people ask for`() throws {
        let reports = WakeableQueue<Report>(capacity: 4)
        let worker = StoreWorker(store: store, reports: reports)
        defer { worker.stop(within: 5) }
        let gate = DispatchSemaphore(value: 0)
        let stalled = LoopMailbox.Write { _ in
            gate.wait()
            return ""
        } reply: { _ in
        }
        worker.write(stalled, known: 0)
        while worker.jobsWaiting > 0 { usleep(1000) }
        for _ in 1...20 {
            worker.write(
                LoopMailbox.Write { _ in
                    ""
                } reply: { _ in
                }, known: 0)
        }
        worker.look(known: (plan: 1, overrides: 0), at: start)
        worker.commit([.ledger(LedgerRow(user: UserID(1), heard: []))])
        gate.signal()
        finish(worker)
        let told = reports.take().map { report in
            switch report {
            case .committed: "facts"
            case .wrote: "write"
            default: "\(report)"
            }
        }
        #expect(told == ["write", "facts"] + (1...20).map { _ in "write" })
    }

    @Test func `writes that wait behind one share a transaction, and each has its answer`() throws {
        let reports = WakeableQueue<Report>(capacity: 4)
        let worker = StoreWorker(store: store, reports: reports)
        defer { worker.stop(within: 5) }
        let gate = DispatchSemaphore(value: 0)
        let stalled = LoopMailbox.Write(storing: .together) { _ in
            gate.wait()
            return "first"
        } reply: { _ in
        }
        worker.write(stalled, known: 0)
        while worker.jobsWaiting > 0 { usleep(1000) }
        let sql = "INSERT INTO refused_input (at_ms, input, reason) VALUES (1, 'x', 'y')"
        for number in 1...10 {
            let write = LoopMailbox.Write(storing: number == 9 ? .alone : .together) { store in
                try store.write { db in
                    try db.execute(sql: sql)
                    if number == 3 { throw BooksRefusal(.badState, "no") }
                }
                return "\(number)"
            } reply: { _ in
            }
            worker.write(write, known: 0)
        }
        gate.signal()
        finish(worker)
        let told = reports.take().map { report in
            guard case .wrote(_, let result, _) = report else { return "\(report)" }
            return (try? result.get()) ?? "refused"
        }
        let numbers = (1...10).map { $0 == 3 ? "refused" : "\($0)" }
        #expect(told == ["first"] + numbers)
        let count = try store.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM refused_input")
        }
        #expect(count == 9)
        #expect(worker.progress.done >= 11)
    }

    @Test func `faults that found no room are counted and told with the next`() throws {
        let reports = WakeableQueue<Report>(capacity: 1)
        let worker = StoreWorker(store: store, reports: reports)
        defer { worker.stop(within: 5) }
        #expect(reports.put(.failed("first")))
        // Each look, and each retention after it, finds that nothing can be written any more.
        store.close()
        worker.look(known: (plan: 1, overrides: 0), at: start)
        finish(worker)
        #expect(reports.take().count == 1)
        worker.look(known: (plan: 1, overrides: 0), at: start)
        finish(worker)
        guard case .failed(let text) = reports.take().first else {
            Issue.record("nothing was told")
            return
        }
        #expect(text.contains("faults before it that were not told"), "\(text)")
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
