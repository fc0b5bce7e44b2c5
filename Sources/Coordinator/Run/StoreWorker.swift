import Foundation
import MeshCore
import MeshWire
import Storage
import Synchronization

/// The one thread that writes a site's database: one transaction at a time, results back to the
/// loop through its doorbell.
final class StoreWorker: Sendable {
    /// What the loop is told.
    enum Report: Sendable {
        case committed
        case refused(Pipeline.Refusal)
        /// What is stored, after facts were refused.
        case restored(Plan, Names, Saved, Overrides)
        /// Somebody wrote beside us: a new revision was imported, or people decided something.
        case revised(Plan, Names, Overrides)
        /// What was asked for is written, or refused; what people decided by it, if it is not known.
        case wrote(LoopDesk.Write, Result<String, any Error>, Overrides?)
        case failed(String)
        /// Nothing can be stored any more; the exit code of the process, and why.
        case over(code: Int32, reason: String)
    }

    /// By what it is noticed that others wrote the file: of the plan, and of the overrides.
    typealias Revisions = (plan: Int64, overrides: Int64)

    private enum Job: Sendable {
        case commit([Fact])
        case note(refused: String, reason: String, at: Timestamp)
        case load
        case write(LoopDesk.Write, known: Int64)
        case look(known: Revisions, at: Timestamp)
        case stop
    }

    private let store: Store
    private let reports: Doorbell<Report>
    private let jobs = Mutex<[Job]>([])
    /// Jobs given to the thread so far, and done by it.
    private let given = Atomic<Int>(0)
    private let done = Atomic<Int>(0)
    /// Looks since holes were filled.
    private let looks = Atomic<Int>(0)
    private let waiting = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// A worker on an open store; its thread runs until `stop`.
    init(store: Store, reports: Doorbell<Report>) {
        self.store = store
        self.reports = reports
        Thread.detachNewThread { self.run() }
    }

    /// Stores facts in one transaction; `committed` or `refused` follows.
    func commit(_ facts: [Fact]) { put(.commit(facts)) }

    /// Notes facts that were refused for good, then loads what is stored; `restored` follows.
    func restore(refused: [Fact], reason: String, at now: Timestamp) {
        put(.note(refused: "\(refused)", reason: reason, at: now))
        put(.load)
    }

    /// Does what somebody asked for, in its own transaction; `wrote` follows. `known` is the revision
    /// of the overrides that the machines know.
    func write(_ write: LoopDesk.Write, known: Int64) { put(.write(write, known: known)) }

    /// Looks whether other revisions than `known` are in force; `revised` follows if so. Also
    /// deletes some of what is too old, when it is time for that. To be called about once a second.
    func look(known: Revisions, at now: Timestamp) { put(.look(known: known, at: now)) }

    /// How many jobs are done, and whether others wait or are under way.
    var progress: (done: Int, isBusy: Bool) {
        let count = done.load(ordering: .relaxed)
        return (count, count < given.load(ordering: .relaxed))
    }

    /// Ends the thread after everything asked for so far, and waits for it so many seconds at most.
    func stop(within seconds: Double) {
        put(.stop)
        _ = ended.wait(timeout: .now() + seconds)
    }

    private func put(_ job: Job) {
        given.add(1, ordering: .relaxed)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }

    private func run() {
        var nightly = NightlyRetention(store: store)
        while true {
            waiting.wait()
            switch jobs.withLock({ $0.removeFirst() }) {
            case .commit(let facts): reports.put(commitNow(facts))
            case .note(let refused, let reason, let moment):
                if let error = store.recordRefused(input: refused, reason: reason, at: moment) {
                    reports.put(.failed("cannot note refused facts: \(error)"))
                }
            case .load: reports.put(loadNow())
            case .write(let write, let known): reports.put(writeNow(write, known))
            case .look(let known, let moment):
                lookNow(known)
                do {
                    try nightly.step(at: moment)
                } catch {
                    reports.put(Self.report("cannot delete what is too old", error))
                }
            case .stop:
                ended.signal()
                return
            }
            done.add(1, ordering: .relaxed)
        }
    }

    private func commitNow(_ facts: [Fact]) -> Report {
        do {
            try store.commit(facts)
            return .committed
        } catch {
            switch error {
            case .refused: return .refused(.never(error.description))
            case .corrupt: return Self.report("cannot store what was decided", error)
            default: return .refused(.later(error.description))
            }
        }
    }

    private func writeNow(_ write: LoopDesk.Write, _ known: Int64) -> Report {
        let result = Result { try write.work(store) }
        do {
            let isKnown = try store.revisions().overrides == known
            return .wrote(write, result, isKnown ? nil : try store.overrides())
        } catch {
            // The next look finds them, and says what is wrong with the disk.
            return .wrote(write, result, nil)
        }
    }

    private func loadNow() -> Report {
        do {
            guard let (plan, names, saved) = try store.load() else {
                return .over(code: 78, reason: "the database holds no site any more")
            }
            return .restored(plan, names, saved, try store.overrides())
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
            _ = try store.fillHoles()
        } catch {
            reports.put(.failed("cannot fill in where people were: \(error)"))
        }
    }

    private func lookNow(_ known: Revisions) {
        fillHoles()
        do {
            guard try store.revisions() != known else { return }
        } catch {
            reports.put(Self.report("cannot look for a new revision", error))
            return
        }
        do {
            guard let (plan, names, _) = try store.load() else { return }
            reports.put(.revised(plan, names, try store.overrides()))
        } catch {
            // It may be written by a newer release: the old plan stays in force.
            reports.put(.failed("cannot look for a new revision: \(error)"))
        }
    }
}
