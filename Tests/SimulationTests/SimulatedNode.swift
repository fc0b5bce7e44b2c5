@testable import NodeEngine
@testable import NodePipeline
@testable import Outbox
@testable import Simulation
@testable import SiteEngine
@testable import SiteModel
@testable import Wire

/// The disk of a simulated node.
struct MemoryDisk: RingDisk {
    private var bytes: [UInt8]

    init(size: Int) { bytes = Array(repeating: 0, count: size) }

    var size: Int { bytes.count }

    func read(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    mutating func write(_ new: [UInt8], at offset: Int) throws(OutboxError) {
        bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }

    mutating func sync() throws(OutboxError) {}
}

/// A node as it runs: its real core, voice, outbox and replay. Its process can die; its disk stays.
struct SimulatedNode {
    let slug: String
    private(set) var core: NodeCore
    private(set) var voice: NodeMessageEncoder
    /// When its radio listened so far, whether it was told or not, by its own clock.
    private(set) var listened = IntervalSet(joining: Frame.joining)
    /// The seconds in which it heard a registered beacon, by index, loud enough for evidence.
    private(set) var hearings: [(second: Timestamp, beacon: Int)] = []
    private(set) var isUp = false
    private var isConnected = false
    private var boots: UInt64 = 0
    private var ring: Ring<MemoryDisk>
    private var replay: Replay
    private let index: Int
    private let site: String

    /// A node that was never switched on, with an outbox of so many MiB.
    init(
        _ index: Int, slug: String, site: String, at now: Timestamp, megabytes: Int
    ) throws {
        self.index = index
        self.slug = slug
        self.site = site
        let configuration = NodeConfiguration(
            profile: .ranging, publishesUnregistered: false, maximumRange: 50)
        core = NodeCore(boot: 1, policy: configuration.policy, at: now)
        voice = Self.voice(slug, site, boot: 1, configuration, at: now)
        ring = try Self.card(log: UInt64(index + 1) << 40, megabytes: megabytes)
        replay = Replay(
            log: ring.log, boot: 1, newest: 0, acknowledged: ring.acknowledged, at: now)
    }

    /// A new card, with an empty outbox.
    static func card(log: UInt64, megabytes: Int) throws -> Ring<MemoryDisk> {
        var disk = MemoryDisk(size: megabytes << 20)
        try Ring.format(&disk, log: log)
        return try Ring(opening: disk, path: "\(log)")
    }

    /// Somebody changes the card while the process is dead. Returns the one that was in.
    mutating func change(card: Ring<MemoryDisk>) -> Ring<MemoryDisk> {
        precondition(!isUp, "the card of a running node")
        defer { ring = card }
        return ring
    }

    /// How many records wait to be acknowledged, at most.
    var waiting: Int64 { ring.waiting }

    /// One packet was received.
    mutating func heard(_ packet: Span<UInt8>, at moment: Timestamp) {
        guard isUp else { return }
        core.heard(packet, at: moment)
    }

    /// The process dies.
    mutating func die(_ broker: inout MemoryBroker, at now: Timestamp) {
        guard isUp else { return }
        isUp = false
        disconnect()
        broker.disconnect(slug, isClean: false, at: now)
    }

    /// The connection is gone.
    mutating func disconnect() {
        isConnected = false
        replay.disconnected()
    }

    /// Does what is to be done by now: `now` is our time, `clock` what its own says, `step` how long
    /// it is until the next call.
    mutating func work(
        _ broker: inout MemoryBroker, isReachable: Bool, at now: Timestamp, clock: Timestamp,
        step: Timestamp.Span
    ) throws {
        if !isUp { try start(&broker, now, clock) }
        if isReachable, !isConnected { try connect(&broker, now, clock) }
        for delivery in broker.deliveries(for: slug, at: now) {
            try take(delivery, &broker, now, clock)
        }
        try tell(core.tick(at: clock), &broker, now, clock)
        send(&broker, now, clock, step)
    }

    /// Sends what is due in one step, as many records as would be in it one after the other.
    private mutating func send(
        _ broker: inout MemoryBroker, _ now: Timestamp, _ clock: Timestamp,
        _ step: Timestamp.Span
    ) {
        var moment = clock
        while moment < clock + step, let position = replay.due(at: moment) {
            guard let record = ring.record(after: position) else {
                replay.exhausted()
                return
            }
            replay.sent(record.sequence, at: moment)
            let message = NodeRecord.publication(
                of: record.bytes, log: ring.log, sequence: record.sequence,
                after: record.previous, node: slug, topics: SiteTopics(site: site))
            if let message { broker.publish(message, at: now) }
            moment = moment + Replay.spacing
        }
    }

    private mutating func start(
        _ broker: inout MemoryBroker, _ now: Timestamp, _ clock: Timestamp
    ) throws {
        isUp = true
        boots += 1
        let boot = UInt64(index + 1) << 32 | boots
        core = NodeCore(boot: boot, policy: voice.configuration.policy, at: clock)
        voice = Self.voice(slug, site, boot: boot, voice.configuration, at: clock)
        ring = try Ring(opening: ring.disk, path: slug)
        replay = Replay(
            log: ring.log, boot: boot, newest: ring.newest, acknowledged: ring.acknowledged,
            at: clock)
        try keep(NodeRecord.bytes(of: .init(.started, at: clock), boot: boot))
        try tell(core.adapter(.up, at: clock), &broker, now, clock)
    }

    private mutating func connect(
        _ broker: inout MemoryBroker, _ now: Timestamp, _ clock: Timestamp
    ) throws {
        isConnected = true
        broker.connect(slug, will: voice.farewell, at: now)
        broker.subscribe(slug, to: voice.desired, at: now)
        broker.subscribe(slug, to: SiteTopics(site: site)[.cursor, slug], at: now)
        replay.connected(at: clock)
        try tell(core.connected(at: clock), &broker, now, clock)
    }

    private mutating func take(
        _ delivery: MemoryBroker.Delivery, _ broker: inout MemoryBroker, _ now: Timestamp,
        _ clock: Timestamp
    ) throws {
        if let cursor = try? CursorPayload(json: delivery.payload.span) {
            let news = replay.heard(
                Acknowledgement(epoch: cursor.epoch, sequence: cursor.seq), log: cursor.log,
                at: clock)
            if let news { _ = ring.acknowledge(news, evenLower: true) }
        } else if let wanted = try? NodeConfiguration(json: delivery.payload.span) {
            try tell(core.conclude(at: clock), &broker, now, clock)
            voice.configuration = wanted
            try tell(core.apply(wanted.policy, at: clock), &broker, now, clock)
        }
    }

    private mutating func tell(
        _ effects: [NodeCore.Effect], _ broker: inout MemoryBroker, _ now: Timestamp,
        _ clock: Timestamp
    ) throws {
        let isSynced = clock == now
        for effect in effects {
            switch effect {
            case .evidence(let evidence):
                try keep(
                    NodeRecord.bytes(
                        of: evidence, slugs: voice.configuration.slugs, isSynced: isSynced))
            case .notice(let notice):
                let event = NodeRecord.event(of: notice, slugs: voice.configuration.slugs)
                try keep(NodeRecord.bytes(of: event, boot: core.boot))
            case .frame(let frame): note(frame)
            default: break
            }
            guard isConnected else { continue }
            let gauges = NodeMessageEncoder.Gauges(wall: clock, isSynced: isSynced)
            for message in voice.publications(for: effect, gauges: gauges) {
                broker.publish(message, at: now)
            }
        }
    }

    private mutating func note(_ frame: NodeFrame) {
        let second = frame.at - .seconds(1)
        listened.insert(Interval(from: second, to: frame.at))
        for entry in frame.entries where entry.strongest >= voice.configuration.policy.floor {
            if case .known(let index) = entry.beacon { hearings.append((second, index)) }
        }
    }

    private mutating func keep(_ record: [UInt8]) throws {
        replay.appended(try ring.append(record))
    }

    private static func voice(
        _ slug: String, _ site: String, boot: UInt64, _ configuration: NodeConfiguration,
        at now: Timestamp
    ) -> NodeMessageEncoder {
        NodeMessageEncoder(
            site: site, node: slug, boot: boot, startedAt: now,
            introduction: .init(version: "sim", source: "sim"), configuration: configuration)
    }
}
