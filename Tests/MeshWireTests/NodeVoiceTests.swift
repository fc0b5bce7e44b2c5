import Testing

@testable import NodeEngine
@testable import NodePipeline
@testable import SiteModel
@testable import Wire

struct NodeVoiceTests {
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let gauges = NodeMessageEncoder.Gauges(
        wall: Timestamp(milliseconds: 1_700_000_000_250), isSynced: true, refused: 3, memory: 12.34,
        processor: 0.55)
    let stranger = Identity.address(0xA)

    private func configuration() throws -> NodeConfiguration {
        try NodeConfiguration(
            NodeConfigurationPayload(
                rev: 4, profile: .ranging, publishUnregistered: true, maxRangeM: 20,
                beacons: [
                    .init(id: "tag-1", identity: .address(1)),
                    .init(id: "tag-2", identity: .address(2)),
                ]))
    }

    private func voice() throws -> NodeMessageEncoder {
        NodeMessageEncoder(
            site: "gym", node: "n1", boot: 0xAB, startedAt: now,
            introduction: .init(version: "1.0", source: "hci:hci0"),
            configuration: try configuration())
    }

    private func said(_ effect: NodeCore.Effect) throws -> [Publication] {
        try voice().publications(for: effect, gauges: gauges)
    }

    @Test func `a frame names registered beacons by slug and others by identity`() throws {
        let entries = [BeaconReference.known(1), .unregistered(stranger)].map {
            NodeFrame.Entry(
                beacon: $0, median: RSSI(dBm: -60.5), count: 2, strongest: RSSI(dBm: -60))
        }
        let message = try #require(
            try said(.frame(NodeFrame(sequence: 9, at: now, entries: entries))).first)
        #expect(message.topic == "mesh/v1/gym/node/n1/frame")
        #expect(!message.isRetained && message.quality == 0)
        let payload = try FramePayload(json: message.payload.span)
        #expect(payload.boot == 0xAB && payload.seq == 9)
        #expect(payload.r.map(\.beacon) == ["tag-2", "mac-00000000000a"])
        #expect(payload.r.first?.median == -60.5)
    }

    @Test func `a reading goes to its beacon's own topic`() throws {
        func reading(_ power: Double?) -> NodeReading {
            NodeReading(
                beacon: .known(0), sequence: 1, at: now, level: RSSI(dBm: -61.26),
                raw: RSSI(dBm: -60), count: 3, spread: 1.26,
                measuredPower: power.map { RSSI(dBm: $0) })
        }
        let message = try #require(try said(.reading(reading(-59))).first)
        #expect(message.topic == "mesh/v1/gym/node/n1/rssi/tag-1" && !message.isRetained)
        let payload = try RSSIPayload(json: message.payload.span)
        #expect(payload.rssi == -61.3 && payload.sd == 1.3 && payload.tx == -59)
        let odd = try #require(try said(.reading(reading(-128))).first)
        #expect(try RSSIPayload(json: odd.payload.span).tx == nil)
    }

    @Test func `what the broker keeps is retained, and the will clears nothing`() throws {
        let messages =
            try said(.online(since: now)) + said(.applied(revision: 4, error: nil, at: now))
        #expect(
            messages.map(\.topic)
                == ["status", "info", "config/active"].map { "mesh/v1/gym/node/n1/\($0)" })
        #expect(messages.allSatisfy { $0.isRetained && $0.quality == 1 })
        let farewell = try voice().farewell
        #expect(farewell.topic == "mesh/v1/gym/node/n1/status" && farewell.isRetained)
        #expect(try NodeStatusPayload(json: farewell.payload.span).state == .offline)
    }

    @Test func `a refusal says why and changes nothing else`() throws {
        let messages = try said(.applied(revision: 5, error: "two beacons", at: now))
        try #require(messages.count == 1)
        let message = messages[0]
        let payload = try NodeConfigurationActivePayload(json: message.payload.span)
        #expect(payload.rev == 5 && !payload.ok && payload.error == "two beacons")
    }

    @Test func `beat and health carry what only the process knows`() throws {
        let beat = NodeBeat(at: now, frameSequence: 2, radioAge: nil)
        let beatMessage = try #require(try said(.beat(beat)).first)
        let beatPayload = try NodeBeatPayload(json: beatMessage.payload.span)
        #expect(beatPayload.wallMs == 1_700_000_000_250 && beatPayload.synced)
        #expect(beatPayload.hciAgeMs == nil)
        let health = NodeHealth(
            at: now, uptime: .seconds(61.5), adapter: .down, advertisementRate: 10.26,
            registered: 1,
            unregistered: 2, dropped: 3, malformed: 4, levelless: 5)
        let healthMessage = try #require(try said(.health(health)).first)
        let payload = try NodeHealthPayload(json: healthMessage.payload.span)
        #expect(payload.adapter == .down && payload.uptimeS == 61 && payload.refused == 3)
        #expect(payload.advertsS == 10.3 && payload.memMb == 12.3 && payload.rssiUnavailable == 5)
    }

    @Test func `health says what was lost, how the machine fares, and what is wrong`() throws {
        var health = NodeHealth(
            at: now, uptime: .seconds(1), adapter: .up, advertisementRate: 0, registered: 0,
            unregistered: 0, dropped: 12, malformed: 0, levelless: 0)
        health.leftOut = 2
        health.radioAge = .milliseconds(40)
        var status = ScanStatus(state: .quiet, adapter: "hci0", since: now)
        status.recoveryCounts.rescans = 2
        status.recoveryCounts.powerCycles = 1
        health.scanner = status
        (health.rawSent, health.rawLeftOut, health.leaseEnd) = (5, 6, now)
        health.alerts = [RaisedAlert(.radioQuiet, since: now)]
        var gauges = gauges
        (gauges.unsent, gauges.temperature, gauges.throttled) = (7, 48.37, 0x50000)
        _ = gauges.clock.look(offset: .seconds(-2))
        gauges.outbox = .init(waiting: 1, dropped: 2, bytes: 3)
        let message = try #require(
            try voice().publications(for: .health(health), gauges: gauges).first)
        #expect(message.topic == "mesh/v1/gym/node/n1/health")
        let payload = try NodeHealthPayload(json: message.payload.span)
        #expect(payload.drops == .init(table: 10, frame: 2, unsent: 7))
        #expect(payload.outbox == .init(waiting: 1, dropped: 2, bytes: 3))
        #expect(payload.clock == .init(offsetMs: -2000, steps: 1, synced: true))
        let since = now.milliseconds
        #expect(
            payload.scanner == .init(state: .quiet, sinceMs: since, recoveries: 3, takeovers: 0))
        #expect(payload.raw == .init(sent: 5, leftOut: 6, untilMs: since))
        #expect(payload.hciAgeMs == 40 && payload.tempC == 48.4 && payload.throttled == 0x50000)
        #expect(payload.alerts == [.init(id: "radio-quiet", sinceMs: since)])
    }

    @Test func `what a machine cannot say is left out`() throws {
        let health = NodeHealth(
            at: now, uptime: .seconds(1), adapter: .stopped, advertisementRate: 0, registered: 0,
            unregistered: 0, dropped: 0, malformed: 0, levelless: 0)
        var gauges = gauges
        gauges.temperature = .infinity
        let message = try #require(
            try voice().publications(for: .health(health), gauges: gauges).first)
        let payload = try NodeHealthPayload(json: message.payload.span)
        #expect(payload.adapter == .stopped && payload.tempC == nil && payload.throttled == nil)
        #expect(payload.scanner == nil && payload.outbox == nil && payload.hciAgeMs == nil)
        #expect(payload.raw?.untilMs == nil && payload.alerts == [])
    }

    @Test(arguments: [
        (UInt8(0x00), true, UInt64(0x0123_4567_89AB), RawPayload.AddressType.nrpa, "ADV_IND"),
        (0x01, true, 0xC123_4567_89AB, .randomStatic, "ADV_DIRECT_IND"),
        (0x02, true, 0x8123_4567_89AB, .reserved, "ADV_SCAN_IND"),
        (0x03, true, 0x4123_4567_89AB, .rpa, "ADV_NONCONN_IND"),
        (0x04, false, 0x0123_4567_89AB, .public, "SCAN_RSP"),
    ])
    func `a raw advertisement says what it was, also when it is withheld`(
        type: UInt8, isRandom: Bool, address: UInt64, kind: RawPayload.AddressType, event: String
    ) throws {
        for isRedacted in [true, false] {
            var core = NodeCore(
                boot: 0xAB, policy: try configuration().policy, at: now, secret: 99)
            let lease = DebugLease(
                id: "l", until: now + .seconds(60), perSecond: 50, isRedacted: isRedacted)
            _ = core.lease(lease, at: now)
            let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
            let report = [0x02, 0x01, type, isRandom ? 1 : 0] + bytes + [3, 2, 1, 6, 127]
            core.heard(([0x04, 0x3E, UInt8(report.count)] + report).span, at: now)
            let effects = core.tick(at: now)
            try #require(effects.count == 1)
            let message = try #require(try said(effects[0]).first)
            #expect(message.topic == "mesh/v1/gym/node/n1/raw")
            #expect(message.quality == 0 && !message.isRetained)
            let payload = try RawPayload(json: message.payload.span)
            #expect(payload.addrType == kind && payload.event.rawValue == event)
            #expect(payload.boot == 0xAB && payload.seq == 1 && payload.rssi == nil)
            let isHidden = isRedacted && [.nrpa, .rpa, .reserved].contains(kind)
            #expect(payload.addr.hasPrefix("xxxxxxxx") == isHidden)
            #expect(payload.data == (isRedacted ? nil : [2, 1, 6]))
        }
    }

    @Test func `an answer is told once, and a description says what runs`() throws {
        var voice = try voice()
        voice.adapter = "B8:27:EB:00:00:01"
        voice.log = 0xC0FFEE
        let description = voice.description(at: now + .seconds(90))
        #expect(description.uptimeS == 90 && description.configRev == 4)
        #expect(description.adapter == "B8:27:EB:00:00:01" && description.log == 0xC0FFEE)
        let message = voice.publication(
            of: NodeResponsePayload(id: "1", op: "info", tMs: 1, outcome: .done(description)))
        #expect(message.topic == "mesh/v1/gym/node/n1/res")
        #expect(message.quality == 1 && !message.isRetained)
        let info = try NodeInfoPayload(json: voice.introducing.payload.span)
        #expect(info.adapter == "B8:27:EB:00:00:01")
        #expect(voice.command == "mesh/v1/gym/node/n1/cmd")
        #expect(voice.lease == "mesh/v1/gym/debug/lease/n1")
    }

    @Test func `a configuration survives the way out and in`() throws {
        let configuration = try configuration()
        #expect(try NodeConfiguration(json: configuration.payload.json.span) == configuration)
        #expect(configuration.policy.known == [.address(1), .address(2)])
    }

    @Test(arguments: [
        (["a", "a"], [1, 2]), (["a", "b"], [1, 1]), (["a", "mac-000000000009"], [1, 2]),
    ])
    func `a configuration that contradicts itself is refused with its revision`(
        slugs: [String], addresses: [UInt64]
    ) {
        let payload = NodeConfigurationPayload(
            rev: 8, profile: .sparse, publishUnregistered: false, maxRangeM: 1,
            beacons: zip(slugs, addresses).map { .init(id: $0, identity: .address($1)) })
        let refusal = #expect(throws: NodeConfiguration.Refusal.self) {
            try NodeConfiguration(payload)
        }
        #expect(refusal?.revision == 8)
    }

    @Test(arguments: [
        (
            [
                "ib-0102030405060708090a0b0c0d0e0f10",
                "ibm-0102030405060708090a0b0c0d0e0f10-00000001-xxxxxxx1",
            ],
            [String](),
            "beacons: b-1 could never be heard, b-0 comes first and takes all of it"
        ),
        (
            ["nm-2a", "mac-000000000001", "nm-542a"], [],
            "beacons: b-2 could never be heard, b-0 comes first and takes all of it"
        ),
        (
            [], ["mac-000000000001", "mac-000000000001"],
            "allow: mac-000000000001 is allowed already"
        ),
        ([], ["nm-2a", "nm-542a"], "allow: nm-542a is allowed already"),
    ])
    func `rules that contradict each other are refused by name`(
        identities: [String], allowed: [String], reason: String
    ) {
        let payload = NodeConfigurationPayload(
            rev: 8, profile: .sparse, publishUnregistered: false, maxRangeM: 1,
            beacons: identities.enumerated().compactMap { place, text in
                Identity(text: text).map { .init(id: "b-\(place)", identity: $0) }
            }, allow: allowed.isEmpty ? nil : allowed.compactMap { Identity(text: $0) })
        let refusal = #expect(throws: NodeConfiguration.Refusal.self) {
            try NodeConfiguration(payload)
        }
        #expect(refusal?.revision == 8 && refusal?.description == reason)
    }

    @Test func `there may be 256 patterns and no more`() throws {
        for count in [256, 257] {
            let payload = NodeConfigurationPayload(
                rev: 8, profile: .sparse, publishUnregistered: false, maxRangeM: 1,
                beacons: try (0..<count).map {
                    .init(
                        id: "b-\($0)",
                        identity: .name(try #require(ShortText("tag \(1000 + $0) *".utf8))))
                })
            let configuration = try? NodeConfiguration(payload)
            #expect((configuration == nil) == (count > 256))
        }
    }

    @Test func `thresholds and what is allowed survive the way out and in`() throws {
        let allowed: [Identity] = [.address(7), .eddystoneEID(.digits(9))]
        let configuration = try NodeConfiguration(
            NodeConfigurationPayload(
                rev: 4, profile: .ranging, publishUnregistered: true, maxRangeM: 20,
                beacons: [
                    .init(id: "a", identity: .address(1), thresholdDBm: -55.5),
                    .init(id: "b", identity: .address(2)),
                ], allow: allowed))
        #expect(configuration.thresholds == [RSSI(dBm: -55.5), nil])
        #expect(configuration.policy.allowed == allowed)
        #expect(try NodeConfiguration(json: configuration.payload.json.span) == configuration)
    }

    /// What is wrong, in the words that stand in `config/active`, and the revision if it can be read.
    @Test(arguments: [
        (#""profile":"turbo""#, "profile has an unknown value"),
        (#""profile":7"#, "profile is of the wrong type"),
        (#""max_range_m":-1"#, "max_range_m is out of range"),
        (#""max_range_m":0"#, "max_range_m is out of range"),
        (#""max_range_m":1001"#, "max_range_m is out of range"),
        (#""max_range_m":"far""#, "max_range_m is of the wrong type"),
        (#""publish_unregistered":"no""#, "publish_unregistered is of the wrong type"),
        (#""beacons":{}"#, "beacons is of the wrong type"),
        (#""beacons":[{"id":"A b","identity":"mac-000000000001"}]"#, "id has an unknown value"),
        (#""beacons":[{"id":"a","identity":"mac-1"}]"#, "identity has an unknown value"),
        (#""beacons":[{"id":"a"}]"#, "identity is missing"),
        (#""beacons":null"#, "beacons is of the wrong type"),
    ])
    func `a bad configuration is refused by the name of its key`(field: String, reason: String) {
        let good =
            #"{"rev":7,"profile":"ranging","publish_unregistered":false,"max_range_m":20,"beacons":[],"#
        let refusal = #expect(throws: NodeConfiguration.Refusal.self) {
            // Of two equal keys the last counts.
            try NodeConfiguration(json: Array((good + field + "}").utf8).span)
        }
        #expect(refusal?.revision == 7)
        #expect(refusal?.description == reason)
    }

    @Test func `a configuration too long to be read is refused`() {
        let json = [UInt8](repeating: 0x20, count: NodeConfigurationPayload.limit + 1)
        let refusal = #expect(throws: NodeConfiguration.Refusal.self) {
            try NodeConfiguration(json: json.span)
        }
        #expect(refusal?.description == "more than \(NodeConfigurationPayload.limit) bytes")
    }

    @Test func `a configuration that cannot be read is refused with the reason`() {
        let json = Array(#"{"rev":"x"}"#.utf8)
        let refusal = #expect(throws: NodeConfiguration.Refusal.self) {
            try NodeConfiguration(json: json.span)
        }
        #expect(refusal?.revision == 0)
        #expect(refusal?.description == "rev is of the wrong type")
    }
}
