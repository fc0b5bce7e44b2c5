import Foundation
import Glibc
import Testing

@testable import SiteModel
@testable import Radio
@testable import Simulation
@testable import Wire

/// A person looks: at a recording, through a node, and where there is nothing to see.
@Suite(.ownThread) struct ProcessScanTests {
    let site: RunningSite

    init() throws { site = try RunningSite() }

    /// The lease on the node that the broker keeps just now.
    func lease() throws -> DebugLeasePayload? {
        try site.retained()[site.topics[.debugLease, "n-press"]]
            .flatMap { try? DebugLeasePayload(json: $0.span) }
    }

    func remote(_ more: [String] = []) throws -> RunningProgram {
        try RunningProgram(
            "beaconmesh",
            [
                "scan", "--node", "n-press", "--broker", "127.0.0.1:\(site.broker.port)", "--site",
                "gym",
            ]
                + more, in: site.directory)
    }

    @Test func `a recording ends with its table`() throws {
        defer { site.stop() }
        var bytes = BTSnoopWriter.header
        for index in 0..<30 {
            let at = site.now + .milliseconds(Int64(index) * 100)
            let emission = Emission(
                node: 0, at: at, rssi: UInt8(bitPattern: -50), sender: .person(index % 3))
            bytes += BTSnoopWriter.record(of: emission.packet(of: site.people), at: at)
        }
        let file = site.file("look.btsnoop")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let program = try site.run("beaconmesh", ["scan", "--capture", file, "--speed", "max"])
        #expect(program.status == 0, "\(program.errors)")
        for person in 0..<3 {
            #expect(program.output.contains(site.people[person].identity.text))
        }
        #expect(program.output.contains("3 transmitters · 30 advertisements"))
    }

    @Test func `where there is no adapter it is said what to do`() throws {
        defer { site.stop() }
        let program = try site.run("beaconmesh", ["scan", "--adapter", "hci15", "--seconds", "20"])
        #expect(program.status == 69)
        #expect(program.errors.contains("beaconmesh doctor"), "\(program.errors)")
    }

    @Test(arguments: [
        ["--node", "n-press"], ["--broker", "localhost"], ["--speed", "2"],
        ["--capture", "x", "--adapter", "hci0"], ["--seconds", "0"],
        ["--node", "N!", "--broker", "h", "--site", "gym"],
        ["--node", "n", "--broker", "h:x", "--site", "gym"], ["--capture", "x", "--speed", "0"],
    ])
    func `arguments that make no sense are refused`(arguments: [String]) throws {
        defer { site.stop() }
        #expect(try site.run("beaconmesh", ["scan"] + arguments).status == 64)
    }

    @Test func `through a node one sees what it hears, and the lease ends with the look`() throws {
        defer { site.stop() }
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50, 1: -62]]
        let program = try remote(["--raw", "--json"])
        try site.wait("both are seen") {
            (0..<2).allSatisfy { program.output.contains(site.people[$0].identity.text) }
        }
        let kept = try #require(try lease())
        #expect(kept.redact)
        #expect(kept.maxPerS == 50)
        #expect(kept.untilMs > site.now.milliseconds)
        program.signal(SIGINT)
        try site.wait("it ends") { !program.isRunning }
        #expect(program.status == 0, "\(program.errors)")
        #expect(try lease() == nil)
        let first = try #require(program.output.split(separator: "\n").first)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
        #expect(object["formats"] as? [String] == ["ibeacon"])
    }

    @Test func `the lease of a viewer that is killed is cleared by the broker`() throws {
        defer { site.stop() }
        try site.startNodes(["n-press"])
        let program = try remote()
        try site.wait("the lease is there") { try lease() != nil }
        program.kill()
        try site.wait("it is gone") { try lease() == nil }
    }

    @Test func `two viewers of one node: the first to leave does not end the other's look`() throws
    {
        defer { site.stop() }
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        let first = try remote(["--raw"])
        try site.wait("the first sees") { first.output.contains("iBeacon") }
        let second = try remote(["--raw"])
        try site.wait("the second sees") { second.output.contains("iBeacon") }
        let before = try #require(try lease()).id
        second.signal(SIGTERM)
        try site.wait("the second ends") { !second.isRunning }
        try site.wait("the lease is the first's") {
            guard let id = try lease()?.id else { return false }
            return id != before
        }
        let seen = first.output.utf8.count
        try site.wait("the first goes on") { first.output.utf8.count > seen + 500 }
        first.signal(SIGTERM)
        try site.wait("the first ends") { !first.isRunning }
        #expect(try lease() == nil)
    }

    @Test func `a node that is not there is named, with those that are`() throws {
        defer { site.stop() }
        try site.startNodes(["n-row"])
        let program = try remote()
        try site.wait("it ends") { !program.isRunning }
        #expect(program.status == 69)
        #expect(program.errors.contains("no node n-press"), "\(program.errors)")
        #expect(program.errors.contains("n-row"))
        #expect(try lease() == nil)
    }

    @Test func `a broker that is not there, or refuses, is said so`() throws {
        defer { site.stop() }
        let secured = try SecuredBroker(directory: site.directory, users: [], acl: "")
        let refused = try site.run(
            "beaconmesh",
            ["scan", "--node", "n", "--site", "gym", "--broker", "127.0.0.1:\(secured.port)"])
        #expect(refused.status == 77)
        #expect(refused.errors.contains("--password-file"), "\(refused.errors)")
        secured.stop()
        let away = try site.run(
            "beaconmesh",
            ["scan", "--node", "n", "--site", "gym", "--broker", "127.0.0.1:\(secured.port)"])
        #expect(away.status == 69)
        #expect(away.errors.contains("no broker at"), "\(away.errors)")
    }
}
