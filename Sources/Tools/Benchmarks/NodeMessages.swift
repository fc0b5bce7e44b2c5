import NodeEngine
import NodePipeline
import Simulation
import SiteModel
import Wire

/// What all nodes of a site say while people walk about: frames, readings and beats in the mixture
/// real nodes send them, made by the nodes' own core. All of quality 0 and not kept.
struct NodeMessages {
    private var world: World
    private var cores: [NodeCore] = []
    private var voices: [NodeVoice] = []

    /// The messages of a site from a moment on.
    init(_ site: BenchSite, seed: UInt64, from start: Timestamp) {
        let (layout, people) = (site.demo.layout, site.demo.people)
        world = World(layout, people: people, pace: .live, seed: seed, from: start, strays: 4)
        var configuration = NodeConfiguration(
            profile: .ranging, publishesUnregistered: false, maximumRange: 100)
        configuration.policy.known = people.map(\.identity)
        configuration.slugs = people.map(\.beaconSlug)
        for (index, node) in layout.nodes.enumerated() {
            let boot = UInt64(index + 1)
            var core = NodeCore(boot: boot, policy: configuration.policy, at: start)
            _ = core.adapter(.up, at: start)
            cores.append(core)
            voices.append(
                NodeVoice(
                    site: site.names.site, node: node.slug, boot: boot, startedAt: start,
                    introduction: NodeVoice.Introduction(version: "bench", source: "bench"),
                    configuration: configuration))
        }
    }

    /// The next `count` messages, or a few more: whole seconds.
    mutating func take(_ count: Int) -> [Publication] {
        var messages: [Publication] = []
        messages.reserveCapacity(count + 200)
        while messages.count < count { second(into: &messages) }
        return messages
    }

    private mutating func second(into messages: inout [Publication]) {
        let end = Timestamp(second: world.now.second + 1)
        let people = world.people
        world.advance(to: end) { emission in
            cores[emission.node].heard(emission.packet(of: people).span, at: emission.at)
        }
        for index in cores.indices {
            for effect in cores[index].tick(at: end) {
                let gauges = NodeVoice.Gauges(wall: end, isSynced: true)
                for message in voices[index].publications(for: effect, gauges: gauges)
                where message.quality == 0 && !message.isRetained {
                    messages.append(message)
                }
            }
        }
    }
}
