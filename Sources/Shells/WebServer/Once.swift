import Synchronization

/// Whether something has happened yet. May be asked and told from any thread.
final class Once: Sendable {
    private let flag = Atomic(false)

    var hasHappened: Bool { flag.load(ordering: .acquiring) }

    func happened() { flag.store(true, ordering: .releasing) }
}
