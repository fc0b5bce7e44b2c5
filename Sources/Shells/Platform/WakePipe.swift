import Glibc

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
