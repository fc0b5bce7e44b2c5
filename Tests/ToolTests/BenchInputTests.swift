import Foundation
import Testing

@testable import Benchmarks
@testable import Broker
@testable import SiteEngine
@testable import SitePipeline
@testable import Wire

/// What the benchmarks feed is what a site would hear, and nothing of it is refused.
struct BenchInputTests {
    static let hasBroker = FileManager.default.isExecutableFile(atPath: "/usr/sbin/mosquitto")

    func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "beaconmesh-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    func site(in folder: String) throws -> BenchSite {
        try BenchSite(people: 12, seed: 7, in: folder, from: BenchContext.start)
    }

    @Test func `inputs and their messages decide the same facts`() throws {
        try withFolder { folder in
            let site = try site(in: folder)
            var inputs = SiteInputs(site, seed: 7, from: BenchContext.start)
            var mesh = Mesh(plan: site.plan, restoring: site.saved)
            var pipeline = Pipeline(plan: site.plan, names: site.names, saved: site.saved)
            pipeline.keepsDecisions = true
            for step in inputs.steps(seconds: 120) {
                var decisions: [Decision] = []
                mesh.handle(step.input, at: step.at, into: &decisions)
                if let message = step.message {
                    _ = pipeline.heard(
                        topic: message.topic, payload: message.payload.span, isRetained: false,
                        at: step.at)
                } else {
                    _ = pipeline.tick(at: step.at)
                }
                while !pipeline.isSettled { _ = pipeline.committed() }
                #expect(pipeline.takeDecisions() == decisions)
            }
            #expect(pipeline.counts.refused.isEmpty)
            #expect(mesh.saved.sessions.count > 6)
            #expect(!mesh.saved.workouts.isEmpty)
        }
    }

    @Test func `nodes send frames, readings and beats, and none is refused`() throws {
        try withFolder { folder in
            let site = try site(in: folder)
            var pipeline = Pipeline(plan: site.plan, names: site.names, saved: site.saved)
            var nodes = NodeMessages(site, seed: 7, from: BenchContext.start)
            let messages = nodes.take(2000)
            for message in messages {
                #expect(message.quality == 0 && !message.isRetained)
                _ = pipeline.heard(
                    topic: message.topic, payload: message.payload.span, isRetained: false,
                    at: BenchContext.start)
            }
            #expect(pipeline.counts.refused.isEmpty)
            for kind in ["/frame", "/rssi/", "/beat"] {
                #expect(messages.filter { $0.topic.contains(kind) }.count > 50, "\(kind)")
            }
        }
    }

    @Test(.enabled(if: hasBroker, "there is no mosquitto"))
    func `all that was published has arrived when the firehose settles`() throws {
        try withFolder { folder in
            let broker = try PrivateBroker(directory: folder)
            defer { broker.stop() }
            let idle = IdleSubscriber(site: "gym", port: broker.port)
            let topics = SiteTopics(site: "gym")
            let firehose = try Firehose(
                site: "gym", port: broker.port, watched: [topics[.nodeBeat, "+"]], goOn: {})
            for number in 0..<3000 {
                try firehose.send(
                    Publication(
                        topic: topics[.nodeBeat, "n-\(number)"], payload: [0x7B, 0x7D], quality: 0,
                        isRetained: false))
            }
            try firehose.settle()
            #expect(firehose.heardTopics == 3000)
            try idle.stop()
        }
    }
}
