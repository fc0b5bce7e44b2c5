import Foundation
import GRDB
import Testing

/// A database has one owner: the coordinator that has it open, or whoever restores it.
@Suite(.ownThread) struct ProcessOwnerTests {
    /// A coordinator of another name and port on the same database.
    private func second(
        _ site: RunningSite, database: String = "site.sqlite"
    ) throws -> RunningProgram {
        let text = """
            coordinator: second
            broker: {host: 127.0.0.1, port: \(site.broker.port)}
            http: {host: 127.0.0.1, port: 0, anonymous_reading: true}
            sites: [{id: gym, database: \(database)}]

            """
        let file = try site.write(text, to: "second.yaml")
        return try RunningProgram("beacon-coordinator", ["--config", file], in: site.directory)
    }

    @Test func `a second coordinator names the first and ends`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let first = try #require(site.coordinator)
        try FileManager.default.createSymbolicLink(
            atPath: site.file("other.sqlite"), withDestinationPath: site.database)
        for database in ["site.sqlite", "other.sqlite"] {
            let start = ContinuousClock.now
            let program = try second(site, database: database)
            try site.wait("the second ends") { !program.isRunning }
            #expect(ContinuousClock.now - start < .seconds(2))
            #expect(program.status == 75)
            #expect(program.errors.contains(database), "\(program.errors)")
            #expect(
                program.errors.contains(
                    "beacon-coordinator, process \(first.processIdentifier) on"),
                "\(program.errors)")
        }
        #expect(first.isRunning)

        // Killed, it holds nothing; the file that it left shuts nobody out.
        first.kill()
        #expect(FileManager.default.fileExists(atPath: site.database + ".lock"))
        let program = try second(site)
        try site.wait("the second is ready") { program.errors.contains(": ready\n") }
        #expect(try site.terminate(program) <= .seconds(2))
        #expect(program.status == 0, "\(program.errors)")
    }

    @Test func `nothing is restored under a coordinator`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try FileManager.default.copyItem(atPath: site.database, toPath: site.file("backup"))
        try site.startCoordinator()
        let first = try #require(site.coordinator)
        let arguments = ["restore", "--database", site.database, "--from", site.file("backup")]
        let refused = try site.run("beaconmesh", arguments)
        #expect(refused.status == 75)
        #expect(
            refused.errors.contains("beacon-coordinator, process \(first.processIdentifier) on"),
            "\(refused.errors)")
        #expect(try site.terminate(first) <= .seconds(2))
        let done = try site.run("beaconmesh", arguments)
        #expect(done.status == 0, "\(done.errors)")
    }

    @Test func `a counter behind the rows is mended at the start`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
        #expect(try site.terminate(site.coordinator) <= .seconds(2))
        // As a second coordinator left it before there was a lock.
        let other = try DatabaseQueue(path: site.database)
        try other.write { try $0.execute(sql: "UPDATE site_state SET next = 1") }
        try other.close()
        try site.startCoordinator()
        site.air = ["n-press": [0: -50, 1: -50]]
        try site.wait("somebody else is in") { site.attendance(1)?.state == .checkedIn }
        #expect(try site.rows("SELECT count(*) FROM refused_input") == ["0"])
        #expect(try site.rows("SELECT user FROM v_session ORDER BY session_id").count == 2)
    }
}
