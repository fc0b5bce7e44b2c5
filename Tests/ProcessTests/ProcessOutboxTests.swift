import Foundation
import Glibc
import Testing

@testable import Wire

/// What a node keeps survives the node, and is sent until somebody says that it is stored.
@Suite(.ownThread) struct ProcessOutboxTests {
    /// The events of a node that came so far.
    private func events(_ site: RunningSite) -> [NodeEventPayload] {
        site.watcher.messages.filter { $0.topic == site.topics[.nodeEvent, "n-press"] }
            .compactMap { try? NodeEventPayload(json: $0.payload.span) }
    }

    /// The numbers of all its records that came so far, each with the number before it. A process that lives
    /// as a minute ends keeps evidence of that minute too, be it that nobody was heard.
    private func numbers(_ site: RunningSite) -> [(seq: Int64, after: Int64)] {
        site.watcher.messages.compactMap { message in
            switch message.topic {
            case site.topics[.nodeEvent, "n-press"]:
                (try? NodeEventPayload(json: message.payload.span)).map { ($0.seq, $0.after) }
            case site.topics[.evidence, "n-press"]:
                (try? EvidencePayload(json: message.payload.span)).map { ($0.seq, $0.after) }
            default: nil
            }
        }
    }

    private func tellCursor(_ site: RunningSite, epoch: Int64, log: UInt64, _ seq: Int64) throws {
        try site.watcher.publish(
            site.topics[.cursor, "n-press"],
            CursorPayload(epoch: epoch, log: log, seq: seq).json, isRetained: true)
    }

    @Test func `a node killed again and again sends all it kept, each number once`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        site.broker.stop()
        let kills = 20
        for _ in 0..<kills {
            try site.startNodes(["n-press"], isReady: false)
            let node = try #require(site.nodes["n-press"])
            try site.wait("it misses the broker") { node.errors.contains("no broker at") }
            // At another moment each time, as a power cut would.
            usleep(.random(in: 0...50_000))
            node.kill()
        }
        try site.broker.start()
        try site.watchAgain()
        try site.startNodes(["n-press"])
        try site.wait("all is told") { events(site).count { $0.kind == .started } > kills }
        let told = events(site)
        let all = numbers(site)
        let seqs = all.map(\.seq)
        #expect(seqs == seqs.sorted() && Set(seqs).count == seqs.count, "\(seqs)")
        #expect(Set(told.map(\.log)).count == 1)
        #expect(Set(told.filter { $0.kind == .started }.map(\.boot)).count == kills + 1)
        #expect(all.map(\.after) == [0] + seqs.dropLast())
        let log = try #require(told.first?.log)

        // What is stored is not sent again, by this process or the next.
        let last = try #require(seqs.last)
        try tellCursor(site, epoch: 1, log: log, last)
        #expect(try site.terminate(site.nodes["n-press"]) <= .seconds(2))
        let before = events(site).count
        try site.startNodes(["n-press"])
        try site.wait("it says that it began") { events(site).count > before }
        #expect(events(site)[before...].allSatisfy { $0.seq > last })

        // A coordinator restored from an old copy gets it all again.
        let again = numbers(site).count
        try tellCursor(site, epoch: 2, log: log, seqs[2])
        try site.wait("it goes back") { numbers(site).count >= again + seqs.count - 3 }
        #expect(
            numbers(site)[again...].prefix(seqs.count - 3).map(\.seq) == Array(seqs.dropFirst(3)))
    }

    @Test func `what a node heard before it was stopped is evidence`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50, 1: -55]]
        try site.wait("it hears both, for some seconds") {
            site.watcher.messages.count { message in
                guard message.topic == site.topics[.frame, "n-press"] else { return false }
                return (try? FramePayload(json: message.payload.span))?.r.count == 2
            } >= 3
        }
        #expect(try site.terminate(site.nodes["n-press"]) <= .seconds(2))
        try site.startNodes(["n-press"])
        func evidence() -> [EvidencePayload] {
            site.watcher.messages.filter { $0.topic == site.topics[.evidence, "n-press"] }
                .compactMap { try? EvidencePayload(json: $0.payload.span) }
        }
        let people = Set(site.people.prefix(2).map(\.beaconSlug))
        try site.wait("it tells what it heard") {
            evidence().contains { Set($0.runs.map(\.beacon)) == people }
        }
        #expect(evidence().allSatisfy { $0.contradiction == nil })
    }

    @Test func `an outbox that cannot be opened is named, and the node does not start`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.write("dear diary", to: "diary.txt")
        let text = """
            node: n-press
            site: gym
            radio: "btsnoop:unix:\(site.file("none.sock"))"
            broker: {host: 127.0.0.1, port: \(site.broker.port)}
            state: state
            outbox: {path: diary.txt, megabytes: 1}

            """
        let node = try site.run(
            "beacon-node", ["--config", try site.write(text, to: "diary.yaml")])
        #expect(node.status == 74)
        #expect(
            node.errors.contains("the outbox cannot be used: \(site.file("diary.txt")) is no"),
            "\(node.errors)")
    }

    @Test func `a disk without room for the outbox is named at the start`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let text = """
            node: n-press
            site: gym
            radio: "btsnoop:unix:\(site.file("none.sock"))"
            broker: {host: 127.0.0.1, port: \(site.broker.port)}
            state: state
            outbox: {megabytes: 64}

            """
        let config = try site.write(text, to: "large.yaml")
        // A limit on the size of files stands for a disk that is full.
        let script =
            "ulimit -f 16384; exec '\(RunningProgram.path("beacon-node").path)' --config \(config)"
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", script]
        shell.currentDirectoryURL = URL(fileURLWithPath: site.directory)
        let output = Pipe()
        shell.standardError = output
        try shell.run()
        let errors = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 74)
        #expect(errors.contains("outbox.ring.new: File too large"), "\(errors)")
    }
}
