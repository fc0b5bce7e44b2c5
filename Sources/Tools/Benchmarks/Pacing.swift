import Glibc
import Platform

/// Spreads a simulated hour over some real seconds, and watches a process while it passes.
struct Pacing {
    /// Simulated seconds in all.
    static let hour = 3600

    private let watch = Stopwatch()
    private let seconds: Double
    private let context: BenchContext
    private var nextLook = 0.0
    /// What was seen, four times a real second.
    private(set) var seen: [Double] = []

    /// An hour in so many real seconds, longer if it has to be; in a quick run it ends early then.
    init(seconds: Double, in context: BenchContext) {
        self.seconds = seconds
        self.context = context
    }

    /// Waits until it is time for a simulated second. `false` if there is no time left for it.
    mutating func begin(
        _ second: Int, look: () throws -> Double, pause: (Double) throws -> Void
    ) throws -> Bool {
        try context.goOn()
        if watch.seconds >= nextLook {
            nextLook = watch.seconds + 0.25
            seen.append(try look())
        }
        let early = Double(second) / Double(Self.hour) * seconds - watch.seconds
        if early > 0.002 { try pause(early * 1000) }
        // Two seconds for the last look and for stopping.
        guard context.left > 2 else {
            context.say("time is up after \(second / 60) of 60 simulated minutes")
            return false
        }
        return true
    }
}
