import Foundation
import Glibc
import Testing

@testable import Broker
@testable import BrokerAccess
@testable import Platform
@testable import SiteModel
@testable import Wire

/// An enrolled site whose broker has an encrypted port, from `beaconmesh broker config --tls`.
private final class EncryptedSite {
    let own: EnrolledSite
    let port: Int
    /// What programs trust: a copy of the broker's `ca.pem`, as on another machine.
    let trusted: String

    init() throws {
        let own = try EnrolledSite()
        self.own = own
        port = try FreePort.find(preferring: 0)
        trusted = own.site.file("trusted.pem")
        let made = try config(["--host", "127.0.0.1"])
        #expect(made.status == 0, "\(made.errors)")
        try handOut()
    }

    var site: RunningSite { own.site }

    /// `broker config --tls` with more options.
    func config(
        _ more: [String], environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try site.run(
            "beaconmesh",
            [
                "broker", "config", "--tls", "--out", own.folder, "--port", "\(own.port)",
                "--tls-port", "\(port)", "--database", site.database,
            ] + more, environment: environment)
    }

    /// Copies the authority to where programs read it.
    func handOut() throws {
        let text = try String(contentsOfFile: own.folder + "/ca.pem", encoding: .utf8)
        try site.write(text, to: "trusted.pem")
    }

    /// Starts the broker; its encrypted port serves only `address`.
    func start(at address: String = "127.0.0.1") throws {
        let file = own.folder + "/beaconmesh.conf"
        let lines = try String(contentsOfFile: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("listener \(port)") ? "listener \(port) \(address)" : String($0) }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
        site.secured?.stop()
        try own.startBroker()
        site.encrypted = (port, trusted)
    }

    /// Checks somebody in, as the kiosk.
    func checkIn(_ person: Int, at host: String = "127.0.0.1", trusting file: String) throws
        -> RunningProgram
    {
        try site.run(
            "beaconmesh",
            [
                "attendance", "check-in", site.people[person].slug, "--broker", "\(host):\(port)",
                "--ca", file, "--site", "gym", "--username", "door", "--password-file",
                site.file("door.password"),
            ])
    }

    /// Whether who trusts that file gets an answer.
    func reaches(trusting file: String) throws -> Bool {
        try !checkIn(1, trusting: file).errors.contains("no broker")
    }

    /// How many frames of the node have come.
    var frames: Int {
        site.watcher.messages.count { $0.topic == site.topics[.frame, "n-press"] }
    }

    /// Waits until the node has said more.
    func waitForFrames() throws {
        let before = frames
        try site.wait("the node goes on") { frames >= before + 3 }
    }
}

/// Encrypted lines between our programs and a real broker.
@Suite(.ownThread) struct ProcessTLSTests {
    @Test func `node, coordinator and command line work over encrypted lines`() throws {
        let line = try EncryptedSite()
        let site = line.site
        defer { site.stop() }
        try line.start()
        let tried = try site.run(
            "beaconmesh",
            ["doctor", "--broker"]
                + ["coordinator", "board", "door"].map { site.file("\($0).secret") }
                + ["--database", site.database, "--port", "\(line.port)", "--ca", line.trusted])
        #expect(tried.status == 0, "\(tried.output)\(tried.errors)")
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
        let atDoor = try line.checkIn(1, trusting: line.trusted)
        #expect(atDoor.status == 0, "\(atDoor.errors)")
        let doctor = try site.run(
            "beaconmesh", ["doctor", "--json", "--config", site.file("n-press.yaml")])
        #expect(doctor.output.contains("a broker answers at 127.0.0.1:\(line.port)"))
        #expect(doctor.output.contains("it takes us as n-press"), "\(doctor.output)")
        for program in [site.coordinator, site.nodes["n-press"]] {
            #expect(program?.errors.contains("no broker") == false, "\(program?.errors ?? "")")
        }
    }

    @Test func `another authority, another name and no encryption get nowhere`() throws {
        let line = try EncryptedSite()
        let site = line.site
        defer { site.stop() }
        // A name that no certificate of this broker has, and is still this machine.
        try line.start(at: "127.0.0.2")
        let elsewhere = try line.checkIn(0, at: "127.0.0.2", trusting: line.trusted)
        #expect(elsewhere.status == 69)
        #expect(
            elsewhere.errors.contains("the broker's certificate is not for 127.0.0.2"),
            "\(elsewhere.errors)")
        try line.start()

        let other = site.file("other")
        try FileManager.default.createDirectory(
            atPath: other, withIntermediateDirectories: true)
        let foreign = try BrokerCertificates(in: BrokerFolder(other), site: "gym").make(hosts: [])
        try BrokerFolder(other).write(foreign.files)
        let wrong = try line.checkIn(0, trusting: other + "/ca.pem")
        #expect(wrong.status == 69)
        #expect(
            wrong.errors.contains("certificate is of no authority in \(other)/ca.pem"),
            "\(wrong.errors)")
        let none = try line.checkIn(0, trusting: other + "/none.pem")
        #expect(none.status == 78)
        #expect(none.errors.contains("\(other)/none.pem: cannot be read"), "\(none.errors)")

        let plain = try EnrolledClient(
            "door", password: line.own.passwords["door"] ?? "", port: line.port)
        #expect(try !plain.isIn(site))
        #expect(plain.isLost)
    }

    @Test func `a password for another machine is sent encrypted or not at all`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        // An address of which nobody has any (RFC 5737): nothing is sent there.
        func ask(_ more: [String]) throws -> RunningProgram {
            try own.site.run(
                "beaconmesh",
                [
                    "attendance", "check-in", own.site.people[0].slug, "--broker", "192.0.2.1",
                    "--site", "gym", "--username", "door", "--password-file",
                    own.site.file("door.password"),
                ] + more)
        }
        let refused = try ask([])
        #expect(refused.status == 78)
        #expect(refused.errors.contains("--ca: missing"), "\(refused.errors)")
        #expect(refused.errors.contains("--plaintext"))
        #expect(try ask(["--ca", own.site.file("none.pem")]).status == 78)
    }

    @Test func `an authority that only the machine trusts does not count`() throws {
        let line = try EncryptedSite()
        let site = line.site
        defer { site.stop() }
        let other = site.file("other")
        try FileManager.default.createDirectory(
            atPath: other, withIntermediateDirectories: true)
        let foreign = try BrokerCertificates(in: BrokerFolder(other), site: "gym")
            .make(hosts: ["127.0.0.1"])
        try BrokerFolder(other).write(foreign.files)
        let certificate = foreign.files.filter { $0.name.hasPrefix("server.") }
        #expect(certificate.count == 2)
        try BrokerFolder(line.own.folder).write(certificate)
        let rehash = Process()
        rehash.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        rehash.arguments = ["rehash", other]
        try rehash.run()
        rehash.waitUntilExit()
        #expect(rehash.terminationStatus == 0)
        let made = try line.config([], environment: ["SSL_CERT_DIR": other])
        #expect(
            made.output.contains("\ncertificate: made anew, of this authority, "),
            "\(made.output)\(made.errors)")
    }

    @Test func `who is revoked while a certificate is made does not come back`() throws {
        let own = try EnrolledSite()
        let site = own.site
        defer { site.stop() }
        // An openssl that waits until it is let go on, for ten seconds at most.
        let folder = site.file("slow")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let slow = try site.write(
            """
            #!/bin/sh
            : > \(folder)/begun
            for i in $(seq 1 200); do [ -e \(folder)/go ] && break; sleep 0.05; done
            exec /usr/bin/openssl "$@"

            """, to: "slow/openssl")
        chmod(slow, 0o755)
        let config = try RunningProgram(
            "beaconmesh",
            [
                "broker", "config", "--tls", "--out", own.folder, "--port", "\(own.port)",
                "--database", site.database,
            ], in: site.directory, environment: ["PATH": folder + ":/usr/bin:/bin"])
        try site.wait("openssl runs") {
            FileManager.default.fileExists(atPath: folder + "/begun")
        }
        let gone = try site.run(
            "beaconmesh",
            ["revoke", "door", "--broker-files", own.folder, "--database", site.database])
        #expect(gone.status == 0, "\(gone.errors)")
        #expect(config.isRunning)
        try site.write("", to: "slow/go")
        try site.wait("the files are written") { !config.isRunning }
        #expect(config.status == 0, "\(config.errors)")
        for (name, line) in [("passwords", "\n%:"), ("acl", "\nuser %\n")] {
            let text = try String(
                contentsOfFile: "\(own.folder)/beaconmesh.\(name)", encoding: .utf8)
            #expect(text.contains(line.replacing("%", with: "n-press")), "\(name)")
            #expect(!text.contains(line.replacing("%", with: "door")), "\(name)")
        }
    }

    @Test func `the authority changes without a gap for who has both`() throws {
        let line = try EncryptedSite()
        let site = line.site
        defer { site.stop() }
        try line.start()
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        try line.waitForFrames()
        let old = try String(contentsOfFile: line.trusted, encoding: .utf8)
        try site.write(old, to: "old.pem")

        let added = try line.config(["--new-ca"])
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.output.contains("authority: added beside the one before"), "\(added.output)")
        try line.handOut()
        // The certificate is the one before: nobody is left out yet.
        try RunningBroker(pidFile: line.own.pidFile).reload()
        #expect(try line.reaches(trusting: site.file("old.pem")))
        #expect(try line.reaches(trusting: line.trusted))

        let ended = try line.config(["--drop-old-ca"])
        #expect(ended.status == 0, "\(ended.errors)")
        try RunningBroker(pidFile: line.own.pidFile).reload()
        try line.waitForFrames()
        for program in [site.coordinator, site.nodes["n-press"]] {
            #expect(program?.errors.contains("no broker") == false, "\(program?.errors ?? "")")
        }
        #expect(try line.reaches(trusting: line.trusted))
        #expect(try line.reaches(trusting: line.own.folder + "/ca.pem"))
        let late = try line.checkIn(1, trusting: site.file("old.pem"))
        #expect(late.status == 69 && late.errors.contains("is of no authority in"))

        // Connections that are made from now on, too.
        try line.start()
        try line.waitForFrames()
    }

    @Test func `other machines are served encrypted unless it is said otherwise`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        func listeners(_ options: [String]) throws -> [String] {
            let made = try own.site.run(
                "beaconmesh",
                ["broker", "config", "--out", own.folder, "--database", own.site.database]
                    + options)
            #expect(made.status == 0, "\(made.errors)")
            return try String(contentsOfFile: own.folder + "/beaconmesh.conf", encoding: .utf8)
                .split(separator: "\n").map(String.init).filter { $0.hasPrefix("listener ") }
        }
        #expect(try listeners([]) == ["listener 1883 127.0.0.1"])
        let encrypted = ["listener 1883 127.0.0.1", "listener 8883"]
        #expect(try listeners(["--lan"]) == encrypted)
        #expect(try listeners(["--tls"]) == encrypted)
        #expect(try listeners(["--lan", "--plaintext"]) == ["listener 1883"])
        #expect(
            try listeners(["--lan", "--plaintext", "--tls"]) == ["listener 1883", "listener 8883"])
        for options in [["--plaintext"], ["--renew"], ["--tls", "--new-ca", "--renew"]] {
            let refused = try own.site.run(
                "beaconmesh",
                ["broker", "config", "--out", own.folder, "--database", own.site.database]
                    + options)
            #expect(refused.status == 64, "\(options)")
        }
    }

    @Test func `who is enrolled is told of the authority, and the keys stay with the broker`()
        throws
    {
        let line = try EncryptedSite()
        defer { line.site.stop() }
        let files = ["--broker-files", line.own.folder, "--database", line.site.database]
        let gone = try line.site.run("beaconmesh", ["revoke", "n-row"] + files)
        #expect(gone.status == 0, "\(gone.errors)")
        let node = try line.site.run("beaconmesh", ["enrol", "node", "n-row"] + files)
        #expect(node.status == 0, "\(node.errors)")
        #expect(node.output.contains("\nca: \(line.own.folder)/ca.pem\n"), "\(node.output)")
        #expect(node.output.contains("username: n-row, password_file: broker-password, tls: {ca"))
        struct Line: Decodable { var ca: String? }
        let screen = try line.site.run(
            "beaconmesh", ["enrol", "screen", "wall", "--json"] + files)
        let told = try JSONDecoder().decode(Line.self, from: Data(screen.output.utf8)).ca
        let trusted = try String(contentsOfFile: line.trusted, encoding: .utf8)
        #expect(told == trusted)
        #expect(!screen.output.contains("PRIVATE KEY"))
        for name in ["ca.key", "server.key"] {
            var info = stat()
            #expect(stat("\(line.own.folder)/\(name)", &info) == 0)
            #expect(info.st_mode & 0o777 == 0o600)
        }
        // Nothing of it changes with who is enrolled.
        let again = try line.config([])
        #expect(again.output.contains("\ncertificate: kept, until "), "\(again.output)")
    }
}
