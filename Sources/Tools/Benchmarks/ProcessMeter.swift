import Glibc
import Platform

/// Reads how much processor time another process has used.
struct ProcessMeter {
    /// A reading.
    struct Reading {
        fileprivate let used: Double
        fileprivate let watch = Stopwatch()
    }

    private let clock: clockid_t

    /// Of a process that runs.
    init(of child: Child) throws(BenchFailure) {
        guard let process = child.processIdentifier else {
            throw .failed("\(child.name) has ended")
        }
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else {
            throw .failed("the system has no clock of \(child.name)")
        }
        self.clock = clock
    }

    /// Reads it now.
    func read() throws(BenchFailure) -> Reading {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw .failed("the process has ended") }
        return Reading(used: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// The share of one core since a reading, in percent.
    func percent(since reading: Reading) throws(BenchFailure) -> Double {
        let now = try read()
        return (now.used - reading.used) / reading.watch.seconds * 100
    }
}
