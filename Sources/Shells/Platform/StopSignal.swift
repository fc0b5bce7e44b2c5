import Foundation
import Glibc
import Synchronization

/// SIGTERM, SIGINT and SIGHUP as something a loop can poll.
package enum StopSignal {
    private static let raised = Atomic<Bool>(false)
    private static let pipe = WakePipe()

    /// Takes over these signals, and ignores SIGPIPE: a peer that went away is an error of a call.
    /// SIGHUP, the end of a terminal, stays ignored where it was: `nohup` asked for that.
    package static func install() {
        _ = pipe.reading  // Made now: a signal handler may not be the first to touch it.
        signal(SIGPIPE, SIG_IGN)
        var numbers = sigset_t()
        sigemptyset(&numbers)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            var former = sigaction()
            sigaction(number, nil, &former)
            if number == SIGHUP, isIgnored(former) { continue }
            signal(number) { _ in StopSignal.raise() }
            sigaddset(&numbers, number)
        }
        // Our parent process may have blocked them, and that is inherited: threads of a pool do.
        pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Does what the signals do. May be called from a signal handler.
    package static func raise() {
        raised.store(true, ordering: .relaxed)
        pipe.wake()
    }

    /// Whether we were asked to stop.
    package static var isRaised: Bool { raised.load(ordering: .relaxed) }

    /// Readable once we were asked to stop.
    package static var descriptor: Int32 { pipe.reading }
}

/// A pipe to oneself: a byte in it makes a poll return.
package struct WakePipe: Sendable {
    /// The end to poll.
    package let reading: Int32
    private let writing: Int32

    /// A new pipe, open until the process ends or `close`.
    package init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "pipe: \(String(cString: strerror(errno)))")
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Makes the next poll return. May be called from a signal handler.
    package func wake() {
        var byte: UInt8 = 1
        // A full pipe is awake already.
        _ = write(writing, &byte, 1)
    }

    /// Takes all bytes out.
    package func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
    }
}

/// Runs a blocking function on a thread of its own.
package enum LoopThread {
    /// Runs `body` on a new thread and waits for it without blocking Swift's pool. Returns what it returns.
    ///
    /// - Throws: What `body` throws.
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }
}
