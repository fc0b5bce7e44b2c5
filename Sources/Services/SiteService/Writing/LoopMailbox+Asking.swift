import Foundation
import Platform
import SiteStore
import Synchronization
import Wire

/// How other threads have something written: by the loop's mailbox, on the thread of the store.
extension LoopMailbox {
    /// Why there is no outcome.
    package enum Unanswered: Error {
        /// Nothing was done, nor will be.
        case refused
        /// It may be done.
        case late
    }

    /// Does something on the thread of the store; returns after it is stored, and what the machines
    /// made of it. Throws what `work` throws, or `Unanswered` after so many seconds. The loop does what `sequel` says
    /// of what `work` returned, when that is stored.
    package func ask<Value: Sendable>(
        within seconds: Double, renames: Bool = false, erases: Bool = false,
        storing: Write.Storing = .alone,
        then sequel: @escaping @Sendable (Value) -> Write.Sequel = { _ in Write.Sequel() },
        _ work: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value {
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let outcome = Outcome<Value>()
        let write = write(
            work, outcome, renames: renames, erases: erases, storing: storing, then: sequel
        ) {
            answer.yield()
            answer.finish()
        }
        guard put(write) else { throw Unanswered.refused }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { answer.finish() }
        for await _ in answers { break }
        return try outcome.value(of: write)
    }

    /// The same, for a thread that may wait.
    package func wait<Value: Sendable>(
        within seconds: Double, storing: Write.Storing = .alone,
        _ work: @escaping @Sendable (Store) throws -> Value
    ) throws -> Value {
        let answered = MonotonicSemaphore()
        let outcome = Outcome<Value>()
        let write = write(work, outcome, storing: storing) { answered.signal() }
        guard put(write) else { throw Unanswered.refused }
        answered.wait(seconds: seconds)
        return try outcome.value(of: write)
    }

    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (Store) throws -> Value, _ outcome: Outcome<Value>,
        renames: Bool = false, erases: Bool = false, storing: Write.Storing = .alone,
        then sequel: @escaping @Sendable (Value) -> Write.Sequel = { _ in Write.Sequel() },
        isOver done: @escaping @Sendable () -> Void
    ) -> Write {
        Write(renames: renames, erases: erases, storing: storing) { store in
            outcome.keep(Result { try work(store) })
            return ""
        } sequel: {
            outcome.done.map(sequel) ?? Write.Sequel()
        } reply: { [self] result in
            isOver()
            outcome.reply(result)
            done()
        }
    }

    /// What a write brought, from the thread of the store to who asked.
    private final class Outcome<Value: Sendable>: Sendable {
        private let state = Mutex<(found: Result<Value, any Error>?, isReplied: Bool)>((nil, false))

        func keep(_ result: Result<Value, any Error>) { state.withLock { $0.found = result } }

        /// What `work` returned, if it did.
        var done: Value? { state.withLock { try? $0.found?.get() } }

        /// The loop has taken it in.
        func reply(_ result: Result<String, any Error>) {
            state.withLock { state in
                state.isReplied = true
                if case .failure(let error) = result { state.found = .failure(error) }
            }
        }

        /// What is known when whoever asked waits no more.
        func value(of write: Write) throws -> Value {
            let (found, isReplied) = state.withLock { $0 }
            if isReplied, let found { return try found.get() }
            throw write.giveUp() ? Unanswered.refused : Unanswered.late
        }
    }
}
