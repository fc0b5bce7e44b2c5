import Testing

@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// A row that is added, changed or taken away is told by the topics that say it, and by no other.
struct RowEditTests {
    struct Edit: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The retained topics that say it, without the site's root.
        let topics: Set<String>
        let change: @Sendable (inout Plan) -> Void

        init(
            _ name: String, _ topics: Set<String>,
            _ change: @escaping @Sendable (inout Plan) -> Void
        ) {
            (testDescription, self.topics, self.change) = (name, topics, change)
        }
    }

    static let edits = [
        Edit("a room", ["info", "room/attic/info", "room/attic/state"]) {
            $0.rooms.append(Room(id: RoomID(4)))
        },
        Edit("a room taken away", ["info", "room/store/info", "room/store/state"]) {
            $0.rooms.removeAll { $0.id == RoomID(3) }
        },
        Edit("a station", ["info", "station/mat/info", "station/mat/state"]) {
            $0.stations.append(Station(id: StationID(4), room: RoomID(1), slots: 1))
        },
        Edit("a station taken away", ["info", "station/rack/info", "station/rack/state"]) {
            $0.stations.removeAll { $0.id == StationID(2) }
        },
        Edit("a station's slots", ["station/rack/info", "station/rack/state"]) {
            $0.stations[1].slots = 2
        },
        Edit("when a workout begins", []) { $0.stations[0].timing.autoStart = 20 },
        Edit("a node", ["info", "state", "node/n3/config/desired"]) {
            $0.nodes.append(Node(id: NodeID(3), room: RoomID(2), station: nil))
        },
        Edit(
            "a node taken away",
            ["info", "state", "node/n2/config/desired", "room/yard/state"]
        ) { $0.nodes.removeAll { $0.id == NodeID(2) } },
        Edit(
            "a person",
            ["user/u-new/presence", "user/u-new/attendance", "user/u-new/workout"]
        ) { $0.users.append(User(id: UserID(4))) },
        Edit(
            "a tag",
            [
                "beacon/tag-3/info", "beacon/tag-3/state", "node/n1/config/desired",
                "node/n2/config/desired",
            ]
        ) { $0.beacons.append(Beacon(id: BeaconID(3), identity: .address(3))) },
        Edit("a number", []) { $0.revision += 1 },
    ]

    private static func table<Of>(_ slugs: [String]) -> NameTable<Of> {
        NameTable(
            slugs.enumerated().map {
                .init(id: ID(Int64($0.offset + 1)), slug: $0.element, name: $0.element)
            })
    }

    /// With the names of what is added, too.
    static let names = Names(
        site: "gym", siteName: "Gym", timeZone: "Europe/Berlin", isDemo: false,
        rooms: table(["hall", "yard", "store", "attic"]),
        stations: table(["bench", "rack", "bike", "mat"]), nodes: table(["n1", "n2", "n3"]),
        beacons: table(["tag-1", "tag-2", "tag-3"]),
        users: table(["u-ann", "u-ben", "u-cid", "u-new"]))

    static let plan = {
        var plan = PipelineSite.plan(2)
        plan.rooms.append(Room(id: RoomID(3)))
        plan.stations += (2...3).map { Station(id: StationID($0), room: RoomID(1), slots: 1) }
        plan.users.append(User(id: UserID(3)))
        return plan
    }()

    /// Ann trains at the bench and is heard there, Ben waits for it, the bike is kept for Cid, the rack is out of
    /// order.
    static func gym() -> PipelineRun {
        var run = PipelineRun()
        run.connect(0)
        run.note(run.pipeline.adopt(plan: plan, names: names, at: PipelineRun.moment(0)))
        for second in 1...40 { run.second(Double(second), [("tag-1", -50)]) }
        run.ask("workout-start", id: "1", station: "bench", 41)
        run.ask("queue-join", id: "2", user: "u-ben", station: "bench", 41)
        run.ask("queue-join", id: "3", user: "u-cid", station: "bike", 41)
        run.hear(
            "\(PipelineSite.root)req/kiosk/station-service",
            #"{"id": "4", "args": {"station": "rack", "out_of_order": true}}"#, 41)
        run.settle()
        for second in 42...60 { run.second(Double(second), [("tag-1", -50)]) }
        run.settle()
        return run
    }

    /// The retained messages of ten seconds after a moment, without the site's root.
    private func told(_ run: inout PipelineRun, _ edit: Edit?) -> [(
        topic: String, payload: [UInt8]
    )] {
        let before = run.effects.count
        if let edit {
            var plan = Self.plan
            plan.revision = 3
            edit.change(&plan)
            run.note(
                run.pipeline.adopt(
                    plan: plan, names: Self.names, at: PipelineRun.moment(60.5)))
            run.settle()
        }
        for second in 61...70 {
            run.second(Double(second), [("tag-1", -50)])
            run.settle()
        }
        return run.effects[before...].compactMap { effect in
            guard case .publish(let message) = effect, message.isRetained else { return nil }
            return (String(message.topic.dropFirst(PipelineSite.root.count)), message.payload)
        }
    }

    @Test(arguments: Self.edits)
    func `what is edited is told, and nothing else`(_ edit: Edit) throws {
        let start = Self.gym()
        var (without, with) = (start, start)
        let usual = Set(told(&without, nil).map(\.topic))
        #expect(usual.isSubset(of: ["beacon/tag-1/state", "user/u-ann/presence"]))
        let messages = told(&with, edit)
        let more = Set(messages.map(\.topic)).subtracting(usual).subtracting(edit.topics)
        #expect(more == [], "told by \(edit)")
        for (topic, payload) in messages where topic == "user/u-ann/presence" {
            let state = try PresencePayload(json: payload.span)
            #expect(state.state == .present && state.station == "bench", "\(topic)")
        }
        let board = with.pipeline.board
        let anew = RetainedTopics(rendering: with.pipeline.mesh, names: Self.names)
        #expect(board.topics == anew.topics)
        // What is another on the board than before was published.
        let before = start.pipeline.board.topics
        let changed = Set(before.keys).union(board.topics.keys)
            .filter { before[$0] != board.topics[$0] }
            .map { String($0.dropFirst(PipelineSite.root.count)) }
        #expect(Set(changed).isSubset(of: messages.map(\.topic)))
    }

    private func station(_ slug: String, of pipeline: Pipeline) throws -> StationStatePayload {
        let topic = "\(PipelineSite.root)station/\(slug)/state"
        let payload = try #require(pipeline.board.topics[topic])
        return try StationStatePayload(json: payload.span)
    }

    @Test func `after a restart stations are told as they are stored, at once`() throws {
        var run = Self.gym()
        let old = try ["bench", "rack", "bike"].map { try station($0, of: run.pipeline) }
        run.pipeline = Pipeline(plan: Self.plan, names: Self.names, saved: run.saved)
        let new = try ["bench", "rack", "bike"].map { try station($0, of: run.pipeline) }
        #expect(old.map(\.state) == [.occupied, .outOfOrder, .claimed])
        #expect(new.map(\.state) == [.claimed, .outOfOrder, .claimed])
        #expect(new.map(\.by) == old.map(\.by) && new.map(\.queue) == old.map(\.queue))
        #expect(new.map(\.offered) == old.map(\.offered))
        #expect(new.dropFirst().map(\.sinceMs) == old.dropFirst().map(\.sinceMs))
        for second in 63...75 { run.second(Double(second), [("tag-1", -50)]) }
        let bench = try station("bench", of: run.pipeline)
        #expect(bench.state == .occupied && bench.sinceMs == old[0].sinceMs, "nor by a restart")
    }

    @Test
    func `a day that the broker holds stands until days are told, and goes if it is nobody's`()
        throws
    {
        var run = Self.gym()
        run.connect(61)
        let day = DayPayload(
            date: "2023-11-14", steps: 7, distanceM: 5, kcal: nil, goal: nil, movingS: 0,
            source: nil)
        let topics = ["u-ann", "u-ben"].map { "\(PipelineSite.root)user/\($0)/day" }
        for topic in topics {
            #expect(run.hear(topic, day.json, isRetained: true, 61).publications == [])
        }
        let effects = run.note(run.pipeline.tell(days: ["u-ann": day]))
        #expect(effects.publications.map(\.topic) == topics)
        #expect(effects.publications.map(\.payload) == [day.json, []])
        #expect(
            run.hear(topics[1], day.json, isRetained: true, 62).publications.map(\.payload) == [[]])
    }
}
