import Scheduling
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// Nodes of other networks stand for nodes of the site, whose places they hang at.
struct PipelineForeignTests {
    private static let uuid = "7b44b47b52a1538190c2f09b6838c5d4"

    private var run = PipelineRun(
        foreign: [
            ForeignNetwork(
                kind: .espresense, nodes: ["kitchen": "n1"], beacons: ["irk:0123": "tag-2"]),
            ForeignNetwork(kind: .theengs, root: "omg"),
        ])
    private let tag = "espresense/devices/000000000001/kitchen"

    private func report(_ level: Int) -> String { #"{"rssi":\#(level),"mac":"000000000001"}"# }

    private mutating func pass(_ seconds: ClosedRange<Int>, every: Int = 5, _ level: Int = -55) {
        for second in seconds {
            run.tick(Double(second))
            if second % every == 0 { run.hear(tag, report(level), Double(second) + 0.4) }
            if second % 15 == 0 {
                run.hear("espresense/rooms/kitchen/telemetry", "{}", Double(second) + 0.6)
            }
        }
    }

    private var presence: PresenceState { run.pipeline.mesh.live.presences[0] }
    private var sessions: [Session] { run.pipeline.mesh.saved.sessions }

    @Test mutating func `only configured networks are subscribed to`() {
        #expect(
            run.connect(0).contains(
                .subscribe(
                    [
                        "espresense/devices/+/+", "espresense/rooms/+/status",
                        "espresense/rooms/+/telemetry", "omg/+/BTtoMQTT/#", "omg/+/LWT",
                        "omg/+/SYStoMQTT",
                    ], quality: 0)))
        var own = PipelineRun()
        let effects = own.connect(0)
        #expect(!"\(effects)".contains("espresense"))
        own.hear(tag, report(-55), 1)
        #expect(own.pipeline.counts.refused == ["foreign": 1])
    }

    @Test mutating func `whoever an ESPresense node hears is at its station, and in`() {
        pass(0...40)
        #expect(presence.state == .present)
        #expect(presence.room == RoomID(1) && presence.station == StationID(1))
        #expect(presence.confidence >= 0.9)
        #expect(sessions.map(\.user) == [UserID(1)])
        #expect(sessions.first?.from == PipelineRun.moment(0))
        #expect(run.pipeline.counts.refused == [:])
    }

    @Test mutating func `a report every twelve seconds is no coming and going`() {
        pass(0...600, every: 12)
        #expect(run.pipeline.mesh.saved.stays.count == 2)
        #expect(presence.station == StationID(1))
        run.settle()
        let events = run.effects.commits.joined().compactMap { fact in
            if case .event(let event) = fact { event.kind } else { nil }
        }
        // The second report settles where; that somebody is there at all needs no place.
        #expect(events == [.checkedIn, .entered, .entered])
    }

    @Test mutating func `who is not reported any more leaves when last heard`() {
        pass(0...60)
        for second in 61...300 {
            run.tick(Double(second))
            if second % 15 == 0 {
                run.hear("espresense/rooms/kitchen/telemetry", "{}", Double(second))
            }
        }
        #expect(presence.state == .notPresent)
        #expect(sessions.map(\.to) == [PipelineRun.moment(61)])
    }

    @Test(arguments: [true, false])
    mutating func `a dead node checks nobody out`(hasWill: Bool) {
        pass(0...60)
        if hasWill {
            run.hear("espresense/rooms/kitchen/status", "offline", isRetained: true, 61)
        }
        for second in 61...2000 { run.tick(Double(second)) }
        #expect(presence.state == .unknown)
        #expect(sessions.map(\.to) == [nil])
    }

    @Test mutating func `names of theirs may stand for beacons of ours`() {
        for second in 0...30 {
            run.tick(Double(second))
            run.hear("espresense/devices/irk:0123/kitchen", #"{"rssi":-60}"#, Double(second) + 0.2)
            run.hear("omg/n2/BTtoMQTT/x", #"{"rssi":-60,"id":"tag-1"}"#, Double(second) + 0.3)
        }
        #expect(run.pipeline.mesh.live.presences.map(\.room) == [RoomID(2), RoomID(1)])
    }

    @Test mutating func `a page sees them come and go`() {
        run.hear("omg/n2/LWT", "online", isRetained: true, 1)
        #expect(run.effects.shown.isEmpty)
        run.hear("omg/n2/SYStoMQTT", "{}", 2)
        run.hear("omg/n2/SYStoMQTT", "{}", 3)
        run.hear("omg/n2/LWT", "offline", 4)
        let states = run.effects.shown.filter { $0.topic == "mesh/v1/gym/node/n2/status" }
            .compactMap { try? NodeStatusPayload(json: $0.payload.span).state }
        #expect(states == [.online, .offline])
    }

    @Test mutating func `what is not ours is counted and forgotten`() {
        run.hear("espresense/devices/x/attic", #"{"rssi":-60}"#, 1)
        run.hear("espresense/devices/a/b/kitchen", #"{"rssi":-60}"#, 1)
        run.hear("espresense/devices/x/kitchen", #"{"rssi":"loud"}"#, 1)
        run.hear("espresense/devices/x/kitchen", #"{"rssi":-60}"#, isRetained: true, 1)
        run.hear("espresense/rooms/kitchen/status", "maybe", 1)
        #expect(
            run.pipeline.counts.refused == [
                "unknown-node": 1, "foreign-topic": 1, "wrong-type": 1, "retained": 1,
                "unknown-value": 1,
            ])
        // A node is alive whatever it hears.
        run.hear("espresense/devices/name:stranger/kitchen", #"{"rssi":-60}"#, 2)
        run.tick(3)
        run.tick(4)
        #expect(run.pipeline.mesh.live.nodes[0].isListening)
    }

    @Test mutating func `a new connection and a new plan start over`() {
        pass(0...30)
        run.pipeline.disconnected()
        for second in 31...60 { run.tick(Double(second)) }
        #expect(!run.pipeline.mesh.live.nodes[0].isListening)
        run.connect(61)
        run.note(
            run.pipeline.adopt(
                plan: PipelineSite.plan(2), names: PipelineSite.names(), at: PipelineRun.moment(62))
        )
        pass(63...90)
        #expect(presence.station == StationID(1))
        #expect(sessions.count == 1)
    }

    @Test(arguments: [true, false])
    mutating func `nothing is forgotten of a node that stays`(isPlanNew: Bool) {
        pass(0...30)
        let now = PipelineRun.moment(31)
        if isPlanNew {
            run.note(
                run.pipeline.adopt(
                    plan: PipelineSite.plan(2), names: PipelineSite.names(), at: now))
        } else {
            run.note(run.pipeline.adopt(overrides: Overrides(revision: 1), at: now))
        }
        // It says nothing meanwhile, as it often does.
        for second in 31...34 { run.tick(Double(second)) }
        #expect(run.pipeline.mesh.live.nodes[0].isListening)
    }

    @Test mutating func `told again, it decides the same`() {
        var other = run
        for _ in 0..<2 {
            pass(0...40)
            swap(&run, &other)
        }
        #expect(run.effects == other.effects)
    }

    @Test func `a mobile node is told the fixed beacons only`() throws {
        var plan = PipelineSite.plan()
        plan.nodes[1].carrier = UserID(2)
        plan.beacons[0].anchor = Place(room: RoomID(1), station: StationID(1))
        let board = Pipeline(plan: plan, names: PipelineSite.names(), saved: Saved()).board
        let known = try ["n1", "n2"].map { node in
            let payload = try #require(board.topics["mesh/v1/gym/node/\(node)/config/desired"])
            return try NodeConfigurationPayload(json: payload.span).beacons.map(\.id)
        }
        #expect(known == [["tag-1", "tag-2"], ["tag-1"]])
    }

    /// What our own nodes recognise by a rule is recognised by others' too, and in the same order.
    @Test(arguments: [
        ("ibm-\(Self.uuid)-00000013-0102xxxx", "iBeacon:\(Self.uuid)-7-4660", "{}", true),
        ("ibm-\(Self.uuid)-00000013-0102xxxx", "iBeacon:\(Self.uuid)-7-4928", "{}", false),
        ("ib-\(Self.uuid)", "iBeacon:\(Self.uuid)-9-9", "{}", true),
        ("ib-\(Self.uuid)-7", "iBeacon:\(Self.uuid)-7-1", "{}", true),
        ("eu-00112233445566778899", "eddy:00112233445566778899-0000000000ff", "{}", true),
        ("nm-546167202a", "name:tag-7", #"{"name":"Tag 7"}"#, true),
        ("nm-546167202a", "name:bike", #"{"name":"Bike"}"#, false),
        ("ib-\(Self.uuid)", "iBeacon:\(Self.uuid)-9-9", #"{"name":null}"#, true),
    ])
    func `rules hold for nodes of other networks`(
        rule: String, id: String, fields: String, isHeard: Bool
    ) throws {
        var plan = PipelineSite.plan(2)
        plan.beacons[0].identity = try #require(Identity(text: rule))
        var run = run
        run.note(
            run.pipeline.adopt(plan: plan, names: PipelineSite.names(), at: PipelineRun.moment(0)))
        let body = #"{"rssi":-55,"x":0,"# + fields.dropFirst()
        for second in 1...10 {
            run.tick(Double(second))
            run.hear(
                "espresense/devices/\(id)/kitchen", body.replacing(",}", with: "}"),
                Double(second) + 0.4)
        }
        let hearings = run.pipeline.mesh.live.beacons[0].hearings
        #expect(hearings.map(\.node) == (isHeard ? [NodeID(1)] : []), "\(rule), \(id)")
    }

    @Test func `a whole identity goes before a rule, whichever network tells it`() throws {
        var plan = PipelineSite.plan(2)
        plan.beacons[0].identity = try #require(Identity(text: "ib-\(Self.uuid)"))
        plan.beacons[1].identity = try #require(Identity(text: "ib-\(Self.uuid)-1-1"))
        var run = run
        run.note(
            run.pipeline.adopt(plan: plan, names: PipelineSite.names(), at: PipelineRun.moment(0)))
        for second in 1...10 {
            run.tick(Double(second))
            run.hear(
                "espresense/devices/iBeacon:\(Self.uuid)-1-1/kitchen", #"{"rssi":-55}"#,
                Double(second) + 0.4)
        }
        #expect(run.pipeline.mesh.live.beacons.map(\.hearings.count) == [0, 1])
    }
}
