import Operations
import Platform
import SiteModel
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
        try client.subscribe([CoreTopics(coordinator: BenchRig.coordinator)[.coreHealth]])
        try client.wait(seconds: 40, for: "count of \(sent) messages") { taken >= Int64(sent) }
        guard refused * 100 <= taken else {
            throw BenchFailure.failed("the coordinator refused \(refused) of \(taken) messages")
        }
    }
}

/// Publishes as fast as the other end keeps up, and knows when all has arrived: every few hundred
/// messages it asks for a workout of somebody who does not exist, and at most `window` such
/// requests wait for an answer. The answer needs no database, and messages of one sender stay in
/// order.
///
/// Few enough are under way that the broker has no reason to drop one.
final class Firehose {
    /// Messages from one question to the next.
    private static let stride = 250
    /// Questions that may be open.
    private static let window = 8

    private let client: BenchClient
    private let question: String
    private var asked = 0
    private var answered: Int { answers.count }
    private let answers = Answers()
    private var sinceAsked = 0

    private final class Answers {
        var count = 0
        var others: [String: Int] = [:]
    }

    /// A publisher to a site, whose coordinator, or a stand-in, answers within ten seconds.
    /// `watched` are further topics whose messages are to be counted.
    init(
        site: String, port: Int, watched: [String] = [], goOn: @escaping () throws -> Void
    ) throws {
        let topics = SiteTopics(site: site)
        let name = "firehose"
        let operation = Verb.completeWorkout.name
        question = topics[.request, name, operation]
        let response = topics[.response, name, operation]
        client = try BenchClient("bench-\(name)-\(site)", port: port, goOn: goOn)
        let answers = answers
        client.onMessage = { topic, _ in
            if topic == response {
                answers.count += 1
            } else {
                answers.others[topic, default: 0] += 1
            }
        }
        try client.subscribe([response] + watched)
        // Until somebody listens nobody answers.
        let watch = Stopwatch()
        while answered == 0, watch.seconds < 10 {
            try ask()
            for _ in 0..<5 where answered == 0 { try client.turn(milliseconds: 20) }
        }
        guard answered > 0 else { throw BenchFailure.failed("nobody answers at \(site)") }
        // Whatever of the first questions was lost stays so; only the last one counts.
        try pause(milliseconds: 200)
        asked = answered
    }

    /// The topics watched from which something came.
    var heardTopics: Int { answers.others.count }

    /// Publishes one message, after waiting if too much is under way.
    func send(_ publication: Publication) throws {
        try client.publish(publication)
        sinceAsked += 1
        guard sinceAsked >= Self.stride else { return }
        try ask()
        try drain(to: Self.window)
    }

    /// Waits until all that was published has arrived.
    func settle() throws {
        try ask()
        try drain(to: 0)
    }

    /// Lets time pass.
    func pause(milliseconds: Double) throws {
        let watch = Stopwatch()
        while watch.seconds * 1000 < milliseconds { try client.turn(milliseconds: 5) }
    }

    private func ask() throws {
        sinceAsked = 0
        asked += 1
        let payload = RequestPayload(id: "q\(asked)", args: .init(user: "u-nobody"))
        try client.publish(
            Publication(topic: question, payload: payload.json, quality: 0, isRetained: false))
    }

    private func drain(to open: Int) throws {
        // Answers are read as they come, also while nothing has to be waited for.
        try client.turn(milliseconds: 0)
        try client.wait(seconds: 20, for: "answer") { [unowned self] in asked - answered <= open }
    }
}
