import Foundation
import Operations
import Platform
import Records
import SiteModel
import SiteStore

/// A site that the command line writes: through the coordinator that runs it, else as its owner.
package struct SiteAccess {
    private enum Way {
        case asked(LocalClient)
        /// The lock is held for as long as this is.
        case owned(DatabaseLock)
    }

    /// For looking up what is written about. Opened for reading only while a coordinator runs.
    package let store: Store
    private let way: Way
    private let asker: String

    /// Between two attempts at a database that somebody has, in seconds.
    private static let pause = 0.05

    /// Opens the site in `database` for `body`, the one way in which a verb writes: a running
    /// coordinator is asked through the socket beside the database; if none runs, the file is written
    /// here, and this process is its owner until then. Another owner is waited for, so many seconds.
    ///
    /// `asker` is who asks, for the audit. `isMade`: the file is made if it is not there. Throws a
    /// `StoreError` if the file cannot be opened, an `Exit` if somebody has it and cannot be asked, and
    /// what `body` throws.
    package static func with<Value>(
        _ database: String, as asker: String, isMade: Bool = false,
        patience: Double = Store.patience, _ body: (SiteAccess) throws -> Value
    ) throws -> Value {
        do throws(StoreError) {
            // Before a lock is left beside what is no database.
            try Store.refuseNoDatabase(database)
        } catch {
            guard isMade, error == .missing(path: database) || error == .empty(path: database)
            else {
                throw error
            }
        }
        let access = try opened(
            database, as: asker, isMade: isMade, patience: patience)
        defer {
            access.store.close()
            withExtendedLifetime(access) {}
        }
        return try body(access)
    }

    /// Writes, and returns after it is stored. Throws why not.
    package func write(_ write: SiteWrite) throws(WriteFault) -> SiteWritten {
        switch way {
        case .asked(let client): return try client.ask(LocalRequest(asker: asker, write: write))
        case .owned:
            var run = WriteRun(write, by: asker)
            do {
                if case .erase = write { try Erasures(store).settle() }
                while true {
                    if let written = try run.step(on: store, at: AnchoredClock().now) {
                        return written
                    }
                    Thread.sleep(forTimeInterval: run.pause)
                }
            } catch {
                throw run.fault(error)
            }
        }
    }

    /// Does what an operation says with what is typed, and returns after it is stored: JSON, or nothing.
    ///
    /// - Throws: Why not, as `write`.
    package func perform(
        _ operation: Operation, _ typed: Given.Texts
    ) throws(WriteFault) -> [UInt8] {
        switch way {
        case .asked(let client):
            let request: Operation.Request
            do throws(InputFault) {
                request = try operation.request(typed)
            } catch {
                throw WriteFault(error)
            }
            return try client.ask(request, as: asker)
        case .owned:
            do {
                return try operation.answer(typed, by: asker, in: store)
            } catch {
                throw WriteFault(error)
            }
        }
    }

    /// Asks the coordinator that has a database for any path, as its owner. Throws an `Exit` with 69 if
    /// none runs, with 78 if there is no database. An answer is waited for so many seconds; `nil` is as
    /// long as the longest write may take.
    package static func ask(
        _ database: String, _ method: String, _ path: String, _ headers: [(String, String)],
        _ body: Data, patience: Int? = nil
    ) throws -> (status: Int, head: String, body: Data) {
        do throws(StoreError) {
            try Store.refuseNoDatabase(database)
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
        let client = LocalClient(socket: try socket(of: database))
        guard try isAnswered(client) else {
            throw Exit(code: 69, text: "no coordinator runs \(database): start it, then ask again")
        }
        do {
            return try client.exchange(
                method, path, headers, body, patience: patience ?? LocalClient.patience)
        } catch {
            throw Exit(code: Exit.unfinished, text: "the coordinator did not answer: \(error)")
        }
    }

    /// Whether a coordinator runs a database on this machine, and takes requests of ours.
    package static func isAnswered(_ database: String) -> Bool {
        (try? LocalClient(socket: socket(of: database)).isAnswered()) ?? false
    }

    /// The socket beside a database.
    package static func socket(of database: String) throws(LocalSocket.Fault) -> LocalSocket {
        try LocalSocket(DatabaseLock.resolved(database) + ".sock")
    }

    private static func opened(
        _ database: String, as asker: String, isMade: Bool, patience: Double
    ) throws -> SiteAccess {
        let client = (try? socket(of: database)).map { LocalClient(socket: $0) }
        let deadline = ContinuousClock.now + .seconds(patience)
        while true {
            if let client, try isAnswered(client) {
                return SiteAccess(
                    store: try Store(reading: database), way: .asked(client), asker: asker)
            }
            do throws(StoreError) {
                return try owned(database, as: asker, isMade: isMade)
            } catch {
                guard case .owned(let path, let holder) = error else { throw error }
                guard ContinuousClock.now < deadline else {
                    throw Self.silent(path, holder, client?.socket.path)
                }
                Thread.sleep(forTimeInterval: pause)
            }
        }
    }

    private static func owned(
        _ database: String, as asker: String, isMade: Bool
    ) throws(StoreError) -> SiteAccess {
        let lock = try DatabaseLock(of: database, by: "beaconmesh", at: AnchoredClock().now)
        let store =
            isMade
            ? try Store(path: database, backups: BackupFolder(of: database), under: lock)
            : try Store(existing: database, under: lock)
        return SiteAccess(store: store, way: .owned(lock), asker: asker)
    }

    private static func isAnswered(_ client: LocalClient) throws -> Bool {
        do {
            return try client.isAnswered()
        } catch {
            throw Exit(
                code: 77,
                text: """
                    \(client.socket.path): \(error): ask as the user who runs the coordinator, or as \
                    root
                    """)
        }
    }

    private static func silent(
        _ path: String, _ holder: DatabaseLock.Holder?, _ socket: String?
    ) -> Exit {
        let who = holder?.description ?? "another process"
        return Exit(
            code: Exit.unfinished,
            text: """
                \(path): \(who) has it and takes no requests at \(socket ?? "a socket beside it"): a \
                coordinator of an older release does not, nor one whose log says why. Restart it with \
                this release, or end it; other programs are waited for. Nothing was written.
                """)
    }
}
