import Glibc

/// The end of a pipe that SIGTERM and SIGINT write to: written before the first of them can come,
/// and never again, so that the handler may read it at any time.
nonisolated(unsafe) private var stopPipe: Int32 = -1

/// SIGTERM and SIGINT as something to poll.
struct StopSignal {
    /// Readable once one of them has come.
    let descriptor: Int32

    /// Takes both signals over. One per process.
    init() {
        var ends: [Int32] = [-1, -1]
        precondition(stopPipe < 0 && pipe(&ends) == 0, "no pipe for signals")
        descriptor = ends[0]
        stopPipe = ends[1]
        var numbers = sigset_t()
        sigemptyset(&numbers)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                var byte: UInt8 = 1
                _ = write(stopPipe, &byte, 1)
            }
            sigaddset(&numbers, number)
        }
        // Whoever started us may have blocked them, and that is inherited: threads of a pool do.
        pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    }
}
