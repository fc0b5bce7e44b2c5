import Ciphers
import Testing

@testable import Accounts
@testable import Notifications
@testable import Records
@testable import SiteModel
@testable import SiteStore

/// Messages to browsers: each is told once, in the order in which they are due, to who may know it.
struct PushTests {
    private let scratch: Scratch
    private let store: Store
    private let pushes: Pushes

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        pushes = Pushes(store)
        for (name, role, user) in [("ann", "member", 1), ("boss", "manager", nil)]
            as [(String, String, Int64?)]
        {
            try store.write { db in
                try db.run(
                    "INSERT INTO account (name, role, user, made_ms) VALUES (?, ?, ?, 0)",
                    [name, role, user])
            }
            try pushes.add(
                NewPush(
                    endpoint: "https://push.example/\(name)", theirs: PushKey().shared,
                    auth: [UInt8](repeating: 7, count: 16), language: "en"), of: name, at: at(0))
        }
    }

    private func made(
        _ kind: NotificationRow.Kind, _ cause: String, of user: UserID? = ann, _ made: Double,
        due: Double? = nil
    ) throws {
        try store.commit([
            .notification(
                NotificationRow(
                    kind: kind, cause: cause, user: user, at: at(made), made: at(made),
                    due: at(due ?? made)))
        ])
    }

    /// What is told now, to whom and of what; each is taken.
    private func told(_ now: Double) throws -> [String] {
        var told: [String] = []
        while case let due = try pushes.due(at: at(now), busy: [], most: 16), !due.isEmpty {
            for push in due {
                told.append(
                    "\(push.endpoint.split(separator: "/").last ?? "") \(push.notice?.kind.rawValue ?? "code")"
                )
                try pushes.tried(push, .answered(201), at: at(now))
            }
            guard told.count < 50 else { break }
        }
        return told
    }

    @Test func `what quiet hours held back is told after what passed them`() throws {
        try made(.arrival, "a", 10, due: 100)
        try made(.queueOffer, "b", 20)
        try made(.departure, "c", 20)
        #expect(try pushes.next(after: at(15)) == at(20))
        #expect(try told(30) == ["ann queue-offer", "ann departure"])
        #expect(try pushes.next(after: at(30)) == at(100))
        #expect(try told(100) == ["ann arrival"])
        #expect(try told(1000) == [])
    }

    @Test func `who runs the site is told what to do something about, and not who comes`() throws {
        try made(.arrival, "a", 10)
        try made(.forgottenTag, "b", 11)
        #expect(
            try told(20).sorted() == ["ann arrival", "ann forgotten-tag", "boss forgotten-tag"])
        let notice = try pushes.due(at: at(20), busy: [], most: 1)
        #expect(notice.isEmpty)
    }

    @Test func `a message names the station, and is told while it is news`() throws {
        try made(.queueOffer, "a", 10)
        try store.write { db in
            try db.run(
                "UPDATE notification SET subject = (SELECT slug FROM station ORDER BY id LIMIT 1)")
        }
        let name = try store.texts("SELECT name FROM station ORDER BY id LIMIT 1")
        #expect(try pushes.due(at: at(20), busy: [], most: 1).map(\.notice?.what) == name)
        // What was switched off meanwhile, or waited for a service, does not come all at once later.
        #expect(try pushes.due(at: at(10 + 3601), busy: [], most: 1) == [])
        #expect(try pushes.next(after: at(5)) == at(10))
        #expect(try pushes.next(after: at(3612)) == nil)
    }

    @Test func `whoever was shut out, or does not want it, is told nothing`() throws {
        try pushes.choose(NoticeChoice(page: [], push: [.arrival]), of: "ann")
        try made(.arrival, "a", 10)
        try made(.departure, "b", 11)
        #expect(try told(20) == ["ann departure"])
        try store.write { db in try db.run("UPDATE account SET disabled_ms = 1 WHERE name = 'ann'")
        }
        try made(.departure, "c", 21)
        #expect(try told(30) == [])
    }

    @Test
    func
        `a browser that is gone is forgotten, a service that fails is asked again until it is no news`()
        throws
    {
        try made(.arrival, "a", 10)
        let push = try #require(try pushes.due(at: at(20), busy: [], most: 16).first)
        #expect(try pushes.due(at: at(20), busy: [push.target], most: 16) == [])
        try pushes.tried(push, .answered(503), at: at(20))
        #expect(try pushes.due(at: at(20), busy: [], most: 16) == [])
        #expect(try pushes.due(at: at(23), busy: [], most: 16).first?.failures == 1)
        try pushes.tried(push, .unreachable("no line"), at: at(10 + 3600))
        #expect(try told(7300) == [], "after an hour it is no news")
        try made(.arrival, "b", 7400)
        let next = try #require(try pushes.due(at: at(7400), busy: [], most: 16).first)
        try pushes.tried(next, .answered(410), at: at(7400))
        #expect(try pushes.all(of: "ann") == [])
    }

    private var readers: MailReaders { MailReaders(store) }

    private func setServer() throws {
        try MailServers(store).set(
            MailServer(
                url: "smtp://127.0.0.1:25", sender: "gym@example.org", username: nil, password: nil,
                page: nil), by: Asker(name: "boss", via: .rest, at: at(0)))
    }

    private func mailed(_ now: Double) throws -> [Push] {
        try pushes.due(at: at(now), busy: [], most: 16).filter { $0.target.way == .mail }
    }

    @Test func `mail goes where a code was read, and says what happened from then on`() throws {
        let address = try #require(MailAddress("ann@example.org"))
        #expect(throws: BooksRefusal.self, "no server") {
            try readers.set(address, language: "de", of: "ann", at: at(1))
        }
        try setServer()
        try readers.set(address, language: "de", of: "ann", at: at(1))
        #expect(throws: BooksRefusal.self, "a minute") {
            try readers.set(address, language: "de", of: "ann", at: at(30))
        }
        try made(.arrival, "a", 10)
        let sent = try #require(try mailed(20).first)
        guard case .code(let code, let site) = sent.content else {
            Issue.record("no code")
            return
        }
        #expect(sent.endpoint == "ann@example.org" && !site.isEmpty && code.utf8.count == 6)
        #expect(try mailed(20).count == 1, "nothing but the code before it is typed")
        try pushes.tried(sent, .answered(421), at: at(20))
        #expect(try mailed(20).isEmpty)
        #expect(try pushes.next(after: at(20)) != nil)
        #expect(try readers.reader(of: "ann")?.fault == .delayed)
        try pushes.tried(try #require(try mailed(40).first), .answered(250), at: at(40))
        #expect(try mailed(60).isEmpty)
        #expect(try !readers.confirm(code == "000000" ? "000001" : "000000", of: "ann", at: at(60)))
        #expect(try readers.confirm(code, of: "ann", at: at(60)))
        #expect(try readers.reader(of: "ann")?.isConfirmed == true)
        #expect(try mailed(61).isEmpty, "what was before is no news")
        try made(.departure, "b", 70)
        #expect(try mailed(70).map(\.notice?.kind) == [.departure])
        try pushes.choose(NoticeChoice(page: [], push: [], mail: [.departure]), of: "ann")
        #expect(try mailed(70).isEmpty)
        try pushes.choose(NoticeChoice(page: [], push: [.departure]), of: "ann")
        let mail = try #require(try mailed(70).first)
        try pushes.tried(mail, .answered(550), at: at(71))
        #expect(try mailed(90).isEmpty, "what is refused for good is not tried again")
        #expect(try readers.reader(of: "ann")?.fault == .refused)
        try MailServers(store).remove(by: Asker(name: "boss", via: .rest, at: at(95)))
        try made(.departure, "c", 96)
        #expect(try mailed(97).isEmpty)
    }

    @Test func `nobody is sent code after code by taking the address back`() throws {
        try setServer()
        let address = try #require(MailAddress("somebody@example.org"))
        try readers.set(address, language: "en", of: "ann", at: at(0))
        #expect(throws: BooksRefusal.self) { try readers.remove(of: "ann", at: at(30)) }
        try readers.remove(of: "ann", at: at(61))
        #expect(try readers.reader(of: "ann") == nil)
    }

    @Test func `a code is good for five tries and half an hour`() throws {
        try setServer()
        let address = try #require(MailAddress("ann@example.org"))
        try readers.set(address, language: "en", of: "ann", at: at(0))
        func code(_ now: Double) throws -> String {
            guard case .code(let code, _)? = try mailed(now).first?.content else { return "" }
            return code
        }
        let first = try code(1)
        #expect(try !readers.confirm(first, of: "ann", at: at(1800)))
        #expect(try mailed(1800).isEmpty)
        try readers.set(address, language: "en", of: "ann", at: at(1900))
        let second = try code(1901)
        for _ in 0..<MailReaders.tries {
            #expect(try !readers.confirm("??????", of: "ann", at: at(1902)))
        }
        #expect(try !readers.confirm(second, of: "ann", at: at(1903)))
    }

    @Test func `an address has nothing that a head or curl could take for something else`() {
        for bad in [
            "", "ann", "@example.org", "ann@", "ann@example.org\r\nBcc: all@example.org",
            "a\"b@example.org",
            "ann@example..org", "ann@-example.org", "Ann <ann@example.org>",
            "ann@example.org,bob@example.org",
            "änn@example.org", String(repeating: "a", count: 65) + "@example.org",
        ] {
            #expect(MailAddress(bad) == nil, "\(bad)")
        }
        #expect(MailAddress("ann.o'neill+gym@mail.example.org") != nil)
        for (url, sender, name, password, page) in [
            ("http://example.org", "a@b.c", nil, nil, nil), ("smtp://", "a@b.c", nil, nil, nil),
            ("smtp://a:b@example.org", "a@b.c", nil, nil, nil),
            ("smtps://example.org/x", "a@b.c", nil, nil, nil),
            ("smtps://example.org:99999", "a@b.c", nil, nil, nil),
            ("smtps://example.org", "ab", nil, nil, nil),
            ("smtps://example.org", "a@b.c", nil, "x", nil),
            ("smtps://example.org", "a@b.c", "a:b", "x", nil),
            ("smtps://example.org", "a@b.c", "a", "x\nurl = \"file:///etc/passwd\"", nil),
            ("smtps://example.org", "a@b.c", nil, nil, "javascript:alert(1)"),
        ] as [(String, String, String?, String?, String?)] {
            #expect(throws: MailServer.Fault.self, "\(url) \(sender)") {
                try MailServer(
                    url: url, sender: sender, username: name, password: password, page: page)
            }
        }
    }

    @Test func `a last reply is no acceptance where curl failed`() {
        for (line, outcome) in [
            ("250 0 ", .answered(250)), ("552 55 RCPT failed: 552", .answered(552)),
            ("451 55 MAIL failed: 451", .answered(451)), ("554 8 ", .answered(554)),
            ("250 64 STARTTLS not supported.", .unreachable("STARTTLS not supported.")),
            ("535 67 Login denied", .unreachable("535: Login denied")),
            ("530 55 MAIL failed: 530", .unreachable("530: MAIL failed: 530")),
            ("220 28 Timed out", .unreachable("Timed out")),
            ("000 7 No way", .unreachable("No way")),
            ("354 56 Lost", .unreachable("Lost")), ("", .unreachable("no answer")),
        ] as [(String, DeliveryOutcome)] {
            #expect(MailClient.outcome(of: line) == outcome, "\(line)")
        }
    }

    @Test func `a mail is lines of seventy-eight characters in ASCII`() throws {
        let server = try MailServer(
            url: "smtps://mail.example.org", sender: "gym@example.org", username: "a",
            password: "b",
            page: nil)
        let mail = MailClient.Mail(
            subject: "Zoë: neuer Rekord beim Bankdrücken, " + String(repeating: "sehr ", count: 20),
            text: "Grüße\r\n")
        let bytes = MailClient(server).message(
            mail, from: "Müllers \"Gym\"\r\nBcc: all@example.org",
            to: try #require(MailAddress("ann@example.org")),
            at: Timestamp(milliseconds: 1_795_936_471_000))
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(bytes.allSatisfy { $0 < 0x80 })
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        #expect(!lines.contains { $0.hasPrefix("Bcc") })
        #expect(lines.contains("Date: Sun, 29 Nov 2026 07:14:31 +0000"))
        #expect(text.hasSuffix("\r\n\r\nR3LDvMOfZQ0K\r\n"))
    }
}
