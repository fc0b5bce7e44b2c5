import Foundation
import GRDB
import Glibc
import Testing

/// Verbs that only read change nothing under whoever owns the database.
@Suite(.ownThread) struct ProcessReadingTests {
    private static let readers = [
        ["who"], ["attendance", "list", "--from", "2026-01-01", "--to", "2026-01-02"],
        ["attendance", "waiting"], ["attendance", "corrections"], ["audit", "verify"],
        ["audit", "list"], ["shift", "list"], ["leave", "list", "--from", "2026-01-01"],
        ["feed", "list"], ["webhook", "list"], ["notifications", "show"], ["retain", "--dry-run"],
        ["calibrate", "list"], ["calibrate", "show"],
    ]

    /// The schema's version and the whole file, as they are.
    private func state(_ site: RunningSite) throws -> (version: Int?, bytes: Data) {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: site.database, configuration: configuration)
        defer { _ = Result { try queue.close() } }
        let version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        return (version, try Data(contentsOf: URL(fileURLWithPath: site.database)))
    }

    @Test func `nothing takes a database of a build before the first release, and each says so`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let queue = try DatabaseQueue(path: site.database)
        try queue.writeWithoutTransaction { db in
            // “BMSH”, and the last schema that was numbered so.
            try db.execute(sql: "PRAGMA application_id = 1112363848; PRAGMA user_version = 36")
        }
        try queue.close()
        let before = try state(site)
        for arguments in Self.readers + [["import", site.file("site.yaml")]] {
            let program = try site.run("beaconmesh", arguments + ["--database", site.database])
            #expect(program.status != 0, "\(arguments)")
            #expect(
                program.errors.contains("made by a build before the first release"),
                "\(arguments): \(program.errors)")
        }
        let after = try state(site)
        #expect(after.version == before.version && after.bytes == before.bytes)
    }

    @Test func `each answers where a coordinator runs, and while another process writes`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        let other = try DatabaseQueue(path: site.database, configuration: configuration)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        for arguments in Self.readers {
            let program = try site.run("beaconmesh", arguments + ["--database", site.database])
            #expect(program.status == 0, "\(arguments): \(program.errors)")
        }
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try other.close()
    }

    @Test(.enabled(if: geteuid() == 0, "only root may run a program as somebody else"))
    func `the right to read is enough, and no file is left behind`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        for (path, mode) in [(site.directory, 0o755), (site.database, 0o644)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
        let program = Process()
        let output = Pipe()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        program.arguments =
            nobody + [RunningProgram.path("beaconmesh").path, "who", "--database", site.database]
        program.environment = ["LLVM_PROFILE_FILE": "/dev/null"]
        program.standardOutput = output
        program.standardError = output
        try program.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let text = String(decoding: printed, as: UTF8.self)
        program.waitUntilExit()
        #expect(program.terminationStatus == 0, "\(text)")
        #expect(text.contains("0 in."), "\(text)")
        let left = try FileManager.default.contentsOfDirectory(atPath: site.directory)
        #expect(!left.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }, "\(left)")
    }
}
