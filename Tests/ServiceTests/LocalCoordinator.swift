@testable import CoordinatorService
@testable import Platform
@testable import SiteStore
import Accounts
@testable import WebServer
import Foundation
import Synchronization
@testable import SiteService

/// What a running coordinator is to the command line: it holds the lock of a database, and answers at
/// the socket beside it. A thread in the place of the loop does what lies on the mailbox.
final class LocalCoordinator: Sendable {
    let status = SharedStatus()
    let store: Store
    let socket: LocalSocket
    private let mailbox = LoopMailbox()
    private let lock: DatabaseLock
    private let isStopping = Mutex(false)
    /// What went wrong with the socket.
    private let failure = Mutex<String?>(nil)

    init(of database: String) throws {
        lock = try DatabaseLock(of: database, by: "beacon-coordinator", at: AnchoredClock().now)
        store = try Store(existing: database, under: lock)
        socket = try SiteAccess.socket(of: database)
        socket.removeSocket()
    }

    /// Serves for as long as `body` takes; this runs on a thread that may wait. Returns what `/metrics`
    /// says of connections at the end.
    @discardableResult
    func running(_ body: @escaping @Sendable () throws -> Void) async throws -> String {
        let (events, event) = AsyncStream.makeStream(of: Void.self)
        let desk = WriteDesk(
            store: store, mailbox: mailbox, clock: AnchoredClock(),
            directory: AccountDirectory(), feed: LiveFeed())
        let executor = Executor(desk, once: Replays(desk))
        let listener = LocalListener(
            path: socket.name,
            routes: LocalRoutes(desk) { [status] in status.update { $0.localRefusals += 1 } }.all
                + SiteService.Operation.all.map { Route($0, executor) }
        ) { [socket] in
            _ = socket.closeToOthers()
            event.finish()
        } onFailure: { [self] reason in
            failure.withLock { $0 = reason }
            event.finish()
        }
        let server = WebServer(
            host: "127.0.0.1", port: 0, feed: LiveFeed(),
            access: Access(Authority(token: { _ in nil })),
            health: status.health, local: listener)
        Thread.detachNewThread { [self] in
            while !isStopping.withLock({ $0 }) {
                for case .write(let write) in mailbox.bell.take() where write.begin() {
                    var result: Result<String, any Error> = .failure(CancellationError())
                    do {
                        try store.inOneTransaction {
                            result = Result { try write.work(store) }
                            return false
                        }
                    } catch {
                        result = .failure(error)
                    }
                    write.reply(result)
                }
                usleep(2000)
            }
        }
        defer {
            isStopping.withLock { $0 = true }
            store.close()
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { _ in } }
            for await _ in events {}
            if let failure = failure.withLock({ $0 }) { throw Failure(reason: failure) }
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
            }
            group.cancelAll()
            return server.connections.metrics
        }
    }

    struct Failure: Error { var reason: String }

    /// Sends bytes as they are and returns all that comes back.
    func exchange(_ text: String) throws -> String {
        let descriptor = try socket.connected()
        defer { close(descriptor) }
        var wait = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array(text.utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            answer += buffer.prefix(count)
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// A request to the path of writes.
    func post(_ body: String, host: String = "localhost", more: String = "") throws -> String {
        try exchange(
            """
            POST /local/v1/write HTTP/1.1\r
            Host: \(host)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \(more)\r
            \(body)
            """)
    }
}
