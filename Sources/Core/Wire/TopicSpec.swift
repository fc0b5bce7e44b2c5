import Permissions

/// What a topic is, declared once: addresses, filters, rights at the broker and of pages, the access list of
/// `deploy/mosquitto`, AsyncAPI and docs/topics.md follow from it. A new one is a case of `PayloadKind` with its
/// line here.
package struct TopicSpec: Sendable {
    /// Who says it.
    package enum Writer: String, Sendable {
        case node
        case coordinator
        case client
    }

    /// What it tells of people, for those who may see only themselves, or nobody.
    package enum Subject: Equatable, Sendable {
        /// Nothing: whoever may see the site at all sees it.
        case places
        /// Who is at a place: those who may not see them see it without them, and not at the broker.
        case placesWithPeople
        /// One person, `{user}`: they see their own. Shared: others see it of those who share where they are.
        case person(isShared: Bool)
        /// What means people, or is of the machines: those only whose right goes for the whole site.
        case everybody
    }

    /// The topic, with `{names}` for what differs.
    package let address: String
    package let writer: Writer
    /// Whether the broker keeps the newest.
    package let isRetained: Bool
    /// The quality of service it is sent with, 0 or 1.
    package let quality: Int
    /// Whether a coordinator takes it in.
    package let isInbound: Bool
    /// What a reader of the live page, its stream and the snapshot must be allowed.
    package let reader: Right
    package let subject: Subject
    /// The scopes by which an integration reads it at the broker.
    package let scopes: [BrokerIdentity.Scope]
    /// What it says, in a line for people.
    package let text: String

    /// The names of what differs, in their order.
    package var parameters: [String] {
        address.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
    }

    /// The topic with `names` for its parameters, as many as it has; `+` makes a filter.
    package func path(_ names: [String]) -> String {
        var path = ""
        var names = names[...]
        var rest = address[...]
        while let start = rest.firstIndex(of: "{"), let end = rest.firstIndex(of: "}") {
            guard let name = names.popFirst() else { break }
            path += rest[..<start]
            path += name
            rest = rest[rest.index(after: end)...]
        }
        precondition(names.isEmpty && !rest.contains("{"), "\(address) has other names")
        return path + rest
    }

    /// The names for the parameters of a topic, or `nil` if it is not of this kind.
    package func names(in topic: String) -> [String]? {
        let parts = address.split(separator: "/")
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == levels.count else { return nil }
        var names: [String] = []
        for (part, level) in zip(parts, levels) {
            if part.hasPrefix("{") {
                names.append(String(level))
            } else if part != level {
                return nil
            }
        }
        return names
    }
}

extension TopicSpec {
    /// One below `mesh/v1/{site}/`.
    private static func site(
        _ address: String, by writer: Writer, isRetained: Bool = false, quality: Int = 1,
        isInbound: Bool = true, to reader: Right, _ subject: Subject,
        scopes: [BrokerIdentity.Scope] = [], _ text: String
    ) -> TopicSpec {
        TopicSpec(
            address: "mesh/v1/{site}/" + address, writer: writer, isRetained: isRetained,
            quality: quality, isInbound: isInbound && writer != .coordinator, reader: reader,
            subject: subject, scopes: scopes, text: text)
    }

    /// One of a coordinator.
    private static func core(_ level: String, _ text: String) -> TopicSpec {
        TopicSpec(
            address: "mesh/v1/core/{coordinator}/" + level, writer: .coordinator, isRetained: true,
            quality: 1, isInbound: false, reader: .audit, subject: .everybody, scopes: [],
            text: text)
    }

    /// One on which a phone, a watch or a bridge sends what it measured.
    private static func ingest(_ level: String, _ text: String) -> TopicSpec {
        site(
            "ingest/\(level)/{user}", by: .client, to: .activityRead, .person(isShared: false),
            text + "; answered on `res/{user}/ingest` once it is stored")
    }

    fileprivate static func of(_ kind: PayloadKind) -> TopicSpec {
        switch kind {
        case .nodeStatus:
            site(
                "node/{node}/status", by: .node, isRetained: true, to: .live, .everybody,
                scopes: [.nodes, .diagnosis], "whether a node is there; its will")
        case .nodeInfo:
            site(
                "node/{node}/info", by: .node, isRetained: true, to: .live, .everybody,
                scopes: [.nodes],
                "what a node is")
        case .nodeHealth:
            site(
                "node/{node}/health", by: .node, isRetained: true, quality: 0, to: .live,
                .everybody,
                scopes: [.nodes], "a node's counters, every 30 s")
        case .nodeBeat:
            site(
                "node/{node}/beat", by: .node, quality: 0, to: .live, .everybody,
                scopes: [.diagnosis],
                "a node's sign of life, every 2 s")
        case .frame:
            site(
                "node/{node}/frame", by: .node, quality: 0, to: .peopleRead, .everybody,
                "all a node heard in one second; `t_ms` is the *end* of that second")
        case .rssi:
            site(
                "node/{node}/rssi/{beacon}", by: .node, quality: 0, to: .live, .everybody,
                "one beacon's smoothed level at one node")
        case .nodeConfiguration:
            // The keys of beacons stand in it.
            site(
                "node/{node}/config/desired", by: .coordinator, isRetained: true, to: .peopleRead,
                .everybody,
                "what a node is to do")
        case .nodeConfigurationActive:
            site(
                "node/{node}/config/active", by: .node, isRetained: true, to: .live, .everybody,
                "what a node does, or why not what it is to do")
        case .nodeCommand:
            site(
                "node/{node}/cmd", by: .coordinator, to: .nodesCommand, .everybody,
                "`scan-start`, `scan-stop`, `identify`, `restart`, `info`, `burst`: once")
        case .nodeResponse:
            site(
                "node/{node}/res", by: .node, to: .nodesCommand, .everybody,
                "a node's answer to that")
        case .debugLease:
            site(
                "debug/lease/{node}", by: .client, isRetained: true, isInbound: false,
                to: .nodesCommand, .everybody, scopes: [.diagnosis],
                "who may look at raw advertisements until when (`beaconmesh scan --node`)")
        case .raw:
            site(
                "node/{node}/raw", by: .node, quality: 0, isInbound: false, to: .nodesCommand,
                .everybody,
                scopes: [.diagnosis], "every advertisement a node hears, while such a lease runs")
        case .sightings:
            site(
                "node/{node}/sightings", by: .node, isInbound: false, to: .detections, .everybody,
                "devices of known types that nobody registered, while the site looks for them: when they come, each half minute, and when they have gone"
            )
        case .evidence:
            site(
                "node/{node}/evidence", by: .node, to: .peopleRead, .everybody,
                "who was heard each minute, as the node kept it on its disk")
        case .nodeEvent:
            site(
                "node/{node}/event", by: .node, to: .live, .everybody,
                "what happened to a node, as it kept it on its disk")
        case .cursor:
            site(
                "node/{node}/cursor", by: .coordinator, isRetained: true, to: .live, .everybody,
                "how far a node's evidence and events are stored")
        case .siteInfo:
            site(
                "info", by: .coordinator, isRetained: true, to: .live, .places,
                scopes: [.rooms, .requests], "what there is at the site, and its time zone")
        case .siteState:
            site(
                "state", by: .coordinator, isRetained: true, to: .live, .places, scopes: [.rooms],
                "counts of the site")
        case .shadow:
            site(
                "shadow", by: .coordinator, isRetained: true, to: .live, .everybody,
                "where a second rule runs beside (`locating: {shadow: …}`): how often the two agree"
            )
        case .roomInfo:
            site(
                "room/{room}/info", by: .coordinator, isRetained: true, to: .live, .places,
                scopes: [.rooms], "a room's name")
        case .roomState:
            site(
                "room/{room}/state", by: .coordinator, isRetained: true, to: .live, .places,
                scopes: [.rooms], "how many are in a room")
        case .stationInfo:
            site(
                "station/{station}/info", by: .coordinator, isRetained: true, to: .live, .places,
                scopes: [.rooms],
                "a station's name, room, slots, and the cards that are shown of it")
        case .stationState:
            site(
                "station/{station}/state", by: .coordinator, isRetained: true, to: .live,
                .placesWithPeople, scopes: [.rooms],
                "`free`, `claimed`, `occupied`, `conflict` or `unknown`; `here`: who is there; `by`: who claimed a slot, else who is there; `queue`: how many wait; `offered`: for whom a slot is kept; `free_est_ms`: when one will be free; `since_ms`: since when `state`, `by` and what they hold are these, also over a restart"
            )
        case .beaconInfo:
            site(
                "beacon/{beacon}/info", by: .coordinator, isRetained: true, to: .live, .everybody,
                scopes: [.beacons],
                "a beacon's kind and title, its groups, and the cards that are shown of it")
        case .beaconState:
            site(
                "beacon/{beacon}/state", by: .coordinator, isRetained: true, quality: 0, to: .live,
                .everybody,
                scopes: [.beacons],
                "the nodes that hear it, strongest first; how often its carrier's place changed in an hour, and how often back within a minute (`flaps_1h`)"
            )
        case .presence:
            site(
                "user/{user}/presence", by: .coordinator, isRetained: true, to: .live,
                .person(isShared: true), scopes: [.presence],
                "`state`, `room`, `station`, `confidence`, `since_ms`, `seen_ms`: what is acted on; and `place`, `probability`, `confirmed`: where the filter has them just now; on moves, and once a minute"
            )
        case .attendance:
            site(
                "user/{user}/attendance", by: .coordinator, isRetained: true, to: .attendanceRead,
                .person(isShared: false), scopes: [.attendance],
                "`in` or `out`, the session, check-in and check-out, and why somebody should look at it"
            )
        case .workout:
            site(
                "user/{user}/workout", by: .coordinator, isRetained: true, to: .workoutsRead,
                .person(isShared: false), scopes: [.workouts],
                "the open or latest workout: `active`, `paused`, `completed`, `cancelled` (it counts nowhere), or `none`"
            )
        case .wait:
            site(
                "user/{user}/wait", by: .coordinator, isRetained: true, to: .workoutsRead,
                .person(isShared: false), scopes: [.workouts],
                "what somebody waits for, while they do: the station, how many are before them, until when a slot is kept"
            )
        case .why:
            site(
                "user/{user}/why", by: .coordinator, isRetained: true, to: .peopleRead,
                .person(isShared: false),
                "why that place last changed: what each node heard, what is usual there and at the next likeliest place, and for which of them it speaks (`support` − `against`: the logarithm of how much likelier it makes the new one), the strongest first"
            )
        case .day:
            site(
                "user/{user}/day", by: .coordinator, isRetained: true, to: .activityRead,
                .person(isShared: false),
                "what somebody walked today: steps, distance, energy, goal, and how long the mesh saw them move"
            )
        case .near:
            site(
                "user/{user}/near", by: .coordinator, isRetained: true, to: .live,
                .person(isShared: false),
                "which beacons are in range of where somebody is, nearest first, each with its zone: on changes of the order only, which noise does not make"
            )
        case .event:
            site(
                "event/{area}/{id}", by: .coordinator, to: .attendanceRead, .everybody,
                scopes: [.events],
                "each check-in, stay, step of a workout and of a queue, once it is stored")
        case .notification:
            site(
                "notify/{user}", by: .coordinator, to: .activityRead, .person(isShared: false),
                "arrivals, departures, missed shifts, tags left behind, empty batteries, records of who wants that, offers of a station, goals of steps, reminders to move, tags and strangers' devices that are told of; at least once under one id"
            )
        case .ingestSteps: ingest("steps", "steps that a phone or a watch counted")
        case .ingestActivity: ingest("activity", "what somebody did, as their phone says")
        case .ingestHeartRate: ingest("hr", "a heart rate")
        case .ingestPosition:
            ingest(
                "position",
                "where somebody's phone is, ours or as OwnTracks has it, for what a detector finds that they carry"
            )
        case .ingestDetection:
            site(
                "ingest/detection/{client}", by: .client, to: .detections, .everybody,
                scopes: [.detections],
                "what an external detector found, for which `{client}` is the source; answered on `res/{client}/ingest` once it is stored"
            )
        case .request:
            site(
                "req/{client}/{operation}", by: .client, to: .audit, .everybody,
                "what somebody asks for; `{client}` is the user name at the broker, and [who may ask for what](operating.md#who-signs-in-at-the-broker) goes by it"
            )
        case .response:
            site(
                "res/{client}/{operation}", by: .coordinator, to: .audit, .everybody,
                scopes: [.requests],
                "the answer, for that client")
        case .coreStatus: core("status", "that a coordinator runs; its will")
        case .coreInfo: core("info", "its version and sites")
        case .coreHealth: core("health", "its counters, and what it refused; every 30 s")
        }
    }
}

extension PayloadKind {
    private static let specs: [PayloadKind: TopicSpec] = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, TopicSpec.of($0)) })

    /// Its topic.
    package var topic: TopicSpec { Self.specs[self] ?? .of(self) }

    /// Kinds by the first level below `mesh/v1/{site}/`.
    private static let trees: [Substring: [PayloadKind]] = Dictionary(grouping: allCases) {
        $0.topic.address.split(separator: "/")[3]
    }

    /// What a topic is of, and the names for its parameters; `nil` if it is none of ours.
    package static func of(_ topic: String) -> (kind: PayloadKind, names: [String])? {
        if topic.hasPrefix("mesh/v1/core/") {
            return of(topic, among: [.coreStatus, .coreInfo, .coreHealth])
        }
        let levels = topic.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
        return levels.count < 4 ? nil : of(topic, among: trees[levels[3]] ?? [])
    }

    private static func of(
        _ topic: String, among kinds: [PayloadKind]
    ) -> (kind: PayloadKind, names: [String])? {
        for kind in kinds {
            if let names = kind.topic.names(in: topic) { return (kind, names) }
        }
        return nil
    }
}
