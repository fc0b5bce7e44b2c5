import Foundation
import Glibc
import Testing

@testable import Broker
@testable import Platform
@testable import SiteModel
@testable import Wire

/// A site whose broker has its files from `beaconmesh broker config`.
final class EnrolledSite {
    let site: RunningSite
    let folder: String
    let pidFile: String
    let port: Int
    var passwords: [String: String] = [:]

    init() throws {
        site = try RunningSite()
        folder = site.file("broker")
        pidFile = site.file("mosquitto.pid")
        port = try FreePort.find(preferring: 0)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let ann = site.people[0].slug
        for (kind, name, more) in [
            ("coordinator", "coordinator", []), ("node", "n-press", []), ("node", "n-row", []),
            ("screen", "board", []), ("kiosk", "door", []),
            ("member", "ann-phone", ["--user", ann]),
            ("integration", "reports", ["--scope", "presence", "--scope", "events"]),
            ("integration", "desk", ["--scope", "requests"]),
        ] {
            try enrol(kind, name, more)
        }
        let made = try site.run(
            "beaconmesh",
            [
                "broker", "config", "--out", folder, "--port", "\(port)", "--database",
                site.database,
            ])
        #expect(made.status == 0, "\(made.errors)")
    }

    /// Enrols somebody, and notes the password where programs read it.
    @discardableResult
    func enrol(_ kind: String, _ name: String, _ more: [String] = []) throws -> RunningProgram {
        struct Line: Decodable { var password: String }
        let program = try site.run(
            "beaconmesh",
            ["enrol", kind, name, "--database", site.database, "--json"] + more)
        guard program.status == 0 else { return program }
        let password = try JSONDecoder().decode(Line.self, from: Data(program.output.utf8))
            .password
        passwords[name] = password
        for (file, text) in [
            ("\(name).password", password), ("\(name).secret", "\(name):\(password)"),
        ] {
            let path = try site.write(text + "\n", to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path)
        }
        return program
    }

    func startBroker() throws {
        site.secured = try SecuredBroker(
            directory: site.directory, port: port,
            configuration: folder + "/beaconmesh.conf", pidFile: pidFile)
        site.watcher = try Watcher(
            port: port, username: "coordinator.calibrate", password: passwords["coordinator"],
            marked: site.topics.root + "debug/doctor/")
    }

    /// A client that only keeps its connection.
    func client(_ name: String, id: String? = nil) throws -> EnrolledClient {
        try EnrolledClient(name, password: passwords[name] ?? "", port: port, id: id)
    }

    /// Tries the policy with the credentials of some.
    func doctor(_ names: [String], json: Bool = false) throws -> RunningProgram {
        try site.run(
            "beaconmesh",
            ["doctor", "--broker"] + names.map { site.file("\($0).secret") }
                + ["--database", site.database, "--port", "\(port)"] + (json ? ["--json"] : []))
    }

    func ask(_ verb: String, of person: Int, as name: String) throws -> RunningProgram {
        try site.run(
            "beaconmesh",
            [
                "attendance", verb, site.people[person].slug, "--broker", "127.0.0.1:\(port)",
                "--site", "gym", "--username", name, "--password-file",
                site.file("\(name).password"),
            ])
    }
}

/// A client of an enrolled name, which says what became of its connection.
final class EnrolledClient {
    let client: MQTTClient
    private(set) var code: Int32?
    private(set) var isLost = false

    /// `id`: the client id that it asks for.
    init(_ name: String, password: String, port: Int, id: String? = nil) throws {
        client = MQTTClient(id: id ?? "enrolled-\(name)")
        client.onConnect = { [unowned self] in code = $0 }
        client.onDisconnect = { [unowned self] _ in isLost = true }
        try client.connect(
            host: "127.0.0.1", port: port, username: name, password: password)
    }

    /// Asks for something, and returns the answer's JSON.
    func ask(
        _ operation: String, _ payload: String, as name: String, of site: RunningSite
    ) throws -> [String: Any] {
        var answer: [UInt8]?
        var isSubscribed = false
        client.onSubscribed = { _, _ in isSubscribed = true }
        client.onMessage = { _, payload, isRetained, _ in
            if !isRetained { answer = payload.indices.map { payload[$0] } }
        }
        let root = site.topics.root
        try client.subscribe([root + "res/\(name)/\(operation)"], quality: 1)
        try site.wait("it listens") {
            work()
            return isSubscribed
        }
        try client.publish(
            Publication(
                topic: root + "req/\(name)/\(operation)", payload: Array(payload.utf8),
                quality: 1, isRetained: false))
        try site.wait("an answer to \(operation)") {
            work()
            return answer != nil
        }
        return try JSONSerialization.jsonObject(with: Data(answer ?? [])) as? [String: Any]
            ?? [:]
    }

    func work() {
        client.readable()
        client.writable()
        client.misc()
    }

    /// Whether the broker let it in.
    func isIn(_ site: RunningSite) throws -> Bool {
        try site.wait("an answer of the broker") {
            work()
            return code != nil || isLost
        }
        return code == 0
    }
}
