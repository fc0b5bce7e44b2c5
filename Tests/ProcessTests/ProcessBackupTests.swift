import Foundation
import Glibc
import GRDB
import Testing

@testable import Wire

/// Backups of a site of real processes: made while it runs, killed, restored from.
@Suite(.ownThread) struct ProcessBackupTests {
    private func backups(_ site: RunningSite) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: site.file("backups"))
        return (names ?? []).sorted()
    }

    private func sessions(_ site: RunningSite) throws -> [String] {
        try site.rows(
            """
            SELECT user, check_in_ms, check_out_ms, in_cause, out_cause FROM v_session
            ORDER BY check_in_ms
            """)
    }

    /// Somebody comes and goes.
    private func visit(_ site: RunningSite, _ person: Int) throws {
        site.air = ["n-press": [person: -50]]
        try site.wait("\(person) is in") { site.attendance(person)?.state == .checkedIn }
        site.air = [:]
        try site.wait("\(person) is out") { site.attendance(person)?.state == .checkedOut }
    }

    @Test func `a start makes a backup, and says so`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.wait("there is a backup") {
            backups(site).contains { $0.hasSuffix("Z.sqlite") }
        }
        let health = CoreTopics(coordinator: "main")[.coreHealth]
        try site.wait("health has it", within: 40) {
            site.latest(health, as: CoreHealthPayload.self)?.backups?.newest != nil
        }
        let told = try #require(site.latest(health, as: CoreHealthPayload.self)?.backups)
        let files = backups(site)
        #expect(told.failures == 0)
        #expect(told.newest?.file == files.first && files.count == 1)
        let listed = try site.run(
            "beaconmesh", ["backup", "list", "--database", site.database, "--json"])
        #expect(listed.output.contains(files[0]), "\(listed.output)\(listed.errors)")
    }

    /// The file is large enough that a backup is still under way when it is killed.
    @Test func `a backup killed in the middle leaves the older ones whole`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let made = try site.run("beaconmesh", ["backup", "--database", site.database, "--json"])
        #expect(made.status == 0, "\(made.errors)")
        let older = backups(site)
        #expect(older.count == 1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: site.file("backups/\(older[0])")))
        let queue = try DatabaseQueue(path: site.database)
        try queue.write { db in
            for index in 0..<96 {
                try db.execute(
                    sql: """
                        INSERT INTO refused_input (at_ms, input, reason)
                        VALUES (?, hex(randomblob(524288)), '')
                        """, arguments: [index])
            }
        }
        try queue.close()
        let killed = try RunningProgram(
            "beaconmesh", ["backup", "--database", site.database], in: site.directory)
        while !backups(site).contains(where: { $0.hasSuffix(".partial") }), killed.isRunning {
            usleep(200)
        }
        usleep(.random(in: 0...100_000))
        killed.kill()
        #expect(killed.status == -SIGKILL, "it was over too soon")
        #expect(backups(site).count { $0.hasSuffix(".sqlite") } == 1)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: site.file("backups/\(older[0])"))) == bytes)
        let next = try site.run("beaconmesh", ["backup", "--database", site.database])
        #expect(next.status == 0, "\(next.errors)")
        #expect(backups(site).allSatisfy { $0.hasSuffix(".sqlite") }, "\(backups(site))")
    }

    /// Damages the middle of every page but the first few: the file opens, and fails its check.
    private func damage(_ site: RunningSite) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: site.database))
        let size = try file.seekToEnd()
        for page in stride(from: UInt64(8192), to: size, by: 4096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 512))
        }
        try file.close()
    }

    @Test(arguments: [false, true])
    func `a damaged database stops a start, or the newest backup and the nodes make up for it`(
        restores: Bool
    ) throws {
        var text = SiteText()
        text.leave = 2
        let site = try RunningSite(text)
        defer { site.stop() }
        if restores { site.coordinatorMore = ", on_damage: restore" }
        try site.startCoordinator()
        try site.startNodes()
        try visit(site, 0)
        #expect(try site.run("beaconmesh", ["backup", "--database", site.database]).status == 0)
        try visit(site, 1)
        // What they heard is evidence once they are stopped; before that the minute is not over.
        for (slug, node) in site.nodes {
            _ = try site.terminate(node)
            try site.startNodes([slug])
        }
        try site.wait("what they heard is stored") {
            try site.rows("SELECT DISTINCT node FROM evidence WHERE runs <> x''").count >= 1
        }
        _ = try site.terminate(site.coordinator)
        let before = try sessions(site)
        #expect(before.count == 2)
        try damage(site)

        try site.startCoordinator(isReady: restores)
        guard restores else {
            try site.wait("it ends") { site.coordinator?.isRunning == false }
            #expect(site.coordinator?.status == 78)
            #expect(site.coordinator?.errors.contains("The newest backup is ") == true)
            #expect(
                try !FileManager.default.contentsOfDirectory(atPath: site.directory)
                    .contains { $0.contains(".damaged-") })
            return
        }
        #expect(site.coordinator?.errors.contains("is from the backup ") == true)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: site.directory)
                .contains { $0.hasPrefix("site.sqlite.damaged-") })
        try site.wait("the sessions are what they were", within: 60) {
            try sessions(site) == before
        }
    }

    /// Whether the files of the database hold anything of a person.
    private func holds(_ site: RunningSite, _ texts: [String]) throws -> Bool {
        try ["", "-wal", "-shm"].contains { end in
            guard FileManager.default.fileExists(atPath: site.database + end) else { return false }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: site.database + end))
            return texts.contains { bytes.range(of: Data($0.utf8)) != nil }
        }
    }

    @Test func `who was erased is erased again, by restore and by a start with an older file`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let person = site.people[0]
        let telling = [person.slug, person.name, person.beaconSlug]
        func run(_ arguments: [String]) throws -> RunningProgram {
            let program = try site.run("beaconmesh", arguments + ["--database", site.database])
            #expect(program.status == 0, "\(program.errors)")
            return program
        }
        _ = try run(["backup"])
        let backup = site.file("backups/\(try #require(backups(site).first))")
        struct Answer: Decodable {
            struct File: Decodable { var file: String }
            var user: String
            var files: [File]
        }
        let answer = try JSONDecoder().decode(
            Answer.self, from: Data(try run(["erase", person.slug, "--yes", "--json"]).output.utf8))
        #expect(answer.user.hasPrefix("u-") && answer.files.count == 1)
        #expect(answer.files[0].file.hasSuffix(backups(site)[0]))
        #expect(try run(["restore", "--newest"]).output.contains("erased again: 1"))
        #expect(try !holds(site, telling))
        // Now a copy by hand, of which nobody told us.
        for end in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: site.database + end) {
            try FileManager.default.removeItem(atPath: site.database + end)
        }
        try FileManager.default.copyItem(atPath: backup, toPath: site.database)
        #expect(try holds(site, telling))
        try site.startCoordinator()
        try site.wait("they are erased again") { try !holds(site, telling) }
        #expect(try site.rows("SELECT name FROM user WHERE id = 1") == ["erased"])
    }
}
