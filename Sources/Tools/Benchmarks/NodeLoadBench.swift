import Demo
import Glibc
import Platform

/// What a real node process costs, from its radio's socket to a real broker: how soon it speaks,
/// what it takes at 300 advertisements a second of a thousand transmitters, and what becomes of it
/// at 5,000.
enum NodeLoadBench {
    static let figures = [
        "start-first-message", "start-ready", "cpu-node", "memory-node", "flood-heard", "flood-cpu",
        "flood-memory",
    ]

    private static let slug = "n-bench"
    private static let site = "gym"
    /// Advertisements a second.
    private static let usual = 300.0
    private static let flood = 5000.0
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
        return try figures
            + flooded(context, air, &traffic, meter) { try rig.residentMegabytes(of: child) }
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
