import Foundation
import Glibc
import Testing

@testable import Platform
@testable import SiteModel

/// Codes that go wrong: used, lost, guessed, asked for in vain, or typed at somebody else.
@Suite(.ownThread) struct ProcessJoinFaultTests {
    /// A code that nobody made.
    private static let stranger = "ab3k-9mpq-w2xy-hj7r"

    /// What is sent to join, sealed by who does not know the code of that name.
    private static func guess(_ name: String) -> String {
        "{\"code\":\"\(name)\",\"sealed\":\"\(String(repeating: "ab", count: 100))\"}"
    }

    // MARK: Good codes

    @Test func `a machine trusts the authority that comes with its code, and is online`() throws {
        let enrolled = try EnrolledSite()
        let own = try JoinableSite(enrolled.site)
        defer { own.site.stop() }
        try enrolled.free(["n-row"])
        let port = try FreePort.find(preferring: 0)
        let made = try own.beaconmesh([
            "broker", "config", "--tls", "--host", "127.0.0.1", "--out", enrolled.folder,
            "--port", "\(enrolled.port)", "--tls-port", "\(port)",
        ])
        #expect(made.status == 0, "\(made.errors)")
        try enrolled.startBroker()
        let authority = enrolled.folder + "/ca.pem"
        try own.start([
            "BEACONMESH_JOIN__PORT": "\(port)", "BEACONMESH_JOIN__CA": authority,
            "BEACONMESH_JOIN__PLAINTEXT": "",
        ])
        let machine = try JoiningMachine(own.site)
        let joined = try machine.join(own.invite("n-row").words)
        #expect(joined.status == 0, "\(joined.errors)")
        #expect(joined.output.contains("127.0.0.1:\(port)"))
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: machine.folder))
                == ["ca.pem", "node-password", "node.yaml"])
        for file in try machine.files().keys {
            #expect(JoiningMachine.mode(of: "\(machine.folder)/\(file)") == 0o600, "\(file)")
        }
        #expect(
            try machine.text(of: "ca.pem") == String(contentsOfFile: authority, encoding: .utf8))
        let early = try EnrolledClient(
            "n-row", password: machine.password(), port: enrolled.port, id: "early")
        #expect(try !early.isIn(own.site), "the broker has not read who is enrolled")
        try enrolled.updateBroker()
        let node = try machine.runNode("n-row")
        defer { node.kill() }
        #expect(node.isRunning)
    }

    @Test func `after a power cut a machine asks again with its code, and no other does`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.start()
        let invitation = try own.invite("n-row")
        let (machine, other) = (try JoiningMachine(own.site), try JoiningMachine(own.site, "other"))
        let request = String(repeating: "a1", count: 16)
        var passwords: Set<String> = []
        for _ in 0..<2 {
            try machine.note(request, of: invitation)
            #expect(try machine.join(invitation.words).status == 0)
            passwords.insert(try machine.password())
        }
        #expect(passwords.count == 1, "whoever only repeats what they heard ends no password")
        #expect(try own.identities(of: "n-row").count == 1)
        for _ in 0..<2 {
            let late = try other.join(invitation.words)
            #expect(late.status == 77)
            let host = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
            #expect(late.errors.contains("used") && late.errors.contains(host), "\(late.errors)")
        }
        #expect(try other.files() == [:])
    }

    @Test func `there are codes for the nodes that no machine is yet`() throws {
        struct Line: Decodable {
            var node, code, command: String
            var expires_ms: Int64
        }
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.site.takeToken()
        try own.start()
        func invited() throws -> [Line] {
            let made = try own.beaconmesh(["node", "invite", "--all", "--json"])
            return try made.output.split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
        }
        let lines = try invited()
        #expect(lines.map(\.node) == ["n-press", "n-row"])
        for line in lines {
            #expect(line.command.hasSuffix("join 127.0.0.1:\(own.port) \(line.code)"))
            let life = line.expires_ms - own.site.now.milliseconds
            #expect((3_500_000...3_600_000).contains(life), "\(life) ms")
        }
        let machine = try JoiningMachine(own.site)
        #expect(try machine.join(["127.0.0.1:\(own.port)", lines[0].code]).status == 0)
        #expect(try invited().map(\.node) == ["n-row"])

        let owner = WebClient(own.site, token: "letmein")
        let path = "/api/v1/nodes/n-press"
        for what in ["invitation", "bundle"] {
            let refused = try owner.ask("POST", "\(path)/\(what)", "{}").reply
            #expect(refused.status == 409 && refused.code == "bad_state", "\(refused.json)")
            let unknown = try owner.status("POST", "/api/v1/nodes/n-none/\(what)", "{}")
            #expect(unknown == 404)
            let nobody = try WebClient(own.site).status("POST", "\(path)/\(what)", "{}")
            #expect((401...403).contains(nobody), "\(nobody)")
        }
        let replacing = try owner.ask("POST", "\(path)/invitation", #"{"replace":true}"#).reply
        #expect(replacing.status == 201)
        #expect(try own.identities(of: "n-press").count == 1, "not before somebody joins")
    }

    @Test func `a start of the coordinator, and another code for the node, end a code`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.start()
        let machine = try JoiningMachine(own.site)
        let first = try own.invite("n-row")
        let second = try own.invite("n-row")
        #expect(try machine.join(first.words).status == 77)
        _ = try own.site.terminate(own.site.coordinator)
        try own.start()
        let ended = try machine.join(second.words)
        #expect(ended.status == 77)
        #expect(ended.errors.contains("no such code"), "\(ended.errors)")
        #expect(try machine.files() == [:])
        #expect(try own.identities(of: "n-row") == [])
    }

    @Test func `whoever keeps the broker's files is told of each who joins or is revoked`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.start()
        func isTold() -> Bool {
            let text = FileManager.default.contents(atPath: own.enrolmentFile) ?? Data()
            let moment = String(decoding: text, as: UTF8.self)
            return Int64(moment.trimmingCharacters(in: .newlines)) != nil
        }
        let invitation = try own.invite("n-row")
        #expect(!isTold(), "a code lets nobody in yet")
        let machine = try JoiningMachine(own.site)
        #expect(try machine.join(invitation.words).status == 0)
        try own.site.wait("somebody joined") { isTold() }
        try FileManager.default.removeItem(atPath: own.enrolmentFile)
        #expect(try own.beaconmesh(["revoke", "n-row"]).status == 0)
        try own.site.wait("somebody was revoked") { isTold() }
        #expect(try own.identities(of: "n-row") == [])
    }

    // MARK: Guesses

    @Test func `who tries codes is slowed down, and five wrong tries end a code`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.start()
        let invitation = try own.invite("n-row")
        let client = WebClient(own.site)
        var statuses: [Int: Int] = [:]
        for number in 0..<300 {
            let name = number < 5 || number % 2 == 0 ? invitation.name : "x\(100 + number)"
            let answer = try client.ask("POST", "/api/v1/join", Self.guess(name))
            statuses[answer.reply.status, default: 0] += 1
            guard answer.reply.status == 429 else { continue }
            #expect(Int(answer.headers["Retry-After"] ?? "") ?? 0 >= 1)
        }
        #expect(statuses[401] == 5, "\(statuses)")
        #expect(statuses[429] ?? 0 >= 280, "\(statuses)")
        #expect(Set(statuses.keys).isSubset(of: [401, 404, 409, 429]), "\(statuses)")
        try own.site.wait("the next guess is looked at") {
            let reply = try client.ask("POST", "/api/v1/join", Self.guess(invitation.name)).reply
            guard reply.status != 429 else { return false }
            #expect(reply.code == "bad_state", "\(reply.json)")
            #expect((reply.json["detail"] as? String)?.contains("five times") == true)
            return true
        }
        let machine = try JoiningMachine(own.site)
        let late = try machine.join(invitation.words)
        // Refused for good, or to wait first.
        #expect([69, 77].contains(late.status), "\(late.errors)")
        #expect(try machine.files() == [:])
        #expect(try own.identities(of: "n-row") == [])
    }

    @Test func `what is sent and is no request is refused, and harms nobody`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.start()
        let client = WebClient(own.site)
        for body in [
            "{", "[]", "{}", #"{"code":"ab3k"}"#, #"{"code":"ab3k9","sealed":""}"#,
            #"{"code":1,"sealed":""}"#, #"{"code":"ab3k","sealed":"","node":"n-row"}"#,
            "{\"code\":\"ab3k\",\"sealed\":\"\(String(repeating: "a", count: 4097))\"}",
        ] {
            let reply = try client.ask("POST", "/api/v1/join", body).reply
            #expect(reply.status == 400, "\(body.prefix(40)): \(reply.status)")
        }
        let invitation = try own.invite("n-row")
        for sealed in ["", "zz", "a", "AB", String(repeating: "00", count: 2048)] {
            let body = "{\"code\":\"\(invitation.name)\",\"sealed\":\"\(sealed)\"}"
            #expect(try client.status("POST", "/api/v1/join", body) == 401, "\(sealed.prefix(8))")
        }
        #expect(own.site.coordinator?.isRunning == true)
    }

    // MARK: Nobody, and somebody else

    @Test func `without a way for machines to the coordinator there are files only`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.start(["BEACONMESH_JOIN__HOST": "gym.lan", "BEACONMESH_JOIN__ADDRESS": ""])
        let deaf = try own.beaconmesh(["node", "invite", "n-row"])
        #expect(deaf.status == 1)
        #expect(deaf.errors.contains("http.host"), "\(deaf.errors)")
        let cards = own.site.file("cards")
        let made = try own.beaconmesh(["node", "bundle", "n-row", "--out", cards])
        #expect(made.status == 0, "\(made.errors)")
        let text = try String(contentsOfFile: cards + "/n-row.join", encoding: .utf8)
        #expect(text.contains(#""host":"gym.lan""#), "\(text)")

        _ = try own.site.terminate(own.site.coordinator)
        let none = ["HOST", "PORT", "PLAINTEXT", "ADDRESS"].map { ("BEACONMESH_JOIN__" + $0, "") }
        try own.start(Dictionary(uniqueKeysWithValues: none))
        for words in [["invite", "n-press"], ["bundle", "n-press", "--out", cards]] {
            let refused = try own.beaconmesh(["node"] + words)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("join in coordinator.yaml"), "\(refused.errors)")
        }
        _ = try own.site.terminate(own.site.coordinator)
        #expect(try own.beaconmesh(["node", "invite", "n-press"]).status == 69)
        #expect(try FileManager.default.contentsOfDirectory(atPath: cards) == ["n-row.join"])
        #expect(try own.identities(of: "n-press") == [])
    }

    @Test func `who hangs up is asked again, and who is no coordinator is told of`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let other = try FalseCoordinator(site)
        defer { other.stop() }
        let machine = try JoiningMachine(site)
        try other.answer(0, "")
        let joining = try machine.begin(["127.0.0.1:\(other.port)", Self.stranger])
        try site.wait("it tries again", within: 5) { joining.errors.contains("trying again") }
        try other.answer(404, "<html>There is nothing here.</html>")
        try site.wait("it ends", within: 10) { !joining.isRunning }
        #expect(joining.status == 69)
        #expect(joining.errors.contains("no coordinator"), "\(joining.errors)")
        #expect(try machine.files() == [:])
    }

    @Test func `who does not know the code is no coordinator, whatever they answer`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let other = try FalseCoordinator(site)
        defer { other.stop() }
        let machine = try JoiningMachine(site)
        let words = ["127.0.0.1:\(other.port)", Self.stranger]
        for body in [
            "{\"sealed\":\"\(String(repeating: "ab", count: 300))\"}", #"{"sealed":"zz"}"#,
            #"{"sealed":""}"#, #"{"sealed":1}"#, "{}", "[]", "", "<html></html>",
            // What it was sent itself.
            #"{"sealed":"SENT"}"#,
        ] {
            try other.answer(200, body)
            let joined = try machine.join(words)
            #expect(joined.status == 77, "\(body.prefix(20)): \(joined.errors)")
            #expect(joined.errors.contains("not know the code"), "\(joined.errors)")
        }
        try other.answer(409, #"{"detail":"\u001b[2JAll is well.\u202e"}"#)
        let refused = try machine.join(words)
        #expect(refused.status == 77)
        #expect(refused.errors.contains("All is well."), "\(refused.errors)")
        #expect(!refused.errors.contains("\u{1B}") && !refused.errors.contains("\u{202E}"))
        #expect(try machine.files() == [:])
    }

    @Test func `words that make no sense are refused before anybody is asked`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let machine = try JoiningMachine(site)
        for words in [
            [], ["a", "b", "c"], ["gym.lan", "ab3k-9mpq"], ["gym.lan", "ab3k-9mpq-w2xy-hj7l"],
            ["ftp://gym.lan", Self.stranger], ["http://ada:x@gym.lan", Self.stranger],
            ["gym.lan/x", Self.stranger], ["gym.lan?x", Self.stranger], ["", Self.stranger],
            ["gym\"lan", Self.stranger], ["gym.lan\nx", Self.stranger],
            ["--force", "gym.lan", Self.stranger],
        ] {
            let refused = try machine.join(words)
            #expect(refused.status == 64, "\(words): \(refused.errors)")
        }
        for words in [["--folder"], ["x.join", "--radio", ""]] {
            #expect(try site.run("beacon-node", ["join"] + words).status == 64, "\(words)")
        }
        let helped = try site.run("beacon-node", ["join", "--help"])
        #expect(helped.status == 0)
        #expect(helped.output.contains("--no-start"))
        let nowhere = ["join", "127.0.0.1:1", Self.stranger, "--no-start", "--folder"]
        #expect(try site.run("beacon-node", nowhere + [site.file("none")]).status == 73)
        #expect(try machine.files() == [:])
    }

    // MARK: What a configuration can be wrong in

    /// It is the name in the command that is printed, whether browsers use it or not.
    @Test func `the coordinator answers machines by the name that it tells them`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.site.takeToken()
        try own.start([
            "BEACONMESH_HTTP__HOST": "127.0.0.2", "BEACONMESH_JOIN__HOST": "gym.lan",
            "BEACONMESH_JOIN__ADDRESS": "",
        ])
        let invitation = try own.invite("n-row")
        #expect(invitation.words[0] == "gym.lan:\(own.port)")
        var machine = WebClient(own.site)
        machine.origin = "http://\(invitation.words[0])"
        let reply = try machine.ask(
            "POST", "/api/v1/join", Self.guess(invitation.name),
            headers: ["Host": invitation.words[0]]
        ).reply
        #expect(reply.status == 401, "it is looked at: \(reply.json)")
    }

    /// As those of a whole system are: a certificate of a public authority is checked with them.
    @Test func `authorities too long for a machine are told, and the coordinator goes on`()
        throws
    {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        func authorities(_ count: Int) -> String {
            let line = String(repeating: "A", count: 64) + "\n"
            return "-----BEGIN CERTIFICATE-----\n" + String(repeating: line, count: count)
                + "-----END CERTIFICATE-----\n"
        }
        let file = try own.site.write(authorities(10), to: "authorities.pem")
        try own.start(["BEACONMESH_JOIN__CA": file, "BEACONMESH_JOIN__PLAINTEXT": ""])
        let invitation = try own.invite("n-row")
        try own.site.write(authorities(2000), to: "authorities.pem")
        let machine = try JoiningMachine(own.site)
        let refused = try machine.join(invitation.words, within: 30)
        #expect(refused.status == 69, "\(refused.errors)")
        #expect(own.site.coordinator?.isRunning == true)
        #expect(try machine.files() == [:])
        #expect(try own.identities(of: "n-row") == [], "a password that nobody has")
        try own.site.write(authorities(10), to: "authorities.pem")
        #expect(try machine.join(invitation.words).status == 0, "the code is as good as before")
    }
}
