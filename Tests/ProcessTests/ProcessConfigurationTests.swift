import Foundation
import GRDB
import Glibc
import Testing

/// What a daemon cannot start with it refuses whole, with a reason, and touches nothing.
@Suite(.ownThread) struct ProcessConfigurationTests {
    /// Starts a program that is to end by itself.
    func refusal(
        of name: String, _ arguments: [String], at site: RunningSite
    ) throws -> (status: Int32?, errors: String) {
        let program = try site.run(name, arguments)
        return (program.status, program.errors)
    }

    @Test func `a coordinator names every fault of its configuration`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let file = try site.write(
            """
            coordinator: Main Hall
            broker: {host: 127.0.0.1, prot: 1883, port: 0}
            http:
              port: many
              anonymous_reading: true
            sites:
              - {id: core, database: x.sqlite}
            colour: green

            """, to: "bad.yaml")
        let (status, errors) = try refusal(
            of: "beacon-coordinator", ["--config", file], at: site)
        #expect(status == 78)
        for fault in [
            "bad.yaml:1: coordinator: ", "bad.yaml:2: broker.port: ",
            "bad.yaml:2: broker.prot: unknown key, did you mean \"port\"",
            "bad.yaml:4: http.port: ",
            "bad.yaml:7: sites[0].id: ", "bad.yaml:8: colour: unknown key",
        ] {
            #expect(errors.contains(fault), "\(fault) in\n\(errors)")
        }
        #expect(errors.split(separator: "\n").count == 6, "\(errors)")
    }

    @Test func `a node names every fault of its configuration`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let file = try site.write(
            """
            node: n-press
            site: core
            radio: btsnoop:/nowhere/log.btsnoop
            broker: {prot: 1883}
            state: /nowhere/state
            profile: eager

            """, to: "bad.yaml")
        let (status, errors) = try refusal(of: "beacon-node", ["--config", file], at: site)
        #expect(status == 78)
        for fault in [
            "bad.yaml:2: site: ", "bad.yaml:3: radio: cannot open /nowhere/log.btsnoop",
            "bad.yaml:4: broker.prot: unknown key, did you mean \"port\"", "bad.yaml:5: state: ",
            "bad.yaml:6: profile: ",
        ] {
            #expect(errors.contains(fault), "\(fault) in\n\(errors)")
        }
        #expect(errors.split(separator: "\n").count == 5, "\(errors)")
    }

    @Test(arguments: ["beacon-coordinator", "beacon-node"])
    func `a configuration that is not there is named`(program: String) throws {
        let site = try RunningSite()
        defer { site.stop() }
        let (status, errors) = try refusal(
            of: program, ["--config", site.file("none.yaml")], at: site)
        #expect(status == 78)
        #expect(errors.contains("none.yaml: "), "\(errors)")
        #expect(try refusal(of: program, ["--confg", "x"], at: site).status == 64)
    }

    /// The names and bytes of everything in the directory of a database, but its lock.
    func contents(of directory: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory)
        where !name.hasSuffix(".lock") {
            contents[name] = FileManager.default.contents(atPath: directory + "/" + name)
        }
        return contents
    }

    /// Starts a coordinator on a database in a directory of its own.
    func start(
        on database: String, at site: RunningSite
    ) throws -> (status: Int32?, errors: String) {
        let text = site.coordinatorText.replacingOccurrences(
            of: "database: site.sqlite", with: "database: \"\(database)\"")
        let file = try site.write(text, to: "coordinator.yaml")
        return try refusal(of: "beacon-coordinator", ["--config", file], at: site)
    }

    @Test func `a database of a newer release is refused as it is`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let queue = try DatabaseQueue(path: site.database)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA user_version = 999")
        }
        try queue.close()
        let directory = site.file("later")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: site.database, toPath: directory + "/s.sqlite")
        let before = try contents(of: directory)
        let (status, errors) = try start(on: directory + "/s.sqlite", at: site)
        #expect(status == 78)
        #expect(errors.contains("written by a newer release (schema 999"), "\(errors)")
        #expect(try contents(of: directory) == before)
        let text = try refusal(
            of: "beaconmesh",
            ["import", site.file("site.yaml"), "--database", directory + "/s.sqlite"], at: site)
        #expect(text.status == 78)
        #expect(try contents(of: directory) == before)
    }

    @Test func `a file that is no database is refused as it is`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let file = try site.write(String(repeating: "dear diary\n", count: 500), to: "diary.txt")
        let before = FileManager.default.contents(atPath: file)
        let (status, errors) = try start(on: file, at: site)
        #expect(status == 78)
        #expect(errors.contains("diary.txt: no Beaconmesh database"), "\(errors)")
        #expect(FileManager.default.contents(atPath: file) == before)
    }

    @Test func `a database nobody imported a site into is refused with what to do`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let (status, errors) = try start(on: site.file("empty.sqlite"), at: site)
        #expect(status == 78)
        #expect(errors.contains("holds no site yet: run beaconmesh import"), "\(errors)")
        let text = site.coordinatorText.replacingOccurrences(of: "id: gym", with: "id: pool")
        let file = try site.write(text, to: "other.yaml")
        let other = try refusal(of: "beacon-coordinator", ["--config", file], at: site)
        #expect(other.status == 78)
        #expect(other.errors.contains("holds site gym, not pool"), "\(other.errors)")
    }

    @Test func `a directory without write access is refused`() throws {
        let site = try RunningSite()
        site.httpMore = ", token_file: \(site.file("token"))"
        defer { site.stop() }
        // Root may write anywhere but where the kernel makes the files.
        let directory = geteuid() == 0 ? "/proc/self" : site.file("locked")
        if geteuid() != 0 {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o555])
        }
        let (status, errors) = try start(on: directory + "/site.sqlite", at: site)
        #expect(status == 78)
        #expect(errors.contains("\(directory)/site.sqlite: "), "\(errors)")
        #expect(errors.contains("in a directory this user can write to"), "\(errors)")
    }

    @Test func `a dashboard whose port is taken is said, and nothing goes on without it`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let text = site.coordinatorText.replacingOccurrences(
            of: "port: 0,", with: "port: \(site.broker.port),")
        let file = try site.write(text, to: "taken.yaml")
        let (status, errors) = try refusal(
            of: "beacon-coordinator", ["--config", file], at: site)
        #expect(status == 69)
        let broker = try #require(site.broker.processIdentifier)
        #expect(
            errors.contains(
                """
                127.0.0.1:\(site.broker.port) is in use by mosquitto (process \(broker)): end it, or \
                change http.port in \(file)
                """), "\(errors)")
        #expect(!errors.contains(": ready\n"), "\(errors)")
    }
}
