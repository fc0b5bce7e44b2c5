import Glibc

/// A counting semaphore whose waits last as long as they are told to, whatever happens to the wall
/// clock meanwhile.
///
/// A condition variable waits until a moment of the clock that its attributes name
/// (pthread_condattr_setclock(3)); here that is CLOCK_MONOTONIC, which nobody can set
/// (clock_gettime(2)). libdispatch's semaphores and groups and Foundation's conditions wait until a
/// moment of CLOCK_REALTIME on Linux, also for a `DispatchTime`: set back by an hour, such a wait
/// lasts an hour longer. Time in which the machine sleeps does not count.
///
/// Any thread may signal and wait, but none of Swift's pool: a wait blocks its thread.
///
/// `@unchecked`: `count` is read and changed only while `mutex` is locked, the pointers never change,
/// and what they point to is used by calls of C alone, which may be made from any thread.
package final class MonotonicSemaphore: @unchecked Sendable {
    /// The longest wait, in seconds, so that no moment overflows: about thirty years.
    private static let longest = 1e9

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count = 0

    /// Nothing is signalled yet.
    package init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        Self.check("pthread_mutex_init", pthread_mutex_init(mutex, nil))
        Self.check("pthread_condattr_init", pthread_condattr_init(&attributes))
        Self.check(
            "pthread_condattr_setclock", pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
        Self.check("pthread_cond_init", pthread_cond_init(condition, &attributes))
        Self.check("pthread_condattr_destroy", pthread_condattr_destroy(&attributes))
    }

    // Who waits or signals holds a reference, so that nobody is in a call any more.
    deinit {
        Self.check("pthread_cond_destroy", pthread_cond_destroy(condition))
        Self.check("pthread_mutex_destroy", pthread_mutex_destroy(mutex))
        condition.deallocate()
        mutex.deallocate()
    }

    /// Lets one wait end: one that is under way, or else the next.
    package func signal() {
        locked {
            count += 1
            Self.check("pthread_cond_signal", pthread_cond_signal(condition))
        }
    }

    /// Waits for a signal, and uses it up.
    package func wait() {
        locked {
            while count == 0 {
                Self.check("pthread_cond_wait", pthread_cond_wait(condition, mutex))
            }
            count -= 1
        }
    }

    /// Waits for a signal so many seconds at most, and uses it up; with 0 or less it does not wait.
    /// `false` if there was none in time.
    @discardableResult
    package func wait(seconds: Double) -> Bool {
        var end = Self.moment(after: seconds)
        return locked {
            var isLate = false
            while count == 0, !isLate {
                let code = pthread_cond_timedwait(condition, mutex, &end)
                isLate = code == ETIMEDOUT
                if !isLate { Self.check("pthread_cond_timedwait", code) }
            }
            guard count > 0 else { return false }
            count -= 1
            return true
        }
    }

    private func locked<Value>(_ work: () -> Value) -> Value {
        // Or the last reference might go before the mutex is unlocked.
        withExtendedLifetime(self) {
            Self.check("pthread_mutex_lock", pthread_mutex_lock(mutex))
            defer { Self.check("pthread_mutex_unlock", pthread_mutex_unlock(mutex)) }
            return work()
        }
    }

    /// So many seconds from now, by the clock of the condition.
    private static func moment(after seconds: Double) -> timespec {
        var time = timespec()
        check("clock_gettime", clock_gettime(CLOCK_MONOTONIC, &time))
        let span = min(max(seconds, 0), longest)
        let whole = span.rounded(.down)
        time.tv_sec += Int(whole)
        time.tv_nsec += Int(((span - whole) * 1e9).rounded(.up))
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        return time
    }

    /// These calls fail only for arguments that are wrong.
    private static func check(_ call: StaticString, _ code: Int32) {
        precondition(code == 0, "\(call): \(String(cString: strerror(code)))")
    }
}
