import BeaconDecoding
import Foundation
import NodeEngine
import Platform
import Testing

@testable import Broker
@testable import NodeService
@testable import Outbox
@testable import Radio
@testable import SiteModel
@testable import Wire

/// A broker, a radio and a machine that do as they are told, and remember what was asked of them.
final class Script {
    struct Away: Error, CustomStringConvertible { var description: String { "no such adapter" } }

    var isConnected = false
    var isBusy = false
    var published: [Publication] = []
    private(set) var subscriptions: [[String]] = []
    private(set) var radioCalls: [String] = []
    var isRadioThere = true
    var status = ScanStatus(
        state: .scanning, adapter: "hci0", since: ScriptedNode.start)
    /// What the wall clock shows more than the node's own.
    var wallOffset = Timestamp.Span.milliseconds(0)
    var now = ScriptedNode.start

    /// Empties the list of what was published.
    func takePublished() -> [Publication] {
        defer { published = [] }
        return published
    }

    var broker: BrokerLink {
        BrokerLink(
            isConnected: { self.isConnected }, isBusy: { self.isBusy },
            publish: { publication throws(MQTTError) in
                try self.check()
                self.published.append(publication)
                return Int32(self.published.count)
            },
            subscribe: { filters, _ throws(MQTTError) in
                try self.check()
                self.subscriptions.append(filters)
            }, unsubscribe: { _ throws(MQTTError) in })
    }

    /// What was asked of the broker without a connection.
    private(set) var vain = 0

    private func check() throws(MQTTError) {
        guard isConnected else {
            vain += 1
            throw MQTTError(operation: .publish, subject: "", code: 4, reason: "not connected")
        }
    }

    var radio: RadioLink {
        RadioLink(
            open: {
                self.radioCalls.append("open")
                if !self.isRadioThere { throw Away() }
            }, stop: { self.radioCalls.append("stop") }, status: { self.status }, isAdapter: true)
    }

    func host(isSupervised: Bool) -> NodeHost {
        NodeHost(
            wall: { self.now + self.wallOffset }, isSynced: { true }, figures: { MachineFigures() },
            manager: ServiceManager { name in
                isSupervised && name == "NOTIFY_SOCKET" ? "@nobody-\(getpid())" : nil
            }, blinker: IdentifyLED(root: "/nowhere"))
    }
}

/// A node `n1` of site `gym` with a scripted clock, broker, radio and machine, and its outbox in a real
/// file.
final class ScriptedNode {
    static let start = Timestamp(second: 1_780_000_000)
    static let root = "mesh/v1/gym/node/n1/"
    static let boot: UInt64 = 7

    let script = Script()
    let folder: String
    private var process: NodeAgent?
    private let isSupervised: Bool

    init(isSupervised: Bool = false) throws {
        self.isSupervised = isSupervised
        folder = NSTemporaryDirectory() + "beaconmesh-agent-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        process = try Self.agent(folder, script, isSupervised)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func agent(
        _ folder: String, _ script: Script, _ isSupervised: Bool
    ) throws -> NodeAgent {
        let file = folder + "/node.yaml"
        let lines = [
            "node: n1", "site: gym", "radio: hci:hci0", "state: \(folder)", "log: error",
            "broker: {host: broker.example}", "outbox: {megabytes: 1}",
        ]
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let settings = try NodeSettings(file: file)
        return try NodeAgent(
            settings, boot: boot, secret: 1, host: script.host(isSupervised: isSupervised),
            broker: script.broker, radio: script.radio, log: Log(settings.log), at: script.now)
    }

    var agent: NodeAgent {
        guard let process else { preconditionFailure("the node was ended") }
        return process
    }

    /// The process ends, and with it its hold of the outbox.
    func end() {
        script.isConnected = false
        process = nil
    }

    /// Another process of the same node, which finds what this one left on the disk.
    func restart() throws {
        end()
        process = try Self.agent(folder, script, isSupervised)
    }

    var now: Timestamp { script.now }

    /// Lets time pass as the loop does; `each` is called before each step of 100 ms.
    func pass(seconds: Double, each: (Timestamp) -> Void = { _ in }) {
        let end = now + .seconds(seconds)
        while now < end {
            each(now)
            agent.work(at: now)
            script.now = now + .milliseconds(100)
        }
        agent.work(at: now)
    }

    /// The broker accepts us.
    func connect() {
        script.isConnected = true
        agent.connected()
        agent.work(at: now)
    }

    func disconnect() {
        script.isConnected = false
        agent.lost(at: now)
    }

    /// A message arrives and is acted upon.
    func receive(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
        agent.receive(topic: Self.root + topic, payload: payload.span, isRetained: isRetained)
        agent.work(at: now)
    }

    func radio(_ state: AdapterState) {
        script.status.state = state == .up ? .scanning : .down
        agent.take([.adapter(state)], at: now)
    }

    /// An iBeacon of `minor` is received.
    func hear(_ minor: UInt16, at moment: Timestamp) {
        agent.heard(Self.packet(minor).span, at: moment)
    }

    /// What was published on a topic since the last call of this or of `Script.takePublished`; all else
    /// is forgotten.
    func published<Message: Payload>(_ topic: String, as type: Message.Type) throws -> [Message] {
        try script.takePublished().filter { $0.topic == Self.root + topic }
            .map { try Message(json: $0.payload.span) }
    }

    /// The numbered records published since the last call: their kind or `evidence`, and number.
    func records() throws -> [(kind: String, seq: Int64)] {
        try script.takePublished().compactMap { publication in
            let payload = publication.payload.span
            switch publication.topic {
            case Self.root + "evidence":
                return ("evidence", try EvidencePayload(json: payload).seq)
            case Self.root + "event":
                let event = try NodeEventPayload(json: payload)
                return (event.kind.rawValue, event.seq)
            default: return nil
            }
        }
    }

    /// A cursor as the coordinator tells it. The node must be connected.
    func cursor(epoch: Int64, seq: Int64) throws {
        let log = try #require(try log())
        receive("cursor", CursorPayload(epoch: epoch, log: log, seq: seq).json, isRetained: true)
    }

    /// The log of the outbox, as the node says when asked.
    private func log() throws -> UInt64? {
        let earlier = script.takePublished()
        receive("cmd", NodeCommandPayload(id: "log", op: "info").json)
        let made = script.takePublished()
        let isAnswer = { (publication: Publication) in publication.topic == Self.root + "res" }
        script.published = earlier + made.filter { !isAnswer($0) }
        let answer = try made.first(where: isAnswer)
            .map { try NodeResponsePayload(json: $0.payload.span) }
        guard case .done(let info?)? = answer?.outcome else { return nil }
        return info.log
    }

    /// A configuration that knows the iBeacons of these minors as `b<minor>`.
    static func configuration(_ revision: Int64, minors: [UInt16]) -> [UInt8] {
        NodeConfigurationPayload(
            rev: revision, profile: .ranging, publishUnregistered: false, maxRangeM: 1000,
            beacons: minors.map { .init(id: "b\($0)", identity: identity($0)) }
        ).json
    }

    private static func identity(_ minor: UInt16) -> Identity {
        .iBeacon(
            uuid: Identity.Bytes16(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10),
            major: 1, minor: minor)
    }

    /// An HCI packet with one advertising report of an iBeacon at −60 dBm.
    private static func packet(_ minor: UInt16) -> [UInt8] {
        let data: [UInt8] =
            [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + (1...16).map { UInt8($0) }
            + [0, 1, UInt8(minor >> 8), UInt8(minor & 0xFF), 0xC5]
        let event: [UInt8] =
            [0x02, 0x01, 0x03, 0x01, UInt8(minor & 0xFF), 0, 0, 0, 0, 0x40, UInt8(data.count)]
            + data + [0xC4]
        return [0x04, 0x3E, UInt8(event.count)] + event
    }
}
