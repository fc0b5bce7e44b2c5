import Demo
import Glibc
import Platform
import Wire

/// What a real node process costs, from its radio's socket to a real broker: how soon it speaks,
/// what it takes at 300 advertisements a second of a thousand transmitters, and what becomes of it
/// at 5,000; and at 5,000 of ten thousand strangers' devices while it looks for such (`storm`).
enum NodeLoadBench {
    static let figures = [
        "start-first-message", "start-ready", "cpu-node", "memory-node", "flood-heard", "flood-cpu",
        "flood-memory", "storm-cpu", "storm-memory", "storm-told",
    ]

    private static let slug = "n-bench"
    private static let site = "gym"
    /// Advertisements a second.
    private static let usual = 300.0
    private static let flood = 5000.0
    /// How many devices there are in a storm, each with an address of its own.
    private static let strangers = 10_000
    /// In a flood one of so many packets is of a registered tag, the rest of newcomers.
    private static let known = 10

    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("node")
        let rig = try BenchRig(folder: folder)
        defer { rig.stop() }
        var traffic = AirTraffic(seed: context.seed)
        let radio = try RadioServer(path: folder + "/radio.sock")
        let ear = try NodeEar(
            node: slug, site: site, beacons: traffic.beacons, port: rig.port,
            goOn: { try context.goOn() })

        let watch = Stopwatch()
        let child = try rig.startNode(slug, site: site, radio: radio.path)
        let first = try ear.wait(watch, radio, for: "first message") { $0.isSpeaking }
        let ready = try ear.wait(watch, radio, for: "radio and configuration") { $0.isReady }
        var figures = [
            Figure(
                "start-first-message", unit: "ms", Samples(rounds: [first * 1000]),
                bar: .atMost(100)),
            Figure(
                "start-ready", unit: "ms", Samples(rounds: [ready * 1000]), bar: .atMost(1000)),
        ]

        let meter = try ProcessMeter(of: child)
        let air = Air(radio: radio, ear: ear)
        // The tables fill, and whatever is done once is done.
        try air.feed(rate: usual, seconds: 2) { traffic.packet() }
        var loads: [Double] = []
        for _ in 0..<context.amount(quick: 3, full: 15) {
            let before = try meter.read()
            try air.feed(rate: usual, seconds: 2) { traffic.packet() }
            loads.append(try meter.percent(since: before))
        }
        guard ear.heard.most > AirTraffic.registered / 10 else {
            throw BenchFailure.failed("no frame had more than \(ear.heard.most) tags")
        }
        figures.append(Figure("cpu-node", unit: "%", Samples(rounds: loads), bar: .atMost(1)))
        figures.append(
            Figure(
                "memory-node", unit: "MB",
                Samples(watched: [try rig.residentMegabytes(of: child)]), bar: .atMost(25)))
        let memory = { try rig.residentMegabytes(of: child) }
        figures += try flooded(context, air, &traffic, meter, memory: memory)
        return try figures + stormed(context, air, &traffic, meter, memory: memory)
    }

    private static func stormed(
        _ context: BenchContext, _ air: Air, _ traffic: inout AirTraffic, _ meter: ProcessMeter,
        memory: () throws -> Double
    ) throws -> [Figure] {
        var beacons = NodeConfigurationPayload.Rule(type: "beacon", confidence: 0.9)
        (beacons.company, beacons.companyData) = (76, [0x02, 0x15])
        try air.ear.configure(detect: [beacons])
        try air.settle()
        let devices = (0..<strangers).map { _ in traffic.newcomer() }
        let before = try meter.read()
        var (packets, sizes) = (0, [Double]())
        let rounds = context.amount(quick: 3, full: 60)
        for _ in 0..<rounds {
            try air.feed(rate: flood, seconds: 1) {
                packets += 1
                return devices[packets % devices.count]
            }
            sizes.append(try memory())
        }
        let load = try meter.percent(since: before)
        try air.settle()
        return [
            Figure("storm-cpu", unit: "%", Samples(rounds: [load])),
            Figure("storm-memory", unit: "MB", Samples(watched: sizes), bar: .atMost(25)),
            Figure(
                "storm-told", unit: "rows/s",
                Samples(rounds: [Double(air.ear.heard.sightings) / Double(rounds)])),
        ]
    }

    private static func flooded(
        _ context: BenchContext, _ air: Air, _ traffic: inout AirTraffic, _ meter: ProcessMeter,
        memory: () throws -> Double
    ) throws -> [Figure] {
        try air.settle()
        let told = air.ear.heard.advertisements
        let before = try meter.read()
        var sizes: [Double] = []
        var packets = 0
        var registered = 0
        for _ in 0..<context.amount(quick: 3, full: 20) {
            try air.feed(rate: flood, seconds: 1) {
                packets += 1
                guard packets.isMultiple(of: known) else { return traffic.newcomer() }
                registered += 1
                return traffic.registeredPacket()
            }
            sizes.append(try memory())
        }
        let load = try meter.percent(since: before)
        try air.settle()
        let heard = Double(air.ear.heard.advertisements - told) / Double(max(registered, 1)) * 100
        return [
            Figure("flood-heard", unit: "%", Samples(rounds: [heard]), bar: .atLeast(90)),
            Figure("flood-cpu", unit: "%", Samples(rounds: [load])),
            Figure("flood-memory", unit: "MB", Samples(watched: sizes), bar: .atMost(25)),
        ]
    }

    /// The radio's side of the socket, and the broker's.
    private struct Air {
        let radio: RadioServer
        let ear: NodeEar

        /// Sends packets in bursts at a rate.
        func feed(rate: Double, seconds: Double, packet: () -> [UInt8]) throws {
            // Fewer bursts than packets, as controllers hand them over.
            let step = max(0.02, 4 / rate)
            let watch = Stopwatch()
            var sent = 0
            while watch.seconds < seconds {
                while Double(sent) < watch.seconds * rate {
                    radio.send(packet(), at: BenchContext.start)
                    sent += 1
                }
                radio.work()
                try ear.turn(milliseconds: 0)
                usleep(UInt32(step * 1e6))
            }
        }

        /// Waits until what was sent is heard and told in a frame.
        func settle() throws {
            let watch = Stopwatch()
            while watch.seconds < 1.5 {
                radio.work()
                try ear.turn(milliseconds: 20)
            }
        }
    }
}

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
        /// Strangers' devices that were told of.
        var sightings = 0

        /// Whether it does what it is there for.
        var isReady: Bool { isConfigured && isUp }
    }

    private final class Notes {
        var heard = Heard()
    }

    private let client: BenchClient
    private let notes = Notes()
    private let configuration: String
    private let beacons: [NodeConfigurationPayload.Beacon]

    /// Connects to the broker and leaves the node its configuration there.
    init(
        node: String, site: String, beacons: [NodeConfigurationPayload.Beacon], port: Int,
        goOn: @escaping () throws -> Void
    ) throws {
        let topics = SiteTopics(site: site)
        let (active, health) = (topics[.nodeConfigurationActive, node], topics[.nodeHealth, node])
        let (frame, status) = (topics[.frame, node], topics[.nodeStatus, node])
        let sightings = topics[.sightings, node]
        configuration = topics[.nodeConfiguration, node]
        self.beacons = beacons
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
            case sightings:
                notes.heard.sightings +=
                    (try? SightingsPayload(json: payload))?.sightings.count ?? 0
            default: break
            }
        }
        try client.subscribe([active, health, frame, status, sightings])
        try configure()
    }

    /// Leaves a configuration, with rules for strangers' devices or without.
    func configure(detect rules: [NodeConfigurationPayload.Rule]? = nil) throws {
        let payload = NodeConfigurationPayload(
            rev: rules == nil ? 1 : 2, profile: .ranging, publishUnregistered: false,
            maxRangeM: 1000, beacons: beacons, detect: rules)
        try client.publish(.retained(configuration, payload.json))
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
