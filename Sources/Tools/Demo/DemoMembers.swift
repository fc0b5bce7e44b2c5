import Broker
import Glibc
import Operations
import Simulation
import SiteModel
import Platform
import Wire

/// The people's phones: an ordinary MQTT client that starts and completes workouts, and sees what
/// any other client sees.
struct DemoMembers {
    private let site: DemoSite
    private let session: BrokerSession
    private let heard: Heard
    private var isTraining: [Bool]
    private var requests = 0
    private let topics: SiteTopics

    private final class Heard {
        var presences: [String: PresencePayload] = [:]
        var online: Set<String> = []
        var isCoordinatorOnline = false
        var isNew = false
    }

    init(site: DemoSite, port: Int) {
        self.site = site
        topics = SiteTopics(site: site.layout.slug)
        isTraining = site.people.map { _ in false }
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
        for (index, person) in site.people.enumerated() {
            let whereabouts = world.truth(index)
            if let station = whereabouts?.station, !isTraining[index] {
                isTraining[index] = true
                let slug = site.layout.stations[station].slug
                ask(.startWorkout, user: person.slug, station: slug)
            } else if whereabouts == nil, isTraining[index] {
                isTraining[index] = false
                ask(.completeWorkout, user: person.slug, station: nil)
            }
        }
    }

    private mutating func ask(_ verb: Verb, user: String, station: String?) {
        requests += 1
        let payload = RequestPayload(
            id: "demo-\(getpid())-\(requests)",
            args: RequestPayload.Arguments(user: user, station: station))
        do {
            try session.client.publish(
                topics.message(.request, "demo-phones", verb.name, saying: payload))
        } catch {
            StandardError.write("\(error)\n")
        }
    }
}
