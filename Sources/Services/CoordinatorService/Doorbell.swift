import Synchronization
import Platform

/// A bounded queue into the loop, with a pipe that wakes it once per batch.
///
/// Any thread may put; only the loop takes. A full queue refuses, and the caller decides what that
/// means; only results that the loop waits for are never refused.
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
    func put(_ item: Item) -> Bool { put(item, among: capacity) }

    /// Puts a result that the loop asked for and waits for, also into a full queue. The loop asks for
    /// few at a time, so that the queue stays bounded by `capacity` and as many as that.
    func putReserved(_ item: Item) { put(item, among: .max) }

    @discardableResult
    private func put(_ item: Item, among most: Int) -> Bool {
        let (isFull, isFirst) = items.withLock { items in
            guard items.count < most else { return (true, false) }
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
