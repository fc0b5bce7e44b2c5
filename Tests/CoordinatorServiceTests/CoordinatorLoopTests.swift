@testable import SiteService
import Foundation
import Notifications
import Reporting
import Synchronization
import Testing

@testable import CoordinatorService
@testable import Platform
@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import SiteStore
@testable import Wire

/// What the loop does with its broker, its store and its mailbox.
struct CoordinatorLoopTests {
    let site: ScriptedSite

    init() throws { site = try ScriptedSite() }

    private var script: ScriptedSite.Script { site.script }

    @Test func `connected, it subscribes and says what is retained, its status last`() throws {
        script.isConnected = true
        site.loop.connected()
        #expect(script.subscriptions.contains(ScriptedSite.root + "req/+/+"))
        #expect(script.subscriptions.contains(ScriptedSite.root + "node/+/evidence"))
        let published = script.takePublished()
        #expect(published.filter { !$0.isRetained } == [])
        #expect(published.contains { $0.topic == ScriptedSite.root + "info" })
        let last = try #require(published.last)
        #expect(last.topic == "mesh/v1/core/main/status")
        #expect(try CoreStatusPayload(json: last.payload.span).state == .online)
        #expect(!site.status.isConnected, "it does not read yet")
        site.loop.subscribed(refused: [])
        #expect(site.status.isConnected)
    }

    @Test func `half deaf it is not ready, and says so until all is granted`() throws {
        func alerts() throws -> [String] {
            try script.takePublished().filter { $0.topic == "mesh/v1/core/main/health" }
                .map { try CoreHealthPayload(json: $0.payload.span).alerts.map(\.id) }.last ?? []
        }
        script.isConnected = true
        site.loop.connected()
        site.loop.subscribed(refused: ["mesh/v1/gym/node/+/evidence"])
        #expect(site.status.health.obstacle() == "half-deaf" && site.status.health.fault() == nil)
        try site.pass(seconds: 31)
        #expect(try alerts() == ["half-deaf"])
        site.loop.subscribed(refused: [])
        #expect(site.status.health.obstacle() == nil)
        try site.pass(seconds: 31)
        #expect(try alerts() == [])
        // A new connection is asked anew.
        site.loop.subscribed(refused: ["a"])
        site.disconnect()
        #expect(site.status.health.obstacle() == "no broker")
        site.connect()
        #expect(site.status.health.obstacle() == nil)
    }

    @Test func `without a connection nothing is sent, and all of it is said again`() throws {
        site.connect()
        let before = Set(script.takePublished().map(\.topic))
        site.disconnect()
        #expect(!site.status.isConnected)
        site.receive("req/phone/attendance-check-in", site.request("a", of: "u-ann"))
        try site.turn { site.loop.pipeline.isSettled }
        #expect(script.takePublished().isEmpty)
        site.connect()
        let again = script.takePublished()
        #expect(before.subtracting(again.map(\.topic)) == [])
        #expect(again.contains { $0.topic == ScriptedSite.root + "user/u-ann/attendance" })
    }

    @Test func `a request is answered when its facts are stored, and not before`() throws {
        site.connect()
        try site.turn { site.loop.pipeline.isSettled }
        try site.stall()
        site.receive("req/phone/attendance-check-in", site.request("a", of: "u-ann"))
        try site.pass(seconds: 5)
        #expect(try site.answers(to: "phone").isEmpty)
        #expect(try WhoRow.all(in: site.store).isEmpty)
        try site.goOn()
        try site.turn { try !site.answers(to: "phone").isEmpty }
        #expect(try site.answers(to: "phone").map(\.id) == ["a"])
        #expect(try WhoRow.all(in: site.store).count == 1)
        // What was decided since is on its way.
        try site.turn { site.loop.pipeline.isSettled }
        #expect(try #require(try site.store.load()).saved == site.loop.pipeline.mesh.saved)
    }

    @Test func `a store that takes nothing for a minute is a trouble, until it does`() throws {
        site.connect()
        try site.turn { site.loop.pipeline.isSettled }
        try site.stall()
        site.receive("req/phone/attendance-check-in", site.request("a", of: "u-ann"))
        try site.turn { site.status.health.fault() == "facts-waiting" }
        #expect(script.now - ScriptedSite.start >= .seconds(60))
        try site.goOn()
        try site.turn { site.status.health.fault() == nil }
        #expect(site.loop.ending == nil)
    }

    @Test func `facts refused again and again end the loop, with the code for a bug`() throws {
        site.connect()
        try site.turn { site.loop.pipeline.isSettled }
        try site.execute(
            """
            CREATE TRIGGER never BEFORE INSERT ON site_state
            BEGIN SELECT RAISE(ABORT, 'never'); END
            """)
        for number in 1...StoreHealth.most where site.loop.ending == nil {
            site.receive("req/phone/attendance-check-in", site.request("r\(number)", of: "u-ann"))
            try site.turn { site.loop.storeHealth.refusals >= number }
            // What comes before all is restored is lost with it.
            try site.turn { !site.loop.worker.progress.isBusy }
            try site.pass(seconds: 1)
        }
        #expect(site.loop.ending?.code == Exit.refused)
        #expect(
            try site.answers(to: "phone").allSatisfy {
                if case .error = $0.outcome { true } else { false }
            })
        #expect(try WhoRow.all(in: site.store).isEmpty)
        let health = try script.published.filter { $0.topic == "mesh/v1/core/main/health" }
            .map { try CoreHealthPayload(json: $0.payload.span) }
        #expect(health.last?.alerts.map(\.id) == ["facts-refused"])
    }

    @Test func `a request on the mailbox is answered after it is stored`() throws {
        let answers = Mutex<[ResponsePayload]>([])
        let question = LoopMailbox.Question(
            verb: .checkIn, payload: RequestPayload(id: "q", args: .init(user: "u-ben")),
            client: "http:test", reply: { answer, _ in answers.withLock { $0.append(answer) } })
        try site.stall()
        #expect(site.mailbox.put(question))
        try site.pass(seconds: 3)
        #expect(answers.withLock { $0.isEmpty })
        try site.goOn()
        try site.turn { answers.withLock { !$0.isEmpty } }
        #expect(answers.withLock { $0.map(\.id) } == ["q"])
        #expect(try WhoRow.all(in: site.store).count == 1)
    }

    @Test func `a question that nothing answers in time is forgotten`() throws {
        let answers = Mutex(0)
        try site.stall()
        let question = LoopMailbox.Question(
            verb: .checkIn, payload: RequestPayload(id: "q", args: .init(user: "u-ben")),
            client: "http:test", reply: { _, _ in answers.withLock { $0 += 1 } })
        #expect(site.mailbox.put(question))
        try site.pass(seconds: 16)
        // The mailbox is looked at when something lies on it.
        #expect(
            site.mailbox.put(
                LoopMailbox.Write { _ in
                    ""
                } reply: { _ in
                }))
        try site.pass(seconds: 1)
        #expect(site.loop.pendingReplies.questions.isEmpty)
        try site.goOn()
        try site.turn { site.loop.pipeline.isSettled }
        #expect(answers.withLock { $0 } == 0)
    }

    @Test func `a write on the mailbox is answered once, with what became of it`() throws {
        struct Fault: Error {}
        let results = Mutex<[String]>([])
        for work in [{ _ in "done" }, { _ in throw Fault() }]
            as [@Sendable (Store) throws -> String]
        {
            let write = LoopMailbox.Write(work: work) { result in
                results.withLock { $0.append((try? result.get()) ?? "failed") }
            }
            #expect(site.mailbox.put(write))
        }
        try site.turn { results.withLock { $0.count } == 2 }
        try site.pass(seconds: 2)
        #expect(results.withLock { $0 } == ["done", "failed"])
    }

    @Test func `what follows from a write is done when it is stored, though nobody waits`()
        async throws
    {
        struct Fault: Error {}
        let command = Publication(
            topic: "mesh/v1/gym/node/n/cmd", payload: [1], quality: 1, isRetained: false)
        site.connect()
        for fails in [true, false] {
            let key = Answer.Key(client: "http:test", id: "\(fails)")
            let mailbox = site.mailbox
            let gate = MonotonicSemaphore()
            let hasBegun = Mutex(false)
            let asking = Task {
                try await mailbox.ask(within: 0.2, storing: .together) { _ in
                    LoopMailbox.Write.Sequel(used: key, message: command)
                } _: { _ in
                    hasBegun.withLock { $0 = true }
                    gate.wait(seconds: 10)
                    if fails { throw Fault() }
                }
            }
            try site.turn { hasBegun.withLock { $0 } }
            await #expect(throws: LoopMailbox.Unanswered.late) { try await asking.value }
            gate.signal()
            try site.turn { site.loop.pendingReplies.isAnswered }
            #expect(site.loop.pipeline.mesh.knows(key) == !fails)
            #expect(site.script.takePublished().contains(command) == !fails)
        }
    }

    @Test func `who was erased over the mailbox is known by no old name`() throws {
        let isDone = Mutex(false)
        let write = LoopMailbox.Write(renames: true) { store in
            _ = try Erasures(store).erase(
                user: "u-ann", reason: "asked", by: "ann", via: .cli,
                at: ScriptedSite.start
            ).get()
            return ""
        } reply: { _ in
            isDone.withLock { $0 = true }
        }
        #expect(site.loop.names.users.id("u-ann") != nil)
        #expect(site.mailbox.put(write))
        try site.turn { isDone.withLock { $0 } }
        #expect(site.loop.names.users.id("u-ann") == nil)
    }

    @Test func `a step of the wall clock is an alert, and it ends`() throws {
        site.connect()
        func alerts() throws -> [String] {
            let health = try script.published.last { $0.topic == "mesh/v1/core/main/health" }
                .map { try CoreHealthPayload(json: $0.payload.span) }
            return health?.alerts.map(\.id) ?? []
        }
        try site.pass(seconds: 3)
        #expect(try alerts() == [])
        script.wallOffset = .seconds(3600)
        try site.turn { try alerts() == ["clock-stepped"] }
        script.wallOffset = .seconds(0)
        try site.turn { try alerts() == [] }
    }

    @Test func `ending, it stores what is decided and says goodbye last`() throws {
        site.connect()
        try site.turn { site.loop.pipeline.isSettled }
        site.receive("req/phone/attendance-check-in", site.request("a", of: "u-ann"))
        try site.loop.drain()
        #expect(try WhoRow.all(in: site.store).count == 1)
        #expect(try site.answers(to: "phone").map(\.id) == ["a"])
        let last = try #require(script.published.last)
        #expect(last.topic == "mesh/v1/core/main/status")
        #expect(try CoreStatusPayload(json: last.payload.span).state == .offline)
    }

    @Test func `a notice that found no broker is asked for as soon as there is one, and sent once`()
        throws
    {
        try site.store.commit([
            .notification(
                NotificationRow(
                    kind: .record, cause: "event-9", user: UserID(1), subject: "bench-press",
                    at: ScriptedSite.start, made: ScriptedSite.start))
        ])
        let waiting = try NotificationQueue(site.store).untold(at: script.now, most: 9)
        let notice = try #require(waiting.first)
        #expect(site.mailbox.put(notice))
        try site.pass(seconds: 1)
        #expect(script.takePublished() == [] && !site.mailbox.takeConnected())
        site.connect()
        #expect(site.mailbox.takeConnected() && !site.mailbox.takeConnected())
        for _ in 0..<2 { #expect(site.mailbox.put(notice)) }
        try site.pass(seconds: 1)
        let sent = script.takePublished().filter { $0.topic.contains("/notify/") }
        #expect(sent.count == 1)
        site.disconnect()
        site.connect()
        #expect(site.mailbox.takeConnected())
        #expect(site.mailbox.put(notice))
        try site.pass(seconds: 1)
        #expect(script.takePublished().contains { $0.topic.contains("/notify/") }, "it was lost")
    }
}
