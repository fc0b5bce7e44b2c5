import SiteModel
import Platform
import Wire

/// `messages`: what eleven nodes say, from one publisher through a real broker into a real
/// coordinator, until its last answer. Held against the same messages through the same broker into
/// a subscriber that does nothing.
enum MessageBench {
    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("messages")
        let rig = try BenchRig(folder: folder)
        defer { rig.stop() }
        let now = AnchoredClock().now
        let site = try BenchSite(people: 12, seed: context.seed, in: folder, from: now)
        let goOn = { try context.goOn() }
        _ = try rig.startCoordinator(of: site)
        let coordinator = try Firehose(site: site.names.site, port: rig.port, goOn: goOn)
        // The same messages under another site's name of the same length.
        let idleSite = "idle-gym"
        let idle = IdleSubscriber(site: idleSite, port: rig.port)
        let limit = try Firehose(site: idleSite, port: rig.port, goOn: goOn)

        // A new stretch of time each round: a frame of the past would be refused unread.
        var messages = NodeMessages(
            site, seed: context.seed, from: Timestamp(second: now.second + 1))
        let count = context.amount(quick: 10_000, full: 30_000)
        var limits: [Double] = []
        var sent = 0
        let samples = try context.samples { _ in
            let batch = messages.take(count)
            sent += batch.count
            let root = SiteTopics(site: idleSite).root
            let others = batch.map { message in
                var other = message
                other.topic = root + message.topic.dropFirst(site.topics.root.count)
                return other
            }
            limits.append(try rate(others, through: limit))
            return try rate(batch, through: coordinator)
        }
        try idle.stop()
        // The coordinator tells its own count twice a minute; a quick run cannot wait for that.
        if !context.isQuick { try check(sent, port: rig.port, goOn: goOn) }
        return [
            Figure(
                "messages", unit: "messages/s", samples,
                limit: Figure.Limit(
                    name: "idle-subscriber", value: Samples(rounds: limits).value),
                bar: .atLeast(0.5))
        ]
    }

    /// Messages a second, until the last one has been answered for.
    private static func rate(
        _ messages: [Publication], through firehose: Firehose
    ) throws -> Double {
        let watch = Stopwatch()
        for message in messages { try firehose.send(message) }
        try firehose.settle()
        return Double(messages.count) / watch.seconds
    }

    /// Waits until the coordinator says that it has taken so many messages, nearly none of which it
    /// refused.
    private static func check(
        _ sent: Int, port: Int, goOn: @escaping () throws -> Void
    ) throws {
        let client = try BenchClient("bench-count", port: port, goOn: goOn)
        var (taken, refused): (Int64, Int64) = (0, 0)
        client.onMessage = { _, payload in
            guard let health = try? CoreHealthPayload(json: payload) else { return }
            taken = health.messages
            refused = health.refused.reduce(0) { $0 + $1.count }
        }
        try client.subscribe([CoreTopics(coordinator: BenchRig.coordinator).health])
        try client.wait(seconds: 40, for: "count of \(sent) messages") { taken >= Int64(sent) }
        guard refused * 100 <= taken else {
            throw BenchFailure.failed("the coordinator refused \(refused) of \(taken) messages")
        }
    }
}
