import Accounts
import Basics
import JSON
import Permissions
import Platform
import Positioning
import Registry
import SiteModel
import SiteStore
import Synchronization
import WebServer
import Wire

/// Which beacons are in range of a node, a room or a person, nearest first.
package struct NearRoutes: Sendable {
    private let desk: WriteDesk
    private let orders: NearOrders

    init(_ desk: WriteDesk, _ orders: NearOrders) {
        self.desk = desk
        self.orders = orders
    }

    package var all: [Route] {
        [
            Route(
                .get, "/api/v1/near", .live, whose: .each,
                about: RouteText(
                    "Which beacons are in range of a node, a room or a person, nearest first; without any of them of "
                        + "oneself. Who may ask about themselves only sees tags of those who let others see where they are.",
                    query: [
                        .init("node", .slug), .init("room", .slug), .init("user", .slug),
                        .init("group", .slug, "Only beacons of this group."),
                        .preset("limit", .integer(1...1000), "100"),
                    ],
                    answer: [
                        .always(
                            "nodes", .list(.slug),
                            "By which it is told; none: nobody knows where they are."),
                        .always("beacons", .list(.object(Near.members))),
                        .always("left_out", .count, "How many more are in range, behind the last."),
                    ], refusals: [.notFound])
            ) { try await near($0) }
        ]
    }

    private struct Near: Encodable {
        var beacon: String
        var title: String
        var user: String?
        var name: String?
        var zone: String
        var levelDBm: Double
        var node: String
        var leastM: Double?
        var mostM: Double?
        var groups: [String]
        var cards: [CardTold]

        private enum CodingKeys: String, CodingKey {
            case beacon
            case title
            case user
            case name
            case zone
            case levelDBm = "level_dbm"
            case node
            case leastM = "least_m"
            case mostM = "most_m"
            case groups
            case cards
        }

        static let members: [RouteText.Field] = [
            .always("beacon", .slug), .always("title", .anyText),
            .init("user", .slug, "Whose tag it is."),
            .init("name", .anyText, "What they are called."),
            .always("zone", .word(NearOrder.Zone.allCases.map(\.rawValue))),
            .always("level_dbm", .number, "By which it is ranked: held until it departs by 6 dB."),
            .always("node", .slug, "Which hears it best."),
            .init(
                "least_m", .number, "It is that far at least; not there: it may be within reach."),
            .init("most_m", .number, "It is that far at most; not there: nobody can say."),
            .always("groups", .list(.slug), "The groups that it is in."),
            .always(
                "cards", .list(.object(CardTold.members)),
                "What is shown of it, each in another language."),
        ]
    }

    private struct Answer: Encodable {
        var nodes: [String]
        var beacons: [Near]
        var leftOut: Int

        private enum CodingKeys: String, CodingKey {
            case nodes
            case beacons
            case leftOut = "left_out"
        }
    }

    private func near(_ request: RouteRequest) async throws -> RouteAnswer {
        let query = try AskedQuery(request, allowed: ["node", "room", "user", "group", "limit"])
            .values
        let principal = request.visitor?.principal
        let seesAll = principal?.reach(.live) == .site
        let places = query.filter { $0.key != "limit" && $0.key != "group" }
        guard places.count <= 1 else {
            throw RouteProblem(.badRequest, "Give one of node, room and user.")
        }
        guard seesAll || places.isEmpty || places["user"] == principal?.user else {
            throw RouteProblem(.forbidden, "You may ask about yourself only.")
        }
        let limit = try Self.limit(query["limit"])
        let view = try await view(places.first, of: principal)
        let moment = desk.clock.now
        // What thousands of tags say is read in it.
        let items = try await Blocking.run {
            orders.items(view, at: moment, of: desk)
        }
        let sharing = desk.directory.sharing(.place)
        let known = try await Blocking.run { [store = desk.store] in
            try NearBeacons(store).about(items.map(\.item.beacon), at: moment)
        }
        var beacons: [Near] = []
        var leftOut = 0
        for one in items {
            guard let about = known[one.item.beacon] else { continue }
            let isSeen = about.user.map { seesAll || $0 == principal?.user || sharing.contains($0) }
            guard isSeen != false else { continue }
            guard beacons.count < limit || query["group"] != nil else {
                leftOut += 1
                continue
            }
            let info = desk.newest(
                "beacon/\(one.item.beacon)/info", as: BeaconInfoPayload.self)
            if let group = query["group"], info?.groups.contains(group) != true { continue }
            guard beacons.count < limit else {
                leftOut += 1
                continue
            }
            let range = DistanceRange(level: one.item.level)
            beacons.append(
                Near(
                    beacon: one.item.beacon, title: about.title, user: about.user, name: about.name,
                    zone: one.item.zone.rawValue, levelDBm: (one.item.level * 10).rounded() / 10,
                    node: one.node, leastM: range.least.map { Self.rounded($0, .down) },
                    mostM: range.most.map { Self.rounded($0, .up) }, groups: info?.groups ?? [],
                    cards: (info?.cards ?? []).map { CardTold(brief: $0) }))
        }
        return try Reading.answer(
            Answer(nodes: view.nodes.sorted(), beacons: beacons, leftOut: leftOut))
    }

    /// To half a metre, and to metres from five on, outwards.
    private static func rounded(_ metres: Double, _ rule: FloatingPointRoundingRule) -> Double {
        metres < 5 ? (metres * 2).rounded(rule) / 2 : metres.rounded(rule)
    }

    private static func limit(_ text: String?) throws(RouteProblem) -> Int {
        guard let text else { return 100 }
        guard let limit = Int(text), (1...1000).contains(limit) else {
            throw RouteProblem(.badRequest, "limit: a number from 1 to 1000 expected.")
        }
        return limit
    }

    /// What is looked from: of a person the nodes of the station, else of the room, where they are.
    private func view(_ place: (key: String, value: String)?, of principal: Principal?) async throws
        -> NearOrders.View
    {
        let (kind, slug) = (place?.key ?? "user", place?.value ?? principal?.user ?? "")
        let nodes = NearBeacons(desk.store)
        guard kind == "user" else {
            let found = try await Blocking.run {
                kind == "node" ? try nodes.node(slug) : try nodes.nodes(inRoom: slug)
            }
            guard let found else { throw RouteProblem(.notFound, "There is no such \(kind).") }
            return NearOrders.View(name: "\(kind) \(slug)", nodes: found)
        }
        let presence = desk.latest("user/\(slug)/presence").first
            .flatMap { try? PresencePayload(json: $0.payload.span) }
        let places = try await Blocking.run { try nodes.places() }
        let found = places.nodes(atStation: presence?.station, inRoom: presence?.room)
        return NearOrders.View(of: found)
    }
}

/// The orders of those who look, kept from one look to the next.
final class NearOrders: Sendable {
    struct View: Sendable {
        /// Looks of one name go on from one another.
        var name: String
        var nodes: Set<String>

        init(name: String, nodes: Set<String>) {
            self.name = name
            self.nodes = nodes
        }

        /// What somebody looks from who is where these nodes are. Who walks on is somewhere else, where nothing of before is so.
        init(of nodes: Set<String>) {
            self.init(name: "nodes \(nodes.sorted().joined(separator: " "))", nodes: nodes)
        }
    }

    /// What was heard longer ago has gone, in ms: levels of a tag are told every 10 s at least.
    static let freshMs: Int64 = 30_000
    /// So many looks are kept; the oldest goes.
    private static let most = 512
    /// What is heard is read once in so long, whoever looks; pages look four times a second.
    private static let pause = Timestamp.Span.milliseconds(200)

    private struct Look {
        var order = NearOrder()
        var items: [(item: NearOrder.Item, node: String)] = []
        var at: Timestamp?
    }

    private struct State {
        var looks: [String: Look] = [:]
        var heard: [String: [BeaconStatePayload.Hearing]] = [:]
        var readAt: Timestamp?
    }

    private let state = Mutex(State())

    /// The beacons that the nodes of a view hear, nearest first, with the node that hears each best.
    func items(
        _ view: View, at now: Timestamp, of desk: WriteDesk
    ) -> [(item: NearOrder.Item, node: String)] {
        state.withLock { state in
            if state.readAt.map({ now - $0 >= Self.pause || now < $0 }) ?? true {
                state.heard = Self.hearings(desk, at: now)
                state.readAt = now
            }
            var look = state.looks[view.name] ?? Look()
            if let at = look.at, now >= at, now - at < Self.pause { return look.items }
            var best: [String: BeaconStatePayload.Hearing] = [:]
            for (beacon, hearings) in state.heard {
                best[beacon] = hearings.filter { view.nodes.contains($0.node) }
                    .max { ($0.rssi, $1.node) < ($1.rssi, $0.node) }
            }
            let levels = best.map { NearOrder.Level(beacon: $0.key, rssi: $0.value.rssi) }
            look.items = look.order.update(levels, at: now).map {
                ($0, best[$0.beacon]?.node ?? "")
            }
            look.at = now
            state.looks[view.name] = look
            if state.looks.count > Self.most {
                let oldest = state.looks.min {
                    ($0.value.at ?? now, $0.key) < ($1.value.at ?? now, $1.key)
                }
                if let oldest { state.looks[oldest.key] = nil }
            }
            return look.items
        }
    }

    /// What the nodes hear of registered beacons just now.
    private static func hearings(
        _ desk: WriteDesk, at now: Timestamp
    ) -> [String: [BeaconStatePayload.Hearing]] {
        var heard: [String: [BeaconStatePayload.Hearing]] = [:]
        for (topic, payload) in desk.latest("beacon/") {
            let levels = topic.split(separator: "/")
            guard levels.last == "state", let told = try? BeaconStatePayload(json: payload.span)
            else { continue }
            let fresh = told.nodes.filter {
                now.milliseconds - (told.tMs - $0.ageMs) <= freshMs
            }
            if !fresh.isEmpty { heard[String(levels[levels.count - 2])] = fresh }
        }
        return heard
    }
}
