import Platform
import SiteModel
import SitePipeline

/// `crowd-second`, `crowd-second-p99`: how long the coordinator's machines are busy with one second of a full gym:
/// the frames of eleven nodes that hear 200 members, most of them there, with workouts that begin by themselves;
/// facts taken for stored at once.
enum CrowdBench {
    static let figures = ["crowd-second", "crowd-second-p99"]
    private static let people = 200
    /// So many seconds pass before it is measured: people come in.
    private static let warmUp = 60
    /// The most of a second that may go by with it, in milliseconds.
    private static let bar = 100.0

    static func run(_ context: BenchContext) throws -> [Figure] {
        let site = try BenchSite(
            people: people, seed: context.seed, in: context.directory("crowd"),
            from: BenchContext.start)
        var plan = site.plan
        for index in plan.stations.indices {
            plan.stations[index].timing = Station.Timing(autoStart: 20)
        }
        var inputs = SiteInputs(site, seed: context.seed, from: BenchContext.start)
        var pipeline = Pipeline(plan: plan, names: site.names, saved: site.saved)
        _ = pipeline.connected(at: BenchContext.start)
        var times: [Double] = []
        for second in 0..<(warmUp + context.amount(quick: 30, full: 600)) {
            let steps = inputs.next()
            let watch = Stopwatch()
            for step in steps {
                if let message = step.message {
                    _ = pipeline.heard(
                        topic: message.topic, payload: message.payload.span, isRetained: false,
                        at: step.at)
                } else {
                    _ = pipeline.tick(at: step.at)
                }
                while !pipeline.isSettled { _ = pipeline.committed() }
            }
            if second >= warmUp { times.append(watch.seconds * 1000) }
        }
        guard pipeline.counts.refused.isEmpty else {
            throw BenchFailure.failed("the pipeline refused \(pipeline.counts.refused)")
        }
        times.sort()
        return [
            Figure("crowd-second", unit: "ms", Samples(rounds: times)),
            Figure(
                "crowd-second-p99", unit: "ms",
                Samples(rounds: [times[(times.count - 1) * 99 / 100]]), bar: .atMost(bar)),
        ]
    }
}
