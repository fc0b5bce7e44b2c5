import Basics
import Testing

@testable import BeaconDecoding
@testable import Detections
@testable import JSON
@testable import NodeEngine
@testable import NodePipeline
@testable import SiteModel
@testable import SiteService
@testable import SiteStore
@testable import Wire

/// A day of visitors with trackers, as two nodes hear them through the air, against what is stored of it: packets to nodes, what
/// nodes tell, rows.
struct StrangersDayTests {
    private static let start = EditedSite.now

    /// One who is there under one address.
    private struct Visit {
        var address: UInt64
        /// In seconds of the day.
        var from: Double
        var to: Double
        /// When packets of it were heard, by node.
        var heard: [[Double]] = [[], []]

        /// Whether a node heard it for two seconds: then it tells it.
        var isTold: Bool {
            heard.contains { ($0.last ?? 0) - ($0.first ?? 0) >= 2 }
        }
    }

    /// A tracker as it advertises: service data of FEED.
    private static func packet(_ address: UInt64, _ level: Int) -> [UInt8] {
        let data: [UInt8] = [0x02, 0x01, 0x06, 0x04, 0x16, 0xED, 0xFE, 0x02]
        let sender = (0..<6).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
        let event =
            [0x02, 0x01, 0x03, 0x01] + sender + [UInt8(data.count)] + data
            + [UInt8(bitPattern: Int8(level))]
        return [0x04, 0x3E, UInt8(event.count)] + event
    }

    /// Sixty people in twelve hours. Half keep their address, and some of them come again; the others have a new one each quarter of
    /// an hour. One in six only passes by.
    private static func visits(_ random: inout SplitMix64) -> [Visit] {
        var visits: [Visit] = []
        for person in 0..<60 {
            let isPasser = person % 6 == 5
            var from = Double.random(in: 0..<10 * 3600, using: &random)
            let base = 0xC000_0000_0000 | UInt64(person) << 16
            for stay in 0..<(person % 4 == 0 ? 2 : 1) {
                let length = isPasser ? 0.9 : Double.random(in: 20...7200, using: &random)
                if person % 2 == 0 {
                    visits.append(Visit(address: base, from: from, to: from + length))
                } else {
                    for (turn, begin) in stride(from: 0, to: length, by: 900).enumerated() {
                        visits.append(
                            Visit(
                                address: base | UInt64(stay) << 8 | UInt64(turn),
                                from: from + begin,
                                to: from + min(length, begin + 900)))
                    }
                }
                // Away for longer than a visit lasts on.
                from += length + Double.random(in: 1000...2000, using: &random)
            }
        }
        return visits
    }

    private static func node(_ slug: String) throws -> (NodeCore, NodeMessageEncoder) {
        var rule = NodeConfigurationPayload.Rule(type: "tracker", confidence: 0.9)
        rule.service = "feed"
        let payload = NodeConfigurationPayload(
            rev: 1, profile: .ranging, publishUnregistered: false, maxRangeM: 1000, beacons: [],
            detect: [rule])
        let configuration = try NodeConfiguration(payload)
        var core = NodeCore(boot: 7, policy: configuration.policy, at: start)
        _ = core.adapter(.up, at: start)
        core.detect(configuration.rules.map { DeviceRule($0) }, at: start)
        let voice = NodeMessageEncoder(
            site: "gym", node: slug, boot: 7, startedAt: start,
            introduction: .init(version: "1", source: "test"), configuration: configuration)
        return (core, voice)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `each visit of a day is one row, and none is made up`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let site = try EditedSite()
        try site.add(.deviceTypes, "tracker", [("name", "Tracker"), ("icon", "tracker")])
        var visits = Self.visits(&random)
        var nodes = try ["n-1", "n-2"].map { try Self.node($0) }
        // What comes when, to which node: each second a packet of each who is there, heard at one node better.
        var air: [Int: [(at: Double, node: Int, packet: [UInt8])]] = [:]
        for index in visits.indices {
            let visit = visits[index]
            let near = index % 2
            for moment in stride(from: visit.from, to: visit.to, by: 1.02) {
                for node in 0..<2
                where Double.random(in: 0..<1, using: &random) < (node == near ? 0.7 : 0.4) {
                    let level = (node == near ? -60 : -78) + Int.random(in: -5...5, using: &random)
                    visits[index].heard[node].append(moment)
                    air[Int(moment), default: []].append(
                        (moment, node, Self.packet(visit.address, level)))
                }
            }
        }
        let queue = SightingQueue()
        let topic = SiteTopics(site: "gym")
        let last = try #require(air.keys.max()) + 300
        for second in 0...last {
            for heard in (air[second] ?? []).sorted(by: { $0.at < $1.at }) {
                nodes[heard.node].0.heard(
                    heard.packet.span, at: Self.start + .seconds(heard.at))
            }
            let now = Self.start + .seconds(Double(second + 1))
            for (place, slug) in ["n-1", "n-2"].enumerated() {
                for effect in nodes[place].0.tick(at: now) {
                    guard case .sightings = effect else { continue }
                    for message in nodes[place].1.publications(
                        for: effect, gauges: .init(wall: now, isSynced: true))
                    {
                        #expect(message.topic == topic[.sightings, slug])
                        queue.take(slug, message.payload.span, at: now)
                    }
                }
            }
            guard second % 5 == 0 || second == last else { continue }
            let seen = queue.drain().flatMap(SightingFollower.seen)
            if !seen.isEmpty { try DetectionVisits(site.store).put(seen, at: now) }
        }
        let rows = try Detections(site.store).page(DetectionFilter(), most: 1000).rows
        var (found, missed, doubled, wrong) = (0, 0, 0, 0)
        for visit in visits {
            let address = Hex.text(visit.address, count: 12)
            let (from, to) = (
                Self.start + .seconds(visit.from - 2), Self.start + .seconds(visit.to + 2)
            )
            let own = rows.filter { $0.address == address && $0.first <= to && $0.last >= from }
            found += own.isEmpty ? 0 : 1
            if own.isEmpty, visit.isTold { missed += 1 }
            if !own.isEmpty, !visit.isTold { wrong += 1 }
            doubled += max(0, own.count - 1)
            guard let row = own.first else { continue }
            let heard = visit.heard.flatMap(\.self)
            #expect(
                abs((row.first - Self.start).milliseconds - Int64((heard.min() ?? 0) * 1000)) < 2000
            )
            #expect(
                abs((row.last - Self.start).milliseconds - Int64((heard.max() ?? 0) * 1000)) < 2000)
            #expect(row.hits <= heard.count)
        }
        print(
            "seed \(seed): \(visits.count) visits, \(found) found, \(doubled) doubled, \(missed) missed, \(rows.count) rows"
        )
        #expect((missed, doubled, wrong) == (0, 0, 0))
        #expect(rows.count == found, "rows that are nobody's")
        #expect(visits.contains { !$0.isTold } && found > 60)
    }
}
