import Platform
import SitePipeline
import Synchronization

/// What phones sent over MQTT, for the one task that stores it: as many as wait at once.
package final class SampleQueue: Sendable {
    /// The most that wait; what is more is refused.
    package static let most = 4096

    private let waiting = Mutex<[IngestRequest]>([])
    /// Something came since the last look.
    package let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Leaves one; `false` if too many wait.
    package func put(_ request: IngestRequest) -> Bool {
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < Self.most else { return false }
            waiting.append(request)
            return true
        }
        if isTaken { arrived.yield() }
        return isTaken
    }

    /// Takes the oldest, at most so many.
    package func take(most: Int) -> [IngestRequest] {
        waiting.withLock { waiting in
            let taken = Array(waiting.prefix(most))
            waiting.removeFirst(taken.count)
            return taken
        }
    }
}

/// Whose day has changed, for whoever tells it.
package final class ChangedDays: Sendable {
    private let users = Mutex<(some: Set<String>, areAll: Bool)>(([], false))
    private let bell = NotifierBell()

    /// Somebody's has; `nil`: everybody's may have.
    package func changed(_ user: String?) {
        users.withLock { users in
            if let user { users.some.insert(user) } else { users.areAll = true }
        }
        bell.ring()
    }

    /// Whose have since the last call.
    package func take() -> (some: Set<String>, areAll: Bool) {
        users.withLock { users in
            defer { users = ([], false) }
            return users
        }
    }

    /// Waits until one has, or so many seconds at most.
    package func wait(seconds: Double) { bell.wait(seconds: seconds) }

    /// Wakes who waits, though none has.
    package func wake() { bell.ring() }
}
