import Basics
import BeaconDecoding
import NodeEngine
import SiteModel
import Wire

/// Renders the effects of a `NodeCore` as MQTT messages.
package struct NodeMessageEncoder: Sendable {
    /// What a node says about itself once.
    package struct Introduction: Equatable, Sendable {
        /// The version of the program.
        package var version: String
        /// Where advertisements come from, such as `hci:hci0`.
        package var source: String
        /// How it scans, if it scans.
        package var scan: NodeInfoPayload.Scan?

        package init(version: String, source: String, scan: NodeInfoPayload.Scan? = nil) {
            self.version = version
            self.source = source
            self.scan = scan
        }
    }

    /// What only the process itself can measure, at the moment of speaking.
    package struct Gauges: Equatable, Sendable {
        /// The wall clock, which may step.
        package var wall: Timestamp
        /// Whether a time server keeps it.
        package var isSynced: Bool
        /// MQTT messages refused since the start.
        package var refused: Int64
        /// Resident memory in units of 1,000,000 bytes.
        package var memory: Double
        /// Share of one core since the last health, in percent.
        package var processor: Double
        /// Messages not sent because earlier ones still waited to be.
        package var unsent: Int64 = 0
        /// How the outbox fares, if there is one.
        package var outbox: NodeHealthPayload.Outbox?
        /// What the wall clock did.
        package var clock = ClockWatch()
        /// How hot the processor is, in °C, where that can be read.
        package var temperature: Double?
        /// What a Raspberry Pi's firmware says about power and heat, where it does.
        package var throttled: Int64?

        package init(
            wall: Timestamp, isSynced: Bool, refused: Int64 = 0, memory: Double = 0,
            processor: Double = 0
        ) {
            self.wall = wall
            self.isSynced = isSynced
            self.refused = refused
            self.memory = memory
            self.processor = processor
        }
    }

    /// The radio's own address, once it is known.
    package var adapter: String?
    /// The log the node's evidence goes by, once there is one.
    package var log: UInt64?
    /// What the node's indices mean, and its profile. To be set before the policy is applied.
    package var configuration: NodeConfiguration
    private let node: String
    private let topics: SiteTopics
    private let boot: UInt64
    private let introduction: Introduction
    private let startedAt: Timestamp

    /// The voice of one process of a node.
    package init(
        site: String, node: String, boot: UInt64, startedAt: Timestamp,
        introduction: Introduction, configuration: NodeConfiguration
    ) {
        self.node = node
        topics = SiteTopics(site: site)
        self.boot = boot
        self.startedAt = startedAt
        self.introduction = introduction
        self.configuration = configuration
    }

    /// The topic a node is told its configuration on.
    package var desired: String { topics[.nodeConfiguration, node] }

    /// The topic a node is told what to do once on.
    package var command: String { topics[.nodeCommand, node] }

    /// The topic a node is given leases of the raw stream on.
    package var lease: String { topics[.debugLease, node] }

    /// What the broker says for us when we are gone, and we ourselves when we go.
    package var farewell: Publication {
        message(.nodeStatus, NodeStatusPayload(state: .offline, boot: boot))
    }

    /// The same before there is a voice, for the connection's will.
    package static func farewell(site: String, node: String, boot: UInt64) -> Publication {
        SiteTopics(site: site).message(
            .nodeStatus, node, saying: NodeStatusPayload(state: .offline, boot: boot))
    }

    /// The messages that say `effect`. `gauges` are measured only for what tells them.
    package func publications(
        for effect: NodeCore.Effect, gauges: @autoclosure () -> Gauges
    ) -> [Publication] {
        switch effect {
        case .frame(let frame): [message(.frame, payload(frame))]
        case .reading(let reading):
            [topics.message(.rssi, node, name(reading.beacon), saying: payload(reading))]
        case .beat(let beat): [message(.nodeBeat, payload(beat, gauges()))]
        case .health(let health):
            [message(.nodeHealth, payload(health, gauges()))]
        // Goes through the outbox, as a `NodeRecord`.
        case .evidence, .notice: []
        case .raw(let raw): [message(.raw, payload(raw))]
        case .sightings(let sightings, let moment): payloads(sightings, at: moment)
        case .online(let since):
            [
                message(
                    .nodeStatus,
                    NodeStatusPayload(
                        state: .online, boot: boot, version: introduction.version,
                        sinceMs: since.milliseconds))
            ]
        case .applied(let revision, let error, let moment):
            // What the node is depends on its profile.
            (error == nil ? [introducing] : [])
                + [
                    message(
                        .nodeConfigurationActive,
                        NodeConfigurationActivePayload(
                            rev: revision, ok: error == nil, appliedMs: moment.milliseconds,
                            error: error))
                ]
        }
    }

    /// What the node is, told again when that changes.
    package var introducing: Publication { message(.nodeInfo, info) }

    /// The answer to a command.
    package func publication(of response: NodeResponsePayload) -> Publication {
        message(.nodeResponse, response)
    }

    /// What a node says about itself when asked.
    package func description(at now: Timestamp) -> NodeResponsePayload.Info {
        NodeResponsePayload.Info(
            version: introduction.version,
            uptimeS: max(0, (now - startedAt).milliseconds / 1000),
            configRev: configuration.policy.revision, source: introduction.source,
            adapter: adapter, log: log)
    }
}

extension NodeMessageEncoder {
    private func name(_ beacon: BeaconReference) -> String {
        switch beacon {
        case .known(let index): configuration.slugs[index]
        case .unregistered(let identity): identity.text
        }
    }

    private var info: NodeInfoPayload {
        NodeInfoPayload(
            version: introduction.version, boot: boot,
            reports: configuration.policy.profile == .ranging ? .frame : .rssi,
            startedMs: startedAt.milliseconds, source: introduction.source,
            adapter: adapter, scan: introduction.scan)
    }

    private func payload(_ frame: NodeFrame) -> FramePayload {
        FramePayload(
            boot: boot, seq: frame.sequence, tMs: frame.at.milliseconds,
            r: frame.entries.map { entry in
                FramePayload.Entry(
                    beacon: name(entry.beacon), median: entry.median.dBm, count: entry.count,
                    strongest: entry.strongest.dBm)
            })
    }

    private func payload(_ reading: NodeReading) -> RSSIPayload {
        // A tag may claim −128, which the wire has no room for.
        let claimed = reading.measuredPower.flatMap { (-127...20).contains($0.dBm) ? $0.dBm : nil }
        return RSSIPayload(
            boot: boot, seq: reading.sequence, tMs: reading.at.milliseconds,
            rssi: reading.level.dBm, n: reading.count, sd: Self.tenths(reading.spread),
            raw: reading.raw.dBm, tx: claimed, everyMs: reading.interval?.milliseconds)
    }

    private func payload(_ beat: NodeBeat, _ gauges: Gauges) -> NodeBeatPayload {
        NodeBeatPayload(
            boot: boot, tMs: beat.at.milliseconds, wallMs: max(0, gauges.wall.milliseconds),
            synced: gauges.isSynced, frameSeq: beat.frameSequence,
            hciAgeMs: beat.radioAge?.milliseconds)
    }

    private func payload(_ health: NodeHealth, _ gauges: Gauges) -> NodeHealthPayload {
        var payload = NodeHealthPayload(
            tMs: health.at.milliseconds, uptimeS: health.uptime.milliseconds / 1000,
            adapter: adapter(health.adapter), advertsS: Self.tenths(health.advertisementRate),
            beacons: health.registered, unregistered: health.unregistered,
            dropped: Int64(health.dropped), malformed: Int64(health.malformed),
            rssiUnavailable: Int64(health.levelless), refused: gauges.refused,
            memMb: Self.tenths(gauges.memory), cpuPct: Self.tenths(gauges.processor))
        payload.drops = NodeHealthPayload.Drops(
            table: Int64(max(0, health.dropped - health.leftOut)), frame: Int64(health.leftOut),
            unsent: gauges.unsent, addresses: Int64(health.addressesForgotten),
            excluded: Int64(health.excluded), replayed: Int64(health.replayed),
            range: Int64(health.outOfRange))
        payload.devices = health.devices
        payload.outbox = gauges.outbox
        payload.clock = NodeHealthPayload.WallClock(
            offsetMs: gauges.clock.offset.milliseconds, steps: Int64(gauges.clock.steps),
            synced: gauges.isSynced)
        payload.scanner = health.scanner.map(scanner)
        payload.raw = NodeHealthPayload.Raw(
            sent: Int64(health.rawSent), leftOut: Int64(health.rawLeftOut),
            untilMs: health.leaseEnd?.milliseconds)
        payload.hciAgeMs = health.radioAge?.milliseconds
        payload.tempC = gauges.temperature
            .flatMap { NodeHealthPayload.temperatures.contains($0) ? Self.tenths($0) : nil }
        payload.throttled = gauges.throttled
        payload.alerts = health.alerts.prefix(NodeHealthPayload.mostAlerts).map {
            NodeHealthPayload.Alert(id: $0.alert.rawValue, sinceMs: $0.since.milliseconds)
        }
        payload.outOfRange = health.farBeacons.compactMap { far in
            guard configuration.slugs.indices.contains(far.beacon) else { return nil }
            return NodeHealthPayload.OutOfRange(
                beacon: configuration.slugs[far.beacon], count: Int64(far.count),
                rssi: far.level.dBm, tx: far.power?.dBm)
        }
        return payload
    }

    private func scanner(_ status: ScanStatus) -> NodeHealthPayload.Scanner {
        NodeHealthPayload.Scanner(
            state: NodeHealthPayload.Scanner.State(status.state),
            sinceMs: max(0, status.since.milliseconds), recoveries: Int64(status.recoveries),
            takeovers: Int64(status.takeovers))
    }

    private func payload(_ raw: RawAdvertisement) -> RawPayload {
        let addr: String
        switch raw.sender {
        case .address(let address): addr = Hex.text(address, count: 12)
        case .withheld(let number): addr = "xxxxxxxx" + Hex.text(UInt64(number), count: 4)
        }
        return RawPayload(
            boot: boot, seq: raw.sequence, tMs: raw.at.milliseconds,
            rssi: raw.report.rssi?.dBm, addr: addr, addrType: raw.addressType,
            event: RawPayload.Event(raw.report), data: raw.data, leftOut: Int64(raw.leftOut))
    }

    /// As many messages as they need.
    private func payloads(_ sightings: [NodeSighting], at now: Timestamp) -> [Publication] {
        stride(from: 0, to: sightings.count, by: SightingsPayload.most).map { start in
            let some = sightings[start..<min(sightings.count, start + SightingsPayload.most)]
            return message(
                .sightings,
                SightingsPayload(
                    boot: boot, tMs: now.milliseconds, sightings: some.compactMap(sighting)))
        }
    }

    private func sighting(_ one: NodeSighting) -> SightingsPayload.Sighting? {
        // Rules that came since mean others.
        guard configuration.rules.indices.contains(one.rule) else { return nil }
        let rule = configuration.rules[one.rule]
        let name = one.name.map {
            String(String.UnicodeScalarView($0.unicodeScalars.prefix(SightingsPayload.longestName)))
        }
        return SightingsPayload.Sighting(
            addr: Hex.text(one.address, count: 12),
            addrType: RawPayload.AddressType(one.kind, one.address), type: rule.type,
            confidence: rule.confidence, name: name, rssi: one.strongest.dBm,
            firstMs: one.first.milliseconds, lastMs: one.last.milliseconds, hits: Int64(one.hits))
    }

    private func adapter(_ state: AdapterState) -> NodeHealthPayload.Adapter {
        switch state {
        case .up: .up
        case .down: .down
        case .absent: .absent
        case .ended: .ended
        case .stopped: .stopped
        }
    }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    private func message(_ kind: PayloadKind, _ payload: some Payload) -> Publication {
        topics.message(kind, node, saying: payload)
    }
}

extension NodeHealthPayload.Scanner.State {
    package init(_ state: ScanStatus.State) {
        self =
            switch state {
            case .absent: .absent
            case .blocked: .blocked
            case .down: .down
            case .starting: .starting
            case .scanning: .scanning
            case .foreign: .foreign
            case .quiet: .quiet
            case .recovering: .recovering
            case .failed: .failed
            case .stopped: .stopped
            }
    }
}

extension RawAdvertisement {
    /// What sort of address it came from, also where the address itself is withheld.
    var addressType: RawPayload.AddressType {
        // The two highest bits of the address are known in any case.
        RawPayload.AddressType(report.addressKind, UInt64(randomKind) << 46)
    }
}

extension RawPayload.AddressType {
    /// What sort of address it is.
    init(_ kind: AdvertisingReport.AddressKind, _ address: UInt64) {
        self =
            switch kind {
            case .public: .public
            case .publicIdentity: .publicIdentity
            case .randomIdentity: .randomIdentity
            case .anonymous: .anonymous
            case .random:
                // The two highest bits tell them apart (Bluetooth Core 5.4, Vol 6 Part B 1.3.2).
                switch address >> 46 & 0b11 {
                case 0b00: .nrpa
                case 0b01: .rpa
                case 0b10: .reserved
                default: .randomStatic
                }
            }
    }
}

extension RawPayload.Event {
    package init(_ report: AdvertisingReport) {
        if !report.isLegacy {
            self = .extended
        } else if report.isScanResponse {
            self = .scanResponse
        } else if report.isDirected {
            self = .directed
        } else if report.isConnectable {
            self = .connectable
        } else {
            self = report.isScannable ? .scannable : .plain
        }
    }
}
