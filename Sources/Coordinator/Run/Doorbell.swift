import Glibc
import Synchronization

/// A bounded queue into the loop, with a pipe that wakes it once per batch.
///
/// Any thread may put; only the loop takes.
final class Doorbell<Item: Sendable>: Sendable {
    private let pipe = WakePipe()
    private let capacity: Int
    private let items = Mutex<[Item]>([])

    /// An empty queue for at most `capacity` items.
    init(capacity: Int) { self.capacity = capacity }

    /// The descriptor to poll for reading.
    var descriptor: Int32 { pipe.reading }

    /// Puts an item and wakes the loop. `false` if the queue is full.
    @discardableResult
    func put(_ item: Item) -> Bool {
        let (isFull, isFirst) = items.withLock { items in
            guard items.count < capacity else { return (true, false) }
            items.append(item)
            return (false, items.count == 1)
        }
        if isFirst { pipe.wake() }
        return !isFull
    }

    /// Takes everything.
    func take() -> [Item] {
        pipe.drain()
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}

/// A pipe to oneself: a byte in it makes a poll return.
struct WakePipe: Sendable {
    /// The end to poll.
    let reading: Int32
    private let writing: Int32

    /// A new pipe, open until the process ends or `close`.
    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "pipe: \(String(cString: strerror(errno)))")
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Makes the next poll return. May be called from a signal handler.
    func wake() {
        var byte: UInt8 = 1
        // A full pipe is awake already.
        _ = write(writing, &byte, 1)
    }

    /// Takes all bytes out.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
    }
}
