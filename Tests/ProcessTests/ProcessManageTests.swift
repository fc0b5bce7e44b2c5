import Foundation
import Glibc
import TestSupport
import Testing

@testable import Wire

/// Real nodes that are told what to do through a real broker, and tell a real datagram socket that they
/// work.
@Suite(.ownThread) struct ProcessManageTests {
    let node = "n-press"

    /// Tells the node to do something, and returns what it answers.
    @discardableResult
    func tell(_ site: RunningSite, _ text: String) throws -> NodeResponsePayload {
        let topic = site.topics[.nodeResponse, node]
        let count = site.watcher.messages.count { $0.topic == topic }
        try site.watcher.publish(site.topics[.nodeCommand, node], Array(text.utf8))
        try site.wait("an answer to \(text)") {
            site.watcher.messages.count { $0.topic == topic } > count
        }
        return try #require(site.latest(topic))
    }

    func code(_ response: NodeResponsePayload) -> String? {
        if case .failed(let failure) = response.outcome { failure.code } else { nil }
    }

    func count(_ site: RunningSite, _ topic: String) -> Int {
        site.watcher.messages.count { $0.topic == topic }
    }

    func health(_ site: RunningSite) -> NodeHealthPayload? {
        site.latest(site.topics[.nodeHealth, node])
    }

    @Test func `a node answers every command, and does each once`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startNodes([node])
        let info = try tell(site, #"{"id":"1","op":"info"}"#)
        guard case .done(let description?) = info.outcome else {
            Issue.record("no description: \(info)")
            return
        }
        #expect(info.id == "1" && info.op == "info")
        #expect(description.configRev == 0 && description.source.hasPrefix("btsnoop:unix:"))
        #expect(!description.version.isEmpty && description.uptimeS < 60)
        // Told again, the very same answer comes, whatever is asked.
        #expect(try tell(site, #"{"id":"1","op":"restart"}"#) == info)
        for (text, expected) in [
            (#"{"id":"2","op":"fly"}"#, "unknown-op"),
            (#"{"id":"3","op":"restart"}"#, "not-supervised"),
            (#"{"id":"4","op":"info","exp_ms":1}"#, "expired"),
            (#"{"id":"5","op":"burst","for_s":3601}"#, "out-of-range"),
            ("restart!", "not-json"),
        ] {
            #expect(code(try tell(site, text)) == expected, "\(text)")
        }
        // A command that the broker kept is an old one: told as news it would be done at each connect.
        let before = count(site, site.topics[.nodeResponse, node])
        try site.watcher.publish(
            site.topics[.nodeCommand, node], Array(#"{"id":"6","op":"info"}"#.utf8),
            isRetained: true)
        try site.wait("it answers the living command") {
            count(site, site.topics[.nodeResponse, node]) == before + 1
        }
        try #require(site.terminate(site.nodes[node]) <= .seconds(2))
        try site.startNodes([node])
        #expect(try tell(site, #"{"id":"7","op":"info"}"#).id == "7")
        #expect(count(site, site.topics[.nodeResponse, node]) == before + 2)
    }

    @Test func `a node stops listening, begins again, and bursts`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startNodes([node])
        site.air = [node: [0: -50]]
        let frame = site.topics[.frame, node]
        try site.wait("frames") { count(site, frame) >= 2 }
        #expect(code(try tell(site, #"{"id":"1","op":"scan-stop"}"#)) == nil)
        try site.wait("it says that it stopped") { health(site)?.adapter == .stopped }
        let stopped = count(site, frame)
        let beats = count(site, site.topics[.nodeBeat, node])
        try site.wait("two more beats") { count(site, site.topics[.nodeBeat, node]) >= beats + 2 }
        #expect(count(site, frame) <= stopped + 1)
        #expect(health(site)?.alerts == [])
        #expect(code(try tell(site, #"{"id":"2","op":"scan-start"}"#)) == nil)
        try site.wait("it listens again") { health(site)?.adapter == .up }
        try site.wait("frames again") { count(site, frame) > stopped + 2 }

        let sparse = NodeConfigurationPayload(
            rev: 3, profile: .sparse, publishUnregistered: false, maxRangeM: 20, beacons: [])
        try site.watcher.publish(
            site.topics[.nodeConfiguration, node], sparse.json, isRetained: true)
        try site.wait("it is sparse") {
            let active: NodeConfigurationActivePayload? = site.latest(
                site.topics[.nodeConfigurationActive, node])
            return active?.rev == 3
        }
        let quiet = count(site, frame)
        let start = ContinuousClock.now
        #expect(code(try tell(site, #"{"id":"3","op":"burst","for_s":3}"#)) == nil)
        try site.wait("frames in a burst") { count(site, frame) >= quiet + 2 }
        try site.wait("the burst is over") { ContinuousClock.now - start > .seconds(5) }
        #expect(count(site, frame) <= quiet + 5)
    }

    @Test func `the raw stream runs under a lease, and no longer`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startNodes([node])
        site.air = [node: [0: -50, 1: -60]]
        let raw = site.topics[.raw, node]
        let frame = site.topics[.frame, node]
        try site.wait("frames") { count(site, frame) >= 2 }
        #expect(count(site, raw) == 0)
        let until = Int64(Date().timeIntervalSince1970 * 1000) + 4000
        let lease = DebugLeasePayload(id: "look", untilMs: until, maxPerS: 5)
        try site.watcher.publish(site.topics[.debugLease, node], lease.json, isRetained: true)
        try site.wait("raw advertisements") { count(site, raw) >= 6 }
        let first = try #require(site.watcher.messages.first { $0.topic == raw })
        let payload = try RawPayload(json: first.payload.span)
        #expect(payload.seq == 1 && payload.rssi != nil && payload.data != nil)
        try site.wait("its end") { Int64(Date().timeIntervalSince1970 * 1000) > until + 500 }
        let told = count(site, raw)
        // Five a second for four seconds, and a second's worth at once, of the ten a second there were.
        #expect(told <= 25)
        let frames = count(site, frame)
        try site.wait("two more frames") { count(site, frame) >= frames + 2 }
        #expect(count(site, raw) == told)

        // One that is no lease is refused; one that is ended by its owner ends.
        let long = DebugLeasePayload(id: "again", untilMs: until + 600_000, redact: false)
        try site.watcher.publish(site.topics[.debugLease, node], long.json, isRetained: true)
        try site.wait("raw advertisements again") { count(site, raw) > told }
        try site.watcher.publish(site.topics[.debugLease, node], [], isRetained: true)
        try tell(site, #"{"id":"1","op":"info"}"#)
        let ended = count(site, raw)
        let more = count(site, frame)
        try site.wait("two more frames") { count(site, frame) >= more + 2 }
        #expect(count(site, raw) == ended)
    }

    @Test func `a node that may leaves to be started again, and answers first`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startNode(node, more: "allow_restart: true")
        let program = try #require(site.nodes[node])
        try site.wait("it is ready") { program.errors.contains(": ready\n") }
        #expect(code(try tell(site, #"{"id":"1","op":"restart"}"#)) == nil)
        try site.wait("it leaves", within: 5) { !program.isRunning }
        #expect(program.status == 75)
        try site.wait("it says so") {
            let status: NodeStatusPayload? = site.latest(site.topics[.nodeStatus, node])
            return status?.state == .offline
        }
    }

    @Test func `a node tells systemd when it is ready, that it works, and that it leaves`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let systemd = try NotifySocket(isAbstract: true)
        var heard: [String] = []
        try site.startNode(
            node, environment: ["NOTIFY_SOCKET": systemd.name, "WATCHDOG_USEC": "3000000"])
        let program = try #require(site.nodes[node])
        try site.wait("it is ready") {
            heard += systemd.received
            return heard.contains("READY=1")
        }
        try site.wait("it works") {
            heard += systemd.received
            return heard.count { $0 == "WATCHDOG=1" } >= 3
        }
        #expect(heard.contains("STATUS=scanning, connected"))
        // Stopped in its tracks, it says nothing, and is started again.
        program.signal(SIGSTOP)
        _ = systemd.received
        let start = ContinuousClock.now
        try site.wait("three seconds") { ContinuousClock.now - start > .seconds(3) }
        #expect(systemd.received == [])
        program.signal(SIGCONT)
        #expect(try site.terminate(program) <= .seconds(2))
        #expect(systemd.received.last == "STOPPING=1")
        #expect(program.status == 0)
    }

    @Test func `without a broker a node is ready when it has listened for a while`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        site.broker.stop()
        let systemd = try NotifySocket(isAbstract: false)
        let start = ContinuousClock.now
        try site.startNode(node, environment: ["NOTIFY_SOCKET": systemd.name])
        var heard: [String] = []
        try site.wait("it is ready") {
            heard += systemd.received
            return heard.contains("READY=1")
        }
        #expect(ContinuousClock.now - start >= .seconds(10))
        #expect(heard.contains("STATUS=scanning, no broker"))
        #expect(site.nodes[node]?.errors.contains(": ready\n") == false)
    }

    @Test func `a coordinator tells systemd, too`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let systemd = try NotifySocket(isAbstract: true)
        try site.startCoordinator(
            environment: ["NOTIFY_SOCKET": systemd.name, "WATCHDOG_USEC": "3000000"])
        var heard: [String] = []
        try site.wait("it works") {
            heard += systemd.received
            return heard.contains("READY=1") && heard.count { $0 == "WATCHDOG=1" } >= 2
        }
        #expect(heard.contains { $0.hasPrefix("STATUS=site gym, connected") })
        #expect(try site.terminate(site.coordinator) <= .seconds(3))
        #expect(systemd.received.last == "STOPPING=1")
    }
}
