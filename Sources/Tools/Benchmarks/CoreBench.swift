import SiteEngine
import SitePipeline
import Platform

/// `core-inputs`: inputs a second through a site's machines, twelve people at eleven nodes.
/// `wire-inputs`: the same as messages through the pipeline, facts taken for stored at once.
enum CoreBench {
    private static let people = 12

    static func run(_ context: BenchContext) throws -> [Figure] {
        let site = try BenchSite(
            people: people, seed: context.seed, in: context.directory("core"),
            from: BenchContext.start)
        var inputs = SiteInputs(site, seed: context.seed, from: BenchContext.start)
        let steps = inputs.steps(seconds: context.amount(quick: 600, full: 1800))
        let core = try context.limited(to: context.left / 2).samples { _ in
            Double(steps.count) / (try throughMesh(steps, of: site))
        }
        let wire = try context.samples { _ in
            Double(steps.count) / (try throughPipeline(steps, of: site))
        }
        return [
            Figure("core-inputs", unit: "inputs/s", core),
            Figure("wire-inputs", unit: "inputs/s", wire),
        ]
    }

    /// The seconds it took.
    private static func throughMesh(
        _ steps: [SiteInputs.Step], of site: BenchSite
    ) throws(BenchFailure) -> Double {
        var mesh = Mesh(plan: site.plan, restoring: site.saved)
        var decisions: [Decision] = []
        var facts = 0
        let watch = Stopwatch()
        for step in steps {
            mesh.handle(step.input, at: step.at, into: &decisions)
            for case .fact in decisions { facts += 1 }
            decisions.removeAll(keepingCapacity: true)
        }
        let seconds = watch.seconds
        guard facts > 0 else { throw .failed("so many minutes decided nothing") }
        return seconds
    }

    private static func throughPipeline(
        _ steps: [SiteInputs.Step], of site: BenchSite
    ) throws(BenchFailure) -> Double {
        var pipeline = Pipeline(plan: site.plan, names: site.names, saved: site.saved)
        _ = pipeline.connected(at: BenchContext.start)
        var told = 0
        let watch = Stopwatch()
        for step in steps {
            var effects: [Pipeline.Effect]
            if let message = step.message {
                effects = pipeline.heard(
                    topic: message.topic, payload: message.payload.span, isRetained: false,
                    at: step.at)
            } else {
                effects = pipeline.tick(at: step.at)
            }
            while !pipeline.isSettled { effects += pipeline.committed() }
            told += effects.count
        }
        let seconds = watch.seconds
        guard pipeline.counts.refused.isEmpty, told > 0 else {
            throw .failed("the pipeline refused \(pipeline.counts.refused)")
        }
        return seconds
    }
}
