import Demo
import Platform
import Wire

/// Configures a node as a coordinator would, and listens to what it says.
final class NodeEar {
    /// What was heard so far.
    struct Heard {
        /// Any message came.
        var isSpeaking = false
        /// The configuration is applied.
        var isConfigured = false
        /// The radio listens.
        var isUp = false
        /// The most entries a frame had.
        var most = 0
        /// Advertisements of registered tags, by the frames.
        var advertisements = 0

        /// Whether it does what it is there for.
        var isReady: Bool { isConfigured && isUp }
    }

    private final class Notes {
        var heard = Heard()
    }

    private let client: BenchClient
    private let notes = Notes()

    /// Connects to the broker and leaves the node its configuration there.
    init(
        node: String, site: String, beacons: [NodeConfigurationPayload.Beacon], port: Int,
        goOn: @escaping () throws -> Void
    ) throws {
        let topics = SiteTopics(site: site)
        let (active, health) = (topics.nodeConfigurationActive(node), topics.nodeHealth(node))
        let (frame, status) = (topics.nodeFrame(node), topics.nodeStatus(node))
        let notes = notes
        client = try BenchClient("bench-ear", port: port, goOn: goOn)
        client.onMessage = { topic, payload in
            notes.heard.isSpeaking = true
            switch topic {
            case active:
                let answer = try? NodeConfigurationActivePayload(json: payload)
                notes.heard.isConfigured = answer?.rev == 1 && answer?.ok == true
            case health:
                notes.heard.isUp = (try? NodeHealthPayload(json: payload))?.adapter == .up
            case frame:
                let entries = (try? FramePayload(json: payload))?.r ?? []
                notes.heard.most = max(notes.heard.most, entries.count)
                for entry in entries { notes.heard.advertisements += entry.count }
            default: break
            }
        }
        try client.subscribe([active, health, frame, status])
        let configuration = NodeConfigurationPayload(
            rev: 1, profile: .ranging, publishUnregistered: false, maxRangeM: 1000,
            beacons: beacons)
        try client.publish(
            Publication(
                topic: topics.nodeConfigurationDesired(node), payload: configuration.json,
                quality: 1, isRetained: true))
        try client.turn(milliseconds: 100)
    }

    /// What was heard so far.
    var heard: Heard { notes.heard }

    /// Takes what has come.
    func turn(milliseconds: Int64) throws { try client.turn(milliseconds: milliseconds) }

    /// The seconds on `watch` when something is so, at most ten.
    func wait(
        _ watch: Stopwatch, _ radio: RadioServer, for subject: String, until isSo: (Heard) -> Bool
    ) throws -> Double {
        while !isSo(heard) {
            guard watch.seconds < 10 else {
                throw BenchFailure.failed("the node's \(subject) did not come within 10 s")
            }
            radio.work()
            try turn(milliseconds: 1)
        }
        return watch.seconds
    }
}
