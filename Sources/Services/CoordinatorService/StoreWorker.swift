import BrokerAccess
import Foundation
import Platform
import Notifications
import Records
import Scheduling
import SiteEngine
import SiteModel
import SitePipeline
import SiteStore
import SiteService
import TrainingEngine
import Synchronization
import Wire

/// The one thread that writes a site's database: one transaction at a time, results back to the
/// loop through its doorbell. Writes that wait behind each other share one, so that the disk is waited for once.
///
/// While the disk hangs, what waits stays short, and no result is ever lost:
///
/// - The pipeline gives one batch at a time, and what was refused is restored before the next: of commits
///   and restorations at most one waits. What is decided meanwhile collects in the pipeline.
/// - Of looks one waits at most; another one takes its place.
/// - What people ask for is bounded by `LoopMailbox`, which counts it until it is done; what nobody waits for
///   any more is skipped. Facts go ahead of it: they wait for one transaction at most.
/// - `committed`, `refused`, `recalled`, `restored`, `wrote` and `over` are put into a full queue of reports, too: the loop goes
///   on by them, and asked for one each. What does not fit of the rest is dropped: the next look finds
///   the revision again, and faults are counted and told with the next one.
final class StoreWorker: Sendable {
    /// What the loop is told.
    enum Report: Sendable {
        case committed
        case refused(Pipeline.Refusal)
        /// What was looked up; `nil`: it could not be read.
        case recalled([Recalled]?)
        /// What is stored, after facts were refused.
        case restored(Plan, Names, Saved, Overrides)
        /// Somebody wrote beside us: a new revision was imported, or people decided something.
        case revised(Plan, Names, Overrides)
        /// What was asked for is written, or refused; and what people decided by then.
        case wrote(LoopMailbox.Write, Result<String, any Error>, Decided)
        /// Somebody was enrolled or revoked at the broker; told before that is answered.
        case clients(RequestPolicy)
        /// Whether the files of the database are not what they were.
        case files(areMoved: Bool)
        case failed(String)
        /// Nothing can be stored any more; the exit code of the process, and why.
        case over(code: Int32, reason: String)
    }

    /// What people decided by the time of a write.
    struct Decided: Sendable {
        /// The revision of the overrides that the machines must have taken in before it is answered.
        var revision: Int64
        /// The overrides, if they are not known and could be read; else the next look finds them.
        var overrides: Overrides?
    }

    /// By what it is noticed that others wrote the file: of the plan, and of the overrides.
    typealias Revisions = (plan: Int64, overrides: Int64)

    private enum Job: Sendable {
        case commit([Fact])
        case note(refused: String, reason: String, at: Timestamp)
        case load
        case recall([Recall])
        case write(LoopMailbox.Write, known: Int64)
        case look(known: Revisions, at: Timestamp)
        /// A slice of an erasure that ended in the middle.
        case erase
        case stop

        var isCommit: Bool { if case .commit = self { true } else { false } }
        /// Whether nothing that is decided waits for it.
        var isPatient: Bool {
            switch self {
            case .write, .look, .erase, .stop: true
            case .commit, .note, .load, .recall: false
            }
        }
        var isLook: Bool { if case .look = self { true } else { false } }
    }

    /// So long others are taken into the transaction of a write: facts wait for it.
    private static let longestGroup = Duration.milliseconds(20)

    private let store: Store
    private let reports: WakeableQueue<Report>
    private let transactions: Durations
    private let jobs = Mutex<[Job]>([])
    /// Jobs given to the thread so far, and done by it.
    private let given = Atomic<Int>(0)
    private let done = Atomic<Int>(0)
    /// Faults that found no room among the reports since one was told.
    private let untold = Atomic<Int>(0)
    /// Looks since holes were filled.
    private let looks = Atomic<Int>(0)
    /// Who may ask for what, as it was told last.
    private let clients: Mutex<RequestPolicy>
    private let isStopping = Atomic(false)
    private let waiting = MonotonicSemaphore()
    private let ended = MonotonicSemaphore()

    /// A worker on an open store; its thread runs until `stop`. `clients`: what the loop knows of them;
    /// `transactions`: where it notes how long they took.
    init(
        store: Store, reports: WakeableQueue<Report>,
        clients: RequestPolicy = RequestPolicy(identities: [], isOpen: true),
        transactions: Durations = Durations()
    ) {
        self.transactions = transactions
        self.store = store
        self.reports = reports
        self.clients = Mutex(clients)
        Thread.detachNewThread { self.run() }
    }

    /// Stores facts in one transaction; `committed` or `refused` follows. Not to be called before the
    /// result of the last call.
    func commit(_ facts: [Fact]) { put(.commit(facts)) }

    /// Looks up what the machines have forgotten; `recalled` follows. Not to be called before the result of the
    /// last call.
    func recall(_ recalls: [Recall]) { put(.recall(recalls)) }

    /// Notes facts that were refused for good, then loads what is stored; `restored` follows.
    func restore(refused: [Fact], reason: String, at now: Timestamp) {
        put(.note(refused: "\(refused)", reason: reason, at: now))
        put(.load)
    }

    /// Does what somebody asked for, in its own transaction; `wrote` follows. `known` is the revision
    /// of the overrides that the machines know.
    func write(_ write: LoopMailbox.Write, known: Int64) { put(.write(write, known: known)) }

    /// Looks whether other revisions than `known` are in force; `revised` follows if so. Also
    /// deletes some of what is too old, when it is time for that. To be called about once a second; a
    /// look that still waits is replaced.
    func look(known: Revisions, at now: Timestamp) { put(.look(known: known, at: now)) }

    /// How many jobs are done, and whether others wait or are under way.
    var progress: (done: Int, isBusy: Bool) {
        let count = done.load(ordering: .relaxed)
        return (count, count < given.load(ordering: .relaxed))
    }

    /// How many jobs wait for the thread, besides the one under way.
    var jobsWaiting: Int { jobs.withLock { $0.count } }

    /// Ends the thread after everything asked for so far, and waits for it so many seconds at most.
    /// `false` if it goes on, because the disk keeps it. To be called again only after that.
    @discardableResult
    func stop(within seconds: Double) -> Bool {
        if isStopping.exchange(true, ordering: .relaxed) == false { put(.stop) }
        return ended.wait(seconds: seconds)
    }

    private func put(_ job: Job) {
        let isNew = jobs.withLock { jobs in
            precondition(
                !job.isCommit || !jobs.contains(where: \.isCommit), "two batches at a time")
            if job.isLook, let waiting = jobs.firstIndex(where: \.isLook) {
                jobs[waiting] = job
                return false
            }
            // Counted first, or the thread might have done more than it was given.
            given.add(1, ordering: .relaxed)
            // One batch at a time, so that what is asked for gets its turn after each.
            let place = job.isPatient ? nil : jobs.firstIndex(where: \.isPatient)
            jobs.insert(job, at: place ?? jobs.endIndex)
            return true
        }
        if isNew { waiting.signal() }
    }

    /// Somebody may have moved or replaced what is open.
    private func look(at files: inout DatabaseFiles) {
        guard files.look(size: { try? store.size() }) else { return }
        tell(.files(areMoved: files.fault != nil))
        tell(.failed(files.fault.map { "\($0). \(DatabaseFiles.advice)" } ?? DatabaseFiles.relief))
    }

    private func tell(_ report: Report) {
        switch report {
        case .committed, .refused, .recalled, .restored, .clients, .wrote, .files, .over:
            reports.putReserved(report)
        case .revised: reports.put(report)
        case .failed(let reason):
            let before = untold.load(ordering: .relaxed)
            let more = before > 0 ? " (and \(before) faults before it that were not told)" : ""
            let isTold = reports.put(.failed(reason + more))
            untold.store(isTold ? 0 : before + 1, ordering: .relaxed)
        }
    }

    private func run() {
        var nightly = NightlyRetention(store: store)
        var files = DatabaseFiles(of: store.path)
        var owed = OwedErasures(store: store)
        while true {
            waiting.wait()
            switch jobs.withLock({ $0.removeFirst() }) {
            case .commit(let facts): tell(commitNow(facts))
            case .note(let refused, let reason, let moment):
                if let error = store.recordRefused(input: refused, reason: reason, at: moment) {
                    tell(.failed("cannot note refused facts: \(error)"))
                }
            case .load: tell(loadNow())
            case .recall(let recalls): recallNow(recalls)
            case .write(let write, let known):
                if writeNow(write, known) { owed.lookAgain() }
            case .look(let known, let moment):
                lookNow(known)
                look(at: &files)
                do {
                    try nightly.step(at: moment)
                } catch {
                    tell(Self.report("cannot delete what is too old", error))
                }
                if owed.isDue(at: moment) { put(.erase) }
            case .erase:
                do {
                    if try owed.step() { put(.erase) }
                } catch {
                    tell(Self.report("cannot go on with an erasure", error))
                }
            case .stop:
                ended.signal()
                return
            }
            done.add(1, ordering: .relaxed)
        }
    }

    private func commitNow(_ facts: [Fact]) -> Report {
        let begun = ContinuousClock.now
        defer { transactions.note(.now - begun) }
        do {
            try store.commit(facts)
            return .committed
        } catch {
            switch error {
            case .refused(_, let fact): return .refused(.never(error.description, fact: fact))
            case .corrupt: return Self.report("cannot store what was decided", error)
            default: return .refused(.later(error.description))
            }
        }
    }

    private func recallNow(_ recalls: [Recall]) {
        do throws(StoreError) {
            tell(.recalled(try store.recall(recalls)))
        } catch {
            tell(Self.report("cannot look up what somebody trained", error))
            tell(.recalled(nil))
        }
    }

    /// Does a write and those that wait behind it, in one transaction if it may be, and tells of each. Whether one of
    /// them may have begun an erasure.
    private func writeNow(_ first: LoopMailbox.Write, _ known: Int64) -> Bool {
        let plan = Result { try store.revisions().plan }
        let before = store.overridesWritten.load(ordering: .relaxed)
        var next: LoopMailbox.Write? = first
        var written: [(write: LoopMailbox.Write, result: Result<String, any Error>)] = []
        func work() {
            guard let write = next ?? takeWrite(behind: first) else { return }
            next = nil
            written.append(
                (
                    write,
                    write.begin()
                        ? Result { try write.work(store) } : .failure(LoopMailbox.Write.GivenUp())
                ))
        }
        if first.storing == .alone {
            work()
        } else {
            do throws(StoreError) {
                let begun = ContinuousClock.now
                let end = begun + Self.longestGroup
                defer { transactions.note(.now - begun) }
                try store.inOneTransaction {
                    let count = written.count
                    work()
                    return written.count > count && ContinuousClock.now < end
                }
            } catch {
                // Of what was undone nothing is to be waited for.
                store.overridesWritten.store(before, ordering: .relaxed)
                if written.isEmpty {
                    let isWaited = first.begin()
                    written = [(first, .failure(isWaited ? error : LoopMailbox.Write.GivenUp()))]
                }
                for index in written.indices where (try? written[index].result.get()) != nil {
                    written[index].result = .failure(error)
                }
            }
        }
        adoptNow(unless: plan, orIf: written.contains { $0.write.renames })
        tellClients()
        // Also of a refusal: who asks again is refused for what the first one did, and must find that.
        let revision = store.overridesWritten.load(ordering: .relaxed)
        // What cannot be read now the next look finds, and says what is wrong with the disk.
        var overrides = revision > known ? try? store.decisions() : nil
        for (write, result) in written {
            tell(.wrote(write, result, Decided(revision: revision, overrides: overrides)))
            overrides = nil
        }
        return written.contains { $0.write.erases }
    }

    /// The next job, if it is a write that may be done with others.
    private func takeWrite(behind first: LoopMailbox.Write) -> LoopMailbox.Write? {
        let write = jobs.withLock { jobs -> LoopMailbox.Write? in
            guard case .write(let write, _)? = jobs.first,
                write.storing == .together
            else { return nil }
            jobs.removeFirst()
            return write
        }
        guard write != nil else { return nil }
        // Each job comes with a signal.
        waiting.wait()
        done.add(1, ordering: .relaxed)
        return write
    }

    /// A plan that was written just now is told before the answer is. What fails here, or finds no room
    /// among the reports, the next look finds.
    private func adoptNow(unless old: Result<Int64, any Error>, orIf isRenamed: Bool) {
        guard case .success(let old) = old, let now = try? store.revisions().plan,
            now != old || isRenamed
        else { return }
        let known = isRenamed ? nil : old
        do {
            guard let (plan, names) = try store.changedRegistry(since: known) else { return }
            tell(.revised(plan, names, try store.decisions()))
        } catch {
            tell(.failed("cannot load the new revision: \(error)"))
        }
    }

    private func tellClients() {
        do throws(StoreError) {
            let found = try BrokerIdentities(store).policy()
            let isNew = clients.withLock { known in
                defer { known = found }
                return known != found
            }
            if isNew { tell(.clients(found)) }
        } catch {
            tell(.failed("cannot look who is enrolled: \(error)"))
        }
    }

    private func loadNow() -> Report {
        do {
            guard let (plan, names, saved) = try store.load() else {
                return .over(code: 78, reason: "the database holds no site any more")
            }
            return .restored(plan, names, saved, try store.decisions())
        } catch {
            let what = "cannot load what is stored"
            if case .corrupt = error { return Self.report(what, error) }
            // What is in memory is not what is stored, and must not be added to.
            return .over(code: Exit.unfinished, reason: "\(what): \(error)")
        }
    }

    /// Damage ends everything; other faults pass, or are tried again.
    private static func report(_ what: String, _ error: StoreError) -> Report {
        guard case .corrupt = error else { return .failed("\(what): \(error)") }
        return .over(code: Exit.damaged, reason: "\(what): \(error)")
    }

    /// Once in ten looks, at most an hour of holes: the loop must not wait for long.
    private func fillHoles() {
        guard looks.add(1, ordering: .relaxed).newValue.isMultiple(of: 10) else { return }
        do {
            _ = try CoarseStays(store).fillHoles()
        } catch {
            tell(.failed("cannot fill in where people were: \(error)"))
        }
    }

    private func lookNow(_ known: Revisions) {
        fillHoles()
        do {
            guard try store.revisions() != known else { return }
        } catch {
            tell(Self.report("cannot look for a new revision", error))
            return
        }
        do {
            guard let (plan, names) = try store.changedRegistry(since: nil) else { return }
            tell(.revised(plan, names, try store.decisions()))
        } catch {
            // It may be written by a newer release: the old plan stays in force.
            tell(.failed("cannot look for a new revision: \(error)"))
        }
    }
}
