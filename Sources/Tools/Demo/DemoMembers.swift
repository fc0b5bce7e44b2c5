import Broker
import Glibc
import JSON
import Operations
import Simulation
import SiteModel
import Platform
import Wire

/// The people's phones: an ordinary MQTT client that starts workouts, logs sets and completes them, and sees
/// what any other client sees.
struct DemoMembers {
    private let site: DemoSite
    private let session: BrokerSession
    private let heard: Heard
    private var trainers: [DemoTrainer]
    private var requests = 0
    private let topics: SiteTopics

    private final class Heard {
        var presences: [String: PresencePayload] = [:]
        var online: Set<String> = []
        var isCoordinatorOnline = false
        var isNew = false
    }

    /// `historyDays`: so long they have trained here before.
    init(site: DemoSite, port: Int, seed: UInt64, historyDays: Int) {
        self.site = site
        topics = SiteTopics(site: site.layout.slug)
        let offered = site.offered
        trainers = site.people.indices.map {
            DemoTrainer(
                offered: offered, pace: .live, person: UInt64($0), seed: ~seed,
                workouts: historyDays / 2)
        }
        let heard = Heard()
        self.heard = heard
        let clock = AnchoredClock()
        session = BrokerSession(
            id: "demo-phones", address: BrokerAddress(host: "127.0.0.1", port: port),
            now: { clock.now })
        session.onConnect = { heard.isNew = true }
        let userRoot = "\(topics.root)user/"
        let nodeRoot = "\(topics.root)node/"
        session.client.onMessage = { topic, payload, _, _ in
            if topic.hasPrefix(userRoot) {
                guard let payload = try? PresencePayload(json: payload) else { return }
                let slug = topic.dropFirst(userRoot.count).prefix { $0 != "/" }
                heard.presences[String(slug)] = payload
            } else if topic.hasPrefix(nodeRoot) {
                guard let payload = try? NodeStatusPayload(json: payload) else { return }
                let slug = String(topic.dropFirst(nodeRoot.count).prefix { $0 != "/" })
                if payload.state == .online {
                    heard.online.insert(slug)
                } else {
                    heard.online.remove(slug)
                }
            } else if let payload = try? CoreStatusPayload(json: payload) {
                heard.isCoordinatorOnline = payload.state == .online
            }
        }
    }

    /// Whether coordinator and nodes are all online, and the site listens.
    var isComplete: Bool {
        heard.isCoordinatorOnline && heard.online.count == site.document.nodes.count
            && heard.presences.count == site.people.count
            && heard.presences.values.allSatisfy { $0.state != .unknown }
    }

    /// Where everybody is, by user.
    var presences: [String: PresencePayload] { heard.presences }

    /// Reads what arrived and asks for what people want by now.
    mutating func work(world: World) {
        session.turn(within: .milliseconds(0))
        if heard.isNew {
            heard.isNew = false
            subscribe()
        }
        guard session.client.isConnected, isComplete else { return }
        train(world)
    }

    private func subscribe() {
        do {
            try session.client.subscribe(
                [
                    "\(topics.root)user/+/presence", "\(topics.root)node/+/status",
                    "mesh/v1/core/+/status",
                ], quality: 1)
        } catch {
            StandardError.write("\(error)\n")
        }
    }

    private mutating func train(_ world: World) {
        let layout = site.layout
        for (index, person) in site.people.enumerated() {
            for action in trainers[index].step(at: world.now, world.truth(index)) {
                switch action {
                case .start(let station):
                    ask(.startWorkout, of: person) {
                        $0.field("station", layout.stations[station].slug)
                    }
                case .move(let station):
                    ask(.moveWorkout, of: person) {
                        $0.field("station", station.map { layout.stations[$0].slug })
                    }
                case .set(let set):
                    ask(.addSet, of: person) { writer in
                        writer.key("set")
                        set.write(to: &writer)
                    }
                case .complete(let moment):
                    ask(.completeWorkout, of: person) { writer in
                        if let moment { writer.field("ended_ms", moment.milliseconds) }
                    }
                }
            }
        }
    }

    private mutating func ask(_ verb: Verb, of person: Person, _ more: (inout JSONWriter) -> Void) {
        requests += 1
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("user", person.slug)
        more(&writer)
        writer.endObject()
        let payload = RequestPayload(id: "demo-\(getpid())-\(requests)", json: writer.bytes)
        do {
            try session.client.publish(
                topics.message(.request, "demo-phones", verb.name, saying: payload))
        } catch {
            StandardError.write("\(error)\n")
        }
    }
}

extension GivenSet {
    /// Writes the object, as a phone sends it.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", key)
        if let exercise { writer.field("exercise", exercise) }
        if let kind { writer.field("kind", kind.rawValue) }
        if let reps { writer.field("reps", reps) }
        if let duration { writer.field("duration_s", duration) }
        if let distance { writer.field("distance_m", distance) }
        if let weight { writer.field("weight_kg", Double(weight) / 1000) }
        if let rir { writer.field("rir", rir) }
        writer.endObject()
    }
}
