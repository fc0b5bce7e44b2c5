import Foundation
import Glibc
import Testing

/// What a first start needs is looked at before it, made by it, or named.
@Suite(.ownThread) struct ProcessStartTests {
    /// The status and messages of a program that ends by itself.
    private func ending(
        of name: String, _ arguments: [String], at site: RunningSite
    ) throws -> (status: Int32?, output: String, errors: String) {
        let program = try site.run(name, arguments)
        return (program.status, program.output, program.errors)
    }

    @Test func `a check names each thing a start would fail with, by its line`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.write("letmein\n", to: "open-token")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: site.file("open-token"))
        try site.write(String(repeating: "dear diary\n", count: 500), to: "diary.txt")
        let file = try site.write(
            """
            broker:
              port: \(site.broker.port)
              username: coordinator
              password_file: nowhere
            http:
              port: 0
              token_file: open-token
            sites:
              - id: gym
                database: diary.txt

            """, to: "bad.yaml")
        let (status, _, errors) = try ending(
            of: "beacon-coordinator", ["--config", file, "--check"], at: site)
        #expect(status == 78)
        for fault in [
            "bad.yaml:4: broker.password_file: \(site.file("nowhere")): cannot be read: No such file",
            "bad.yaml:7: http.token_file: \(site.file("open-token")): others may read this secret",
            "bad.yaml:10: sites[0].database: \(site.file("diary.txt")): no Beaconmesh database",
        ] {
            #expect(errors.contains(fault), "\(fault) in\n\(errors)")
        }
        #expect(errors.split(separator: "\n").count == 3, "\(errors)")
    }

    @Test(arguments: [
        ("none.sqlite", "none.sqlite: no such file; run beaconmesh import --database "),
        ("none/site.sqlite", "none does not exist"), ("folder", "folder: it is a directory"),
        ("empty", "empty holds no site yet: run beaconmesh import"),
        ("site.sqlite", "site.sqlite holds site gym, not pool"),
    ])
    func `a check says what is wrong with a database, and leaves it alone`(
        database: String, fault: String
    ) throws {
        let site = try RunningSite()
        defer { site.stop() }
        try FileManager.default.createDirectory(
            atPath: site.file("folder"), withIntermediateDirectories: false)
        try site.write("", to: "empty")
        let text = site.coordinatorText
            .replacingOccurrences(of: "database: site.sqlite", with: "database: \(database)")
            .replacingOccurrences(of: "id: gym", with: "id: pool")
        let file = try site.write(text, to: "other.yaml")
        let (status, _, errors) = try ending(
            of: "beacon-coordinator", ["--config", file, "--check"], at: site)
        #expect(status == 78)
        #expect(errors.contains("other.yaml:3: sites[0].database: "), "\(errors)")
        #expect(errors.contains(fault), "\(errors)")
        #expect(!FileManager.default.fileExists(atPath: site.file("none.sqlite")))
        #expect(FileManager.default.contents(atPath: site.file("empty")) == Data())
    }

    @Test func `a check of what is well says so, also beside a running coordinator`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let (status, output, errors) = try ending(
            of: "beacon-coordinator", ["--config", site.file("coordinator.yaml"), "--check"],
            at: site)
        #expect(status == 0, "\(errors)")
        #expect(output.contains("coordinator.yaml: ok"))
    }

    @Test func `the first start makes the token, for its owner alone, and says where`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        site.httpMore = ", token_file: token"
        let token = site.file("token")
        let config = try site.write(site.coordinatorText, to: "coordinator.yaml")
        let check = try ending(
            of: "beacon-coordinator", ["--config", config, "--check"], at: site)
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.output.contains("\(token): not there yet, will be made at the start"))
        #expect(!FileManager.default.fileExists(atPath: token))

        try site.startCoordinator()
        #expect(site.coordinator?.errors.contains("made \(token)") == true)
        let made = try #require(FileManager.default.contents(atPath: token))
        let text = String(decoding: made, as: UTF8.self)
        #expect(text.wholeMatch(of: /[0-9a-f]{64}\n/) != nil, "\(text)")
        let mode = try FileManager.default.attributesOfItem(atPath: token)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(site.coordinator?.errors.contains(text.dropLast()) == false, "it is in the log")
        #expect(try site.post("corrections", "{", token: "letmein").status == 401)
        #expect(
            try site.post("corrections", "{", token: String(text.dropLast())).status
                != 401, "the token is taken")

        _ = try site.terminate(site.coordinator)
        try site.startCoordinator()
        #expect(FileManager.default.contents(atPath: token) == made)
        #expect(site.coordinator?.errors.contains("made \(token)") == false)
    }

    @Test func `a token that cannot be made is refused with what to do`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        site.httpMore = ", token_file: nowhere/token"
        let config = try site.write(site.coordinatorText, to: "coordinator.yaml")
        for arguments in [["--check"], []] {
            let (status, _, errors) = try ending(
                of: "beacon-coordinator", ["--config", config] + arguments, at: site)
            #expect(status == 78)
            #expect(errors.contains("coordinator.yaml:2: http.token_file: "), "\(errors)")
            #expect(errors.contains("cannot be made in \(site.file("nowhere"))"), "\(errors)")
        }
    }

    /// Whoever mistypes a path is told what is there, and never to move or delete it.
    @Test(arguments: [
        ["who"], ["why", "u-1"], ["attendance", "list"], ["audit", "verify"],
        ["retain", "--dry-run"], ["shift", "list"], ["webhook", "list"], ["export", "u-1"],
    ])
    func `a wrong file is told by its own words, and left alone`(verb: [String]) throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.write("", to: "empty")
        let passwd = FileManager.default.contents(atPath: "/etc/passwd")
        for (path, words) in [
            ("/etc/passwd", "/etc/passwd: no Beaconmesh database"),
            (site.file("empty"), "empty: empty, no site was imported"),
            (site.directory, ": it is a directory"), (site.file("none"), "none: no such file"),
        ] {
            let (status, output, errors) = try ending(
                of: "beaconmesh", verb + ["--database", path], at: site)
            #expect(status != 0 && status ?? -1 > 0, "\(verb) \(path): \(output)")
            #expect(errors.contains(words), "\(verb): \(errors)")
            for word in ["damaged", "restore", "delete", "aside"] {
                #expect(!errors.contains(word), "\(verb): \(errors)")
            }
        }
        #expect(FileManager.default.contents(atPath: "/etc/passwd") == passwd)
        #expect(FileManager.default.contents(atPath: site.file("empty")) == Data())
        #expect(!FileManager.default.fileExists(atPath: site.file("none")))
    }
}
