import Foundation
import Notifications
import GRDB
import Logging
import Registry
import Synchronization
import Testing

@testable import Broker
@testable import CoordinatorService
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import SiteService
@testable import WebServer
@testable import Wire

/// A coordinator's loop with a scripted clock and broker, and its database in a real file.
final class ScriptedSite {
    static let start = Timestamp(milliseconds: 1_780_000_000_000)
    static let root = "mesh/v1/gym/"

    /// What is scripted, and what was asked of the broker.
    final class Script {
        var now = ScriptedSite.start
        var wallOffset = Timestamp.Span.milliseconds(0)
        var isConnected = false
        var published: [Publication] = []
        var subscriptions: [String] = []

        func takePublished() -> [Publication] {
            defer { published = [] }
            return published
        }

        var clock: LoopClock {
            LoopClock(now: { self.now }, wall: { self.now + self.wallOffset })
        }

        var broker: BrokerLink {
            BrokerLink(
                isConnected: { self.isConnected }, isBusy: { false },
                publish: { publication throws(MQTTError) in
                    self.published.append(publication)
                    return Int32(self.published.count)
                },
                subscribe: { filters, _ throws(MQTTError) in self.subscriptions += filters },
                unsubscribe: { _ throws(MQTTError) in })
        }
    }

    static let document = SiteDocument(
        slug: "gym", name: "Gym", timeZone: "UTC",
        rooms: [.init(slug: "hall", name: "Hall")], stations: [],
        nodes: [.init(slug: "n1", name: "Door", room: "hall")],
        users: ["u-ann", "u-ben"].map { .init(slug: $0, name: $0) }, beacons: [])

    let script = Script()
    let store: Store
    let loop: CoordinatorLoop
    let mailbox = LoopMailbox()
    let status = SharedStatus()
    let feed = LiveFeed()
    private let path = NSTemporaryDirectory() + "loop-\(UUID().uuidString).sqlite"
    var recording: String { path + ".jsonl" }
    /// Another process that holds the database's write lock: the disk, as far as the loop can tell.
    private let other: DatabaseQueue

    /// `prepare` is done before the loop begins; `records`: into `recording`.
    init(records: Bool = false, prepare: (Store) throws -> Void = { _ in }) throws {
        store = try Store(path: path)
        try SiteImport(store).importDocument(Self.document, at: Self.start)
        try prepare(store)
        // A transaction is tried for this long and then refused for now.
        try store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 100") }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        other = try DatabaseQueue(path: path, configuration: configuration)
        let text = "sites: [{id: gym, database: \(path)}]\n"
        var settings = try CoordinatorConfiguration(text: text, named: "c.yaml")
        if records { settings.record = path + ".jsonl" }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        loop = try CoordinatorLoop(
            configuration: settings, store: store,
            loaded: try #require(try store.load()), overrides: try store.decisions(),
            feed: feed, status: status, clock: script.clock, mailbox: mailbox, password: nil,
            logger: logger, script: script.broker)
    }

    deinit {
        loop.worker.stop(within: 0.5)
        _ = Result { try other.close() }
        store.close()
        for end in ["", "-wal", "-shm", ".jsonl"] {
            _ = Result { try FileManager.default.removeItem(atPath: path + end) }
        }
    }

    /// From now on nothing is stored, until `goOn`.
    func stall() throws { try execute("BEGIN IMMEDIATE") }

    func goOn() throws { try execute("ROLLBACK") }

    func execute(_ sql: String) throws {
        try other.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// Lets the loop work until something is so, for twenty seconds at most; its clock goes on by a tick
    /// each turn.
    func turn(until isDone: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try !isDone() {
            try #require(ContinuousClock.now < deadline, "it never was so")
            script.now = script.now + .milliseconds(250)
            loop.turn()
            usleep(1_000)  // The store's thread works, too.
        }
    }

    /// Lets so much time pass.
    func pass(seconds: Double) throws {
        let end = script.now + .seconds(seconds)
        try turn { script.now >= end }
    }

    func connect() {
        script.isConnected = true
        loop.connected()
        loop.subscribed(refused: [])
    }

    func disconnect() {
        script.isConnected = false
        loop.lost()
    }

    func receive(_ topic: String, _ payload: [UInt8]) {
        loop.received(topic: Self.root + topic, payload: payload.span, isRetained: false)
    }

    /// The answers published to a client since the list was taken.
    func answers(to client: String) throws -> [ResponsePayload] {
        try script.published.filter { $0.topic.hasPrefix(Self.root + "res/\(client)/") }
            .map { try ResponsePayload(json: $0.payload.span) }
    }

    /// What a member's client asks for.
    func request(_ id: String, of user: String) -> [UInt8] {
        RequestPayload(id: id, args: .init(user: user)).json
    }
}
