import Glibc
import Platform
import SiteModel

/// `memory-coordinator`: what a real coordinator process holds after an hour of frames of eleven
/// nodes that hear two hundred tags, fed through a real broker in less time than that.
enum CoordinatorMemoryBench {
    private static let people = 200

    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("coordinator")
        let rig = try BenchRig(folder: folder)
        defer { rig.stop() }
        let now = AnchoredClock().now
        let site = try BenchSite(people: people, seed: context.seed, in: folder, from: now)
        let child = try rig.startCoordinator(of: site)
        let firehose = try Firehose(
            site: site.names.site, port: rig.port, watched: [site.topics[.beaconState, "+"]],
            goOn: { try context.goOn() })

        var inputs = SiteInputs(
            site, seed: context.seed, from: Timestamp(second: now.second + 1))
        var pacing = Pacing(seconds: context.amount(quick: 5, full: 40), in: context)
        for second in 0..<Pacing.hour {
            let isInTime = try pacing.begin(
                second, look: { try rig.residentMegabytes(of: child) },
                pause: { try firehose.pause(milliseconds: $0) })
            guard isInTime else { break }
            for step in inputs.next() {
                if let message = step.message { try firehose.send(message) }
            }
        }
        try firehose.settle()
        try firehose.pause(milliseconds: 500)
        guard firehose.heardTopics > people / 4 else {
            throw BenchFailure.failed(
                "the coordinator told of \(firehose.heardTopics) of \(people) beacons only")
        }
        let seen = pacing.seen + [try rig.residentMegabytes(of: child)]
        return [
            Figure("memory-coordinator", unit: "MB", Samples(watched: seen), bar: .atMost(45))
        ]
    }
}

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
