import Platform

/// Wakes the notifier: there is something to tell, to deliver or to note.
package final class NotifierBell: Sendable {
    private let rings = MonotonicSemaphore()

    package func ring() { rings.signal() }

    /// Waits until somebody rings, or so many seconds at most. Rings that nobody waited for count once.
    package func wait(seconds: Double) {
        guard rings.wait(seconds: seconds) else { return }
        while rings.wait(seconds: 0) {}
    }
}
