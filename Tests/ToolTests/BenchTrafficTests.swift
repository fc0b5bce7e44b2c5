import NodePipeline
import Testing

@testable import SiteModel
@testable import Benchmarks
@testable import NodeEngine
@testable import Wire

/// The air the node is measured in holds what it says it holds.
struct BenchTrafficTests {
    var traffic = AirTraffic(seed: 7)

    @Test mutating func `every registered tag is heard under its name`() throws {
        let payload = NodeConfigurationPayload(
            rev: 1, profile: .ranging, publishUnregistered: true, maxRangeM: 1000,
            beacons: traffic.beacons)
        let json = payload.json
        let configuration = try NodeConfiguration(json: json.span)
        #expect(configuration.slugs.count == AirTraffic.registered)
        let start = BenchContext.start
        var core = NodeCore(boot: 1, policy: configuration.policy, at: start)
        _ = core.adapter(.up, at: start)
        for index in 0..<AirTraffic.transmitters {
            let packet = traffic.packet(of: index)
            core.heard(packet.span, at: start)
        }
        let packet = traffic.newcomer()
        core.heard(packet.span, at: start)
        var entries: [NodeFrame.Entry] = []
        for case .frame(let frame) in core.tick(at: start + .seconds(1)) { entries = frame.entries }
        let known = entries.filter { entry in
            if case .known = entry.beacon { true } else { false }
        }
        #expect(known.count == AirTraffic.registered)
        #expect(known.allSatisfy { (-100 ... -30).contains($0.median.dBm) })
        // Most of the air is phones, which have no stable name.
        let strangers = entries.count - known.count
        #expect((50..<AirTraffic.transmitters / 4).contains(strangers))
    }

    @Test mutating func `the same seed gives the same air`() {
        var other = AirTraffic(seed: 7)
        #expect((0..<500).allSatisfy { _ in traffic.packet() == other.packet() })
        #expect(traffic.newcomer() != traffic.newcomer())
    }

    /// MQTT 5.0, 3.3: type and flags, remaining length, topic, packet identifier, properties.
    @Test(arguments: [(1, 0, 9), (100, 0, 108), (130, 0, 139), (1, 1, 11)])
    func `a message is as long as its packet`(payload: Int, quality: Int, bytes: Int) {
        let message = Publication(
            topic: "a/b", payload: [UInt8](repeating: 0, count: payload), quality: quality,
            isRetained: false)
        #expect(TrafficBench.length(of: message) == bytes)
    }

    @Test func `a sparse node says a fraction of what a ranging one does`() throws {
        let context = BenchContext(folder: "/nonexistent", seed: 7, isQuick: true, searchPath: "")
        let figures = try TrafficBench.run(context)
        #expect(figures.map(\.name) == TrafficBench.figures)
        let value = { (name: String) in figures.first { $0.name == name }?.value ?? .nan }
        #expect(value("traffic-sparse") * 3 < value("traffic-ranging"))
        #expect(value("traffic-sparse-frame") == 0 && value("traffic-ranging-frame") > 0)
        // A reading each 30 s of each tag, some 200 bytes.
        let expected = 40 * 2880 * 200 / 1e6
        #expect((0.7...1.3).contains(value("traffic-sparse-rssi") / expected))
    }
}
