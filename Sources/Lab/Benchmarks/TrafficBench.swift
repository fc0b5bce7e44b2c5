import Basics
import NodeEngine
import NodePipeline
import Simulation
import SiteModel
import Wire

/// `traffic-…`: the bytes a day a node sends for forty tags at rest in each profile, by topic, made
/// by the node's own core over simulated minutes.
enum TrafficBench {
    private static let tags = 40
    private static let profiles: [(name: String, profile: NodeConfigurationPayload.Profile)] = [
        ("ranging", .ranging), ("sparse", .sparse),
    ]
    private static let parts = ["frame", "rssi", "beat", "rest"]

    /// The sum and the parts of each profile.
    static let figures = profiles.flatMap { profile in
        ["traffic-\(profile.name)"] + parts.map { "traffic-\(profile.name)-\($0)" }
    }

    static func run(_ context: BenchContext) throws -> [Figure] {
        let minutes = context.amount(quick: 10, full: 60)
        return try profiles.flatMap { name, profile in
            let bytes = try measure(profile, seed: context.seed, minutes: minutes)
            let days = Double(minutes) / (24 * 60)
            let megabytes = bytes.map { $0 / days / 1e6 }
            return [
                Figure(
                    "traffic-\(name)", unit: "MB/day",
                    Samples(rounds: [megabytes.reduce(0, +)]))
            ]
                + zip(parts, megabytes).map { part, value in
                    Figure(
                        "traffic-\(name)-\(part)", unit: "MB/day", Samples(rounds: [value]))
                }
        }
    }

    /// The bytes of `minutes` minutes, by part.
    private static func measure(
        _ profile: NodeConfigurationPayload.Profile, seed: UInt64, minutes: Int
    ) throws -> [Double] {
        let traffic = AirTraffic(seed: seed)
        let payload = NodeConfigurationPayload(
            rev: 1, profile: profile, publishUnregistered: false, maxRangeM: 1000,
            beacons: Array(traffic.beacons.prefix(tags)))
        let json = payload.json
        let configuration = try NodeConfiguration(json: json.span)
        let start = BenchContext.start
        var core = NodeCore(boot: 1, policy: configuration.policy, at: start)
        let voice = NodeMessageEncoder(
            site: "gym", node: "n-bench", boot: 1, startedAt: start,
            introduction: NodeMessageEncoder.Introduction(version: "bench", source: "bench"),
            configuration: configuration)
        _ = core.adapter(.up, at: start)
        var still = StillTags(traffic, count: tags, seed: seed, from: start)
        var bytes = parts.map { _ in 0.0 }
        for second in 1...minutes * 60 {
            let end = start + .seconds(Double(second))
            still.advance(to: end) { packet, moment in core.heard(packet.span, at: moment) }
            for effect in core.tick(at: end) {
                let gauges = NodeMessageEncoder.Gauges(wall: end, isSynced: true)
                for message in voice.publications(for: effect, gauges: gauges) {
                    bytes[part(of: message.topic)] += Double(length(of: message))
                }
            }
        }
        return bytes
    }

    /// The index of the part a topic belongs to.
    private static func part(of topic: String) -> Int {
        let levels = topic.split(separator: "/")
        return parts.firstIndex { levels.contains(Substring($0)) } ?? parts.count - 1
    }

    /// What a message takes as an MQTT 5 packet: type, length, topic, number, properties, payload.
    static func length(of message: Publication) -> Int {
        let number = message.quality > 0 ? 2 : 0
        let rest = 2 + message.topic.utf8.count + number + 1 + message.payload.count
        var digits = 1
        while digits < 4, rest >= 1 << (7 * digits) { digits += 1 }
        return 1 + digits + rest
    }
}

/// Tags that lie still, each sending about twice a second, of which a fifth is lost.
private struct StillTags {
    private static let interval = 500.0
    private static let loss = 0.2

    private var traffic: AirTraffic
    private var random: SeededRandom
    private var due: [Timestamp]

    init(_ traffic: AirTraffic, count: Int, seed: UInt64, from start: Timestamp) {
        self.traffic = traffic
        var random = SeededRandom(seed: seed, stream: 92)
        due = (0..<count).map { _ in start + .milliseconds(Int64(random.unit() * Self.interval)) }
        self.random = random
    }

    /// Gives every packet heard until `end`, tag by tag: the core takes a second as a whole.
    mutating func advance(to end: Timestamp, heard: ([UInt8], Timestamp) -> Void) {
        for tag in due.indices {
            while due[tag] < end {
                if !random.chance(Self.loss) { heard(traffic.packet(of: tag), due[tag]) }
                // Up to 10 ms later each time, as the specification has it.
                let wait = Self.interval + random.number(in: 0...10)
                due[tag] = due[tag] + .milliseconds(Int64(wait.rounded()))
            }
        }
    }
}

/// What all nodes of a site say while people walk about: frames, readings and beats in the mixture
/// real nodes send them, made by the nodes' own core. All of quality 0 and not kept.
struct NodeMessages {
    private var world: World
    private var cores: [NodeCore] = []
    private var voices: [NodeMessageEncoder] = []

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
                NodeMessageEncoder(
                    site: site.names.site, node: node.slug, boot: boot, startedAt: start,
                    introduction: NodeMessageEncoder.Introduction(
                        version: "bench", source: "bench"),
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
                let gauges = NodeMessageEncoder.Gauges(wall: end, isSynced: true)
                for message in voices[index].publications(for: effect, gauges: gauges)
                where message.quality == 0 && !message.isRetained {
                    messages.append(message)
                }
            }
        }
    }
}
