import Foundation
import Glibc
import Testing

/// Verbs that write: through the coordinator that runs, else as the owner of the file.
@Suite(.ownThread) struct ProcessWritingTests {
    private func add(_ shift: String, _ site: RunningSite) throws -> RunningProgram {
        try RunningProgram(
            "beaconmesh",
            [
                "shift", "add", shift, "--start", "06:00", "--end", "14:00", "--as", "ann",
                "--database", site.database,
            ], in: site.directory)
    }

    /// Ends well and says that it did.
    private func expectAdded(_ shift: String, _ program: RunningProgram, _ site: RunningSite) throws
    {
        try site.wait("\(shift) is added") { !program.isRunning }
        #expect(program.status == 0, "\(program.errors)")
        #expect(program.output.hasPrefix("id: \(shift)\nname: \(shift)\nstart: 06:00\n"))
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    @Test func `a verb asks the coordinator, which has an import in force before it answers`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let socket = site.database + ".sock"
        try site.wait("the socket is there") { mode(socket) == S_IFSOCK | 0o600 }
        try expectAdded("early", try add("early", site), site)
        #expect(
            try site.rows(
                """
                SELECT value, via, entity FROM audit_log
                JOIN audit_value ON audit = id AND side = 'actor' ORDER BY id DESC LIMIT 1
                """)
                == ["ann cli shift"])
        // The lock is the coordinator's: nobody else can have written.
        let lock = try String(contentsOfFile: site.database + ".lock", encoding: .utf8)
        #expect(lock.contains("beacon-coordinator"))

        var text = site.site
        text.leave = 77
        try site.importSite(text)
        #expect(site.coordinator?.errors.contains("revision 2 of site gym is in force") == true)

        #expect(try site.terminate(site.coordinator) <= .seconds(2))
        #expect(mode(socket) == nil)
        let (one, other) = (try add("late", site), try add("night", site))
        try expectAdded("late", one, site)
        try expectAdded("night", other, site)
    }

    @Test func `a socket that a killed coordinator left stands in nobody's way`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let socket = site.database + ".sock"
        try site.wait("the socket is there") { mode(socket) != nil }
        site.coordinator?.kill()
        #expect(mode(socket) != nil)
        try expectAdded("early", try add("early", site), site)
        try site.startCoordinator()
        try site.wait("the socket is new") { mode(socket) == S_IFSOCK | 0o600 }
        try expectAdded("late", try add("late", site), site)
        #expect(site.coordinator?.errors.contains("cannot write") == false)
    }
}
