import Glibc
import MeshCore
import MeshSim
import MeshWire

/// `memory-node`: what a real node process holds after an hour of packets of two hundred registered
/// tags and forty phones, fed through its radio's socket in less time than that.
enum NodeMemoryBench {
    private static let people = 200
    private static let strays = 40
    /// The node at the entrance of the gym, which hears everybody.
    private static let slug = "n-entrance"

    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("node")
        let rig = try BenchRig(folder: folder)
        defer { rig.stop() }
        let site = try BenchSite(
            people: people, seed: context.seed, in: folder, from: BenchContext.start)
        let radio = try RadioServer(path: folder + "/radio.sock")
        let ear = try Ear(site: site, port: rig.port, goOn: { try context.goOn() })
        let child = try rig.startNode(slug, of: site, radio: radio.path)
        try ear.waitUntilConfigured()

        var pacing = Pacing(seconds: context.amount(quick: 5, full: 30), in: context)
        try feed(radio, site, seed: context.seed, &pacing) {
            try ear.turn()
            return try rig.residentMegabytes(of: child)
        }
        // What still waits in the socket is heard, and its frame told, within a second or so.
        for _ in 0..<60 {
            radio.work()
            try ear.turn()
            usleep(20_000)
        }
        guard ear.most > people / 4 else {
            throw BenchFailure.failed("no frame had more than \(ear.most) of \(people) tags")
        }
        let seen = pacing.seen + [try rig.residentMegabytes(of: child)]
        return [Figure("memory-node", unit: "MB", Samples(watched: seen), bar: .atMost(25))]
    }

    private static func feed(
        _ radio: RadioServer, _ site: BenchSite, seed: UInt64, _ pacing: inout Pacing,
        look: () throws -> Double
    ) throws {
        let layout = site.demo.layout
        let people = site.demo.people
        let node = layout.nodes.firstIndex { $0.slug == slug } ?? 0
        var world = World(
            layout, people: people, pace: .live, seed: seed, from: BenchContext.start,
            strays: strays)
        for second in 0..<Pacing.hour {
            let pause: (Double) throws -> Void = { usleep(UInt32($0 * 1000)) }
            guard try pacing.begin(second, look: look, pause: pause) else { return }
            world.advance(to: BenchContext.start + .seconds(Double(second + 1))) { emission in
                guard emission.node == node else { return }
                deliver(emission.packet(of: people), at: emission.at, to: radio)
            }
            radio.work()
        }
    }

    /// Hands over a packet; a node that is slow is waited for, at most a second.
    private static func deliver(_ packet: [UInt8], at moment: Timestamp, to radio: RadioServer) {
        for _ in 0..<1000 {
            let lost = radio.lost
            radio.send(packet, at: moment)
            if radio.lost == lost { return }
            radio.work()
            usleep(1000)
        }
    }

    /// Configures the node as a coordinator would, and listens to it.
    private final class Ear {
        private let client: BenchClient
        private let heard = Heard()

        private final class Heard {
            var isConfigured = false
            var isUp = false
            var most = 0
        }

        init(site: BenchSite, port: Int, goOn: @escaping () throws -> Void) throws {
            let topics = site.topics
            let active = topics.nodeConfigurationActive(slug)
            let health = topics.nodeHealth(slug)
            let frame = topics.nodeFrame(slug)
            let heard = heard
            client = try BenchClient("bench-ear", port: port, goOn: goOn)
            client.onMessage = { topic, payload in
                switch topic {
                case active:
                    let answer = try? NodeConfigurationActivePayload(json: payload)
                    heard.isConfigured = answer?.rev == 1 && answer?.ok == true
                case health:
                    heard.isUp = (try? NodeHealthPayload(json: payload))?.adapter == .up
                default:
                    let count = (try? FramePayload(json: payload))?.r.count ?? 0
                    heard.most = max(heard.most, count)
                }
            }
            try client.subscribe([active, health, frame])
            let configuration = NodeConfigurationPayload(
                rev: 1, profile: .ranging, publishUnregistered: false, maxRangeM: 100,
                beacons: site.demo.people.map { .init(id: $0.beaconSlug, identity: $0.identity) })
            try client.publish(
                Publication(
                    topic: topics.nodeConfigurationDesired(slug), payload: configuration.json,
                    quality: 1, isRetained: true))
        }

        /// The most tags one frame had.
        var most: Int { heard.most }

        func waitUntilConfigured() throws {
            let heard = heard
            try client.wait(seconds: 10, for: "node with radio and configuration") {
                heard.isConfigured && heard.isUp
            }
        }

        func turn() throws { try client.turn(milliseconds: 0) }
    }
}
