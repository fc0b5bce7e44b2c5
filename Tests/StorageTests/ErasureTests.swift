import Foundation
import Permissions
import Testing

@testable import Accounts
@testable import BrokerAccess
@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Registry
@testable import SitePipeline
@testable import Wire

/// Nothing that leads to a person is left in the file.
struct ErasureTests {
    private let scratch: Scratch
    private let store: Store
    private let name = "Zuzanna “Zu” O'Brücke"
    private let slug = "u-zuzanna-7"
    private let now = at(40 * 86_400)
    private var gym = SiteDocument.gym

    /// A user of whom everything that can be stored is.
    init() throws {
        scratch = try Scratch()
        gym.users.append(.init(slug: slug, name: name, consent: "2025-1"))
        gym.beacons.append(
            .init(
                slug: "tag-zuzanna", title: "Zuzanna's tag", identity: .address(0xC0FF_EE00_0099),
                user: slug))
        gym.nodes.append(
            .init(slug: "phone-zuzanna", name: "Phone of \(name)", room: "hall", carrier: slug))
        store = try scratch.store(gym)
        let user = UserID(4)
        let session = Session(id: 1, user: user, from: at(100), to: at(5000))
        let workout = Workout(
            id: 2, user: user, station: rack, state: .completed, from: at(200), to: at(900),
            pauses: [Workout.Pause(from: at(300), to: at(400))], pausedSince: nil)
        try store.commit([
            .session(session), .workout(workout),
            .claim(
                Claim(
                    id: 3, station: rack, slot: 1, user: user, workout: 2, from: at(200),
                    to: at(900))),
            .stay(Stay(id: 4, user: user, place: .station(rack), from: at(200), to: at(900))),
            .event(
                Event(
                    id: 5, kind: .entered, at: at(200), user: user, place: .station(rack),
                    subject: 4)),
            .ledger(LedgerRow(user: user, heard: [])),
            .presence(PresenceRow(user: user, room: .notPresent, station: .notPresent)),
            .reasons(ReasonsTests.reasons(user, now)),
            .statement(
                Statement(
                    id: 6, user: user, kind: .checkIn, at: at(100), said: at(100), by: slug,
                    reason: "\(name) has no tag")),
            .answer(
                Answer(
                    request: Request(
                        client: slug, id: name, name: "asked", verb: .training(user, .pause)),
                    at: now, outcome: .refused(.badState))),
            .site(SiteRow(clock: now, next: 7, coverage: [], clocks: [])),
        ])
        try store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO workout_set (workout, user, client_key, n, exercise, kind, at_ms,
                        reps, deleted, rev, sent_digest)
                    VALUES (2, 4, '6f9619ff-8b86-d011-b42d-00c04fc964ff', 1, 'squat', 'working', 1,
                        5, 0, 1, '00c04fc964ff8b86');
                    INSERT INTO station_queue (station, user, joined_ms, ended_ms, outcome)
                    VALUES (1, 4, 1, 2, 'left')
                    """)
        }
        store.recordRefused(input: "of \(slug)", reason: "\(name) \\ \(name)", at: now)
        _ = try Books(store).perform(
            .request(
                .times(1, revision: nil, from: at(90), to: at(5000)),
                reason: "\(name) said so, and \(slug) too"), by: slug, via: .rest, at: now
        ).get()
        _ = try Books(store).perform(
            .lock(through: "2025-10-08", boundary: at(50), reason: "asked by \(name)", force: true),
            by: name, via: .cli, at: now
        ).get()
        _ = try Books(store).perform(
            .approve(1, reason: "\(name.uppercased())"), by: "mia", via: .cli, at: now
        ).get()
        // The machines have not carried it out yet.
    }

    private func erase(_ options: ErasureOptions = ErasureOptions()) throws -> Erasure {
        try Erasures(store).erase(
            user: slug, reason: "asked for it", options: options, by: "mia", via: .cli, at: now
        ).get()
    }

    /// How often a text stands in the files of the database, whatever its case.
    private func findings(_ text: String) throws -> [String] {
        try ["", "-wal", "-shm"].filter { end in
            let file = URL(fileURLWithPath: scratch.path + end)
            guard FileManager.default.fileExists(atPath: file.path) else { return false }
            let bytes = String(decoding: try Data(contentsOf: file), as: Unicode.ASCII.self)
            let ascii = String(decoding: Data(text.utf8), as: Unicode.ASCII.self)
            return bytes.range(of: ascii, options: .caseInsensitive) != nil
        }
    }

    @Test func `no byte of the files holds the name, the pseudonym or what they carried`() throws {
        let telling = [
            "zuzanna", "Brücke", slug, "tag-zuzanna", "Zuzanna's tag", "phone-zuzanna",
            "c0ffee000099",
        ]
        for text in telling { #expect(try findings(text) != [], "\(text) was never there") }
        let erasure = try erase()
        for text in telling { #expect(try findings(text) == [], "\(text)") }
        store.close()
        for text in telling { #expect(try findings(text) == [], "\(text), closed") }
        #expect(erasure.user.hasPrefix("u-") && erasure.user.utf8.count == 18)
        let again = try Store(path: scratch.path)
        #expect(try AuditTrail(again).verify().fault == nil)
        #expect(try SiteImport(again).document()?.users.map(\.slug) == ["u-ann", "u-bob", "u-cid"])
    }

    @Test func `whoever signed in, had a token and a phone is in no file afterwards`() throws {
        let accounts = Accounts(store)
        let digest = [UInt8](repeating: 7, count: 32)
        func perform(_ call: AccountCall, by actor: String = "mia") throws {
            _ = try accounts.perform(call, by: actor, via: .rest, at: now)
        }
        try perform(
            .invite(
                name: "zuzu.k", role: .member, user: slug, invitation: digest,
                expires: now + .seconds(60)))
        try perform(.accept(invitation: digest, password: "$scrypt$ln=13,r=8,p=10$YQ$YQ"))
        try perform(.openSession(name: "zuzu.k", hash: digest, instead: nil), by: "account:zuzu.k")
        try perform(.share(user: slug, .place, true), by: "account:zuzu.k")
        try perform(
            .addToken(
                name: "zuzu-watch", hash: digest, role: .member, scopes: [], user: slug,
                expires: nil))
        // Another account with such a name is not theirs.
        try perform(
            .invite(
                name: "zuzu.kb", role: .member, user: nil,
                invitation: [UInt8](repeating: 8, count: 32), expires: now + .seconds(60)))
        _ = try BrokerIdentities(store).enrol(
            NewBrokerIdentity(
                BrokerIdentity(name: "zuzu-phone", kind: .member, person: slug),
                hash: "$7$101$c2FsdHNhbHRzYWx0$aGFzaA=="),
            by: Asker(name: "mqtt:zuzu-phone", via: .mqtt, at: now))
        for key in ["k-1", "k-2"] {
            for asker in ["account:zuzu.k", "token:zuzu-watch"] {
                let claim = AnsweredRequests.Claim(asker: asker, key: key, digest: digest)
                try AnsweredRequests(store).keep(claim, status: 204, body: nil, at: now)
            }
        }
        // The account is meant, though the line is about nobody.
        try AuditTrail(store).note(
            AuditEntry(
                at: now, actor: "ada", via: .rest, action: "refuse", entity: "route",
                entityID: "1", after: #"{"name":"zuzu.k"}"#))
        #expect(try findings("zuzu-watch") != [] && findings("zuzu-phone") != [])
        _ = try erase()
        for table in ["web_session", "account_password", "invitation", "sharing", "token"] {
            let left = table == "invitation" ? "1" : "0"
            #expect(try store.texts("SELECT count(*) FROM \(table)") == [left], "\(table)")
        }
        #expect(try store.texts("SELECT name FROM account") == ["zuzu.kb"])
        #expect(try store.texts("SELECT count(*) FROM answered_request") == ["0"])
        store.close()
        for text in ["zuzu-watch", "zuzu-phone", slug] {
            #expect(try findings(text) == [], "\(text)")
        }
        let again = try Store(path: scratch.path)
        #expect(
            try again.texts("SELECT value FROM audit_value WHERE value LIKE '%zuzu.k%'")
                == [#"{"name":"zuzu.kb","role":"member"}"#])
        #expect(try AuditTrail(again).verify().fault == nil)
    }

    /// Whoever has the names of before, the coordinator or a client with a file, sees that they are others.
    @Test mutating func `what the site says of places and exercises is read anew`() throws {
        gym.stations[0].use.location = "next to \(name)"
        gym.content["exercises"] = [
            .section([
                ("id", .text("row")), ("name", .text("Row")), ("measure", .text("reps")),
                ("load", .text("none")), ("increment_kg", .number(1)), ("rest_s", .scalar("90")),
                ("names", .section([("de", .text("Rudern"))])),
                ("note", .text(String(repeating: "x", count: 470) + " asked by \(slug)")),
            ])
        ]
        try SiteImport(store).importDocument(gym, at: at(20))
        _ = try erase()
        let document = try #require(try SiteImport(store).document())
        let revision = try #require(try SiteRows(store).site()?.revision)
        // Once as it begins, which takes a tag from nodes, and once when the last name is gone.
        let told = "SELECT count(*) FROM revision WHERE changes = 'a person was erased'"
        #expect(try store.texts(told) == ["2"])
        #expect(document.stations[0].use.location == "next to erased")
        #expect(
            document.content["exercises"]?[0]["note"]?.string?.unicodeScalars.count
                == 480 + slug.count)
        #expect(throws: Never.self, "what is blanked can be imported") {
            try SiteFile(SiteFileWriter(document).tree)
        }
        let late = try SiteImport(store).importDocument(gym, at: now, instead: revision - 1)
        #expect(late.revision == -1)
    }

    @Test func `a blanked text is no longer than it may be, and languages stay`() throws {
        let person = [ErasureDebt.Replacement(text: "de", by: "u-0123456789abcdef")]
        #expect(try ErasureStep.blanked("de fly", person) == "u-0123456789abcdef fly")
        let long = String(repeating: "x ", count: 55) + "de"
        #expect(try ErasureStep.blanked(long, person).count == 112)
        #expect(
            try ErasureStep.blanked(#"{"de":"de 1"}"#, person)
                == #"{"de":"u-0123456789abcdef 1"}"#)
        let account = ErasureDebt.Replacement(
            text: #""name":"zuzu.k""#, by: #""name":"erased""#)
        #expect(
            try ErasureStep.blanked(#"{"name":"zuzu.k","role":"member"}"#, [account])
                == #"{"name":"erased","role":"member"}"#)
        #expect(try ErasureStep.blanked(#"{"de":"a","x":[1]}"#, []) == #"{"de":"a","x":[1]}"#)
    }

    /// Whoever checks somebody in says why, and that is kept with the answer.
    @Test func `what others asked about them goes, and about nobody else`() throws {
        let other = UserID(1)
        func answer(_ id: String, _ verb: Request.Verb) -> Fact {
            .answer(
                Answer(
                    request: Request(client: "http:account:ada", id: id, name: "asked", verb: verb),
                    at: now, outcome: .refused(.badState)))
        }
        try store.commit([
            answer("a", .attendance(UserID(4), .checkIn(at: nil, reason: "zqreason"))),
            answer("b", .queue(UserID(4), .join, rack)),
            answer("c", .attendance(other, .checkIn(at: nil, reason: nil))),
            answer("d", .service(StationID(4), isOutOfOrder: true, note: nil)),
            answer("e", .unknown(arguments: "04")),
        ])
        _ = try erase()
        #expect(
            try store.texts("SELECT key FROM answered_request ORDER BY key") == ["c", "d", "e"])
        store.close()
        #expect(try findings("zqreason") == [])
    }

    @Test func `attendance stays under a pseudonym, all else goes`() throws {
        let erasure = try erase()
        #expect(erasure.sessionsKept == 1)
        for table in [
            "stay", "workout", "workout_pause", "workout_set", "station_claim",
            "station_queue", "event", "ledger", "presence", "reasons", "answered_request",
            "refused_input",
        ] {
            #expect(erasure.deleted[table] == 1, "\(table)")
            #expect(try store.texts("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        #expect(
            try store.texts("SELECT user, user_name, check_in_ms FROM v_session")
                == ["\(erasure.user) erased \(at(90).milliseconds)"],
            "what was approved and not carried out yet is")
        #expect(
            try store.texts("SELECT reason, decision_reason FROM correction") == ["erased erased"])
        #expect(try store.texts("SELECT reason FROM statement") == ["erased"])
        #expect(
            try store.texts(
                "SELECT slug = '\(erasure.user)', name, erased_ms FROM user WHERE id = 4")
                == ["1 erased \(now.milliseconds)"])
        #expect(try store.texts("SELECT withdrawn_ms FROM consent") == ["\(now.milliseconds)"])
        #expect(
            try store.texts("SELECT count(*) FROM beacon_binding WHERE to_ms IS NULL") == ["3"])
        let (plan, names, _) = try #require(try store.load())
        #expect(plan.users.map(\.id) == [ann, bob, cid] && plan.beacons.count == 3)
        #expect(plan.revision == 2, "nodes knew a beacon of theirs")
        #expect(names.users.id(slug) == nil)
    }

    @Test func `where no law asks for it, attendance goes too`() throws {
        let erasure = try erase(ErasureOptions(deletesAttendance: true))
        #expect(erasure.sessionsKept == 0)
        for table in ["attendance_session", "statement", "correction"] {
            #expect(try store.texts("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
    }

    @Test func `beacons can be kept for somebody else, under new names`() throws {
        _ = try erase(ErasureOptions(keepsBeacons: true))
        for text in ["zuzanna", "tag-"] { #expect(try findings(text) == [], "\(text)") }
        let beacon = try #require(try SiteImport(store).document()?.beacons.last)
        #expect(beacon.identity == .address(0xC0FF_EE00_0099))
        #expect(beacon.user == nil && beacon.title == "erased" && beacon.slug.hasPrefix("b-"))
    }

    @Test mutating func `an import does not bring them back`() throws {
        _ = try erase()
        #expect(
            throws: StoreError.document([
                "user “\(slug)”: was erased; whoever comes back gets a new id"
            ])
        ) { try SiteImport(store).importDocument(gym, at: now) }
        gym.users.removeLast()
        gym.beacons.removeLast()
        gym.nodes.removeLast()
        #expect(try SiteImport(store).importDocument(gym, at: now).changes == [])
    }

    @Test func `nobody who is there is erased, and nothing is written`() throws {
        let open: [(Fact, String)] = [
            (.session(Session(id: 91, user: UserID(4), from: now, to: nil)), "in;"),
            (.stay(Stay(id: 92, user: UserID(4), place: .room(hall), from: now, to: nil)), "at a"),
            (
                .workout(
                    Workout(
                        id: 93, user: UserID(4), station: nil, state: .active, from: now, to: nil,
                        pauses: [], pausedSince: nil)), "workout"
            ),
        ]
        for (fact, advice) in open {
            let own = try ErasureTests()
            try own.store.commit([fact])
            let before = try own.store.texts("SELECT * FROM user")
            let result = try Erasures(own.store).erase(
                user: slug, reason: "x", by: "mia", via: .cli, at: now)
            guard case .failure(let refusal) = result else {
                Issue.record("erased all the same: \(advice)")
                continue
            }
            #expect(refusal.code == .badState && refusal.text.contains(advice))
            #expect(try own.store.texts("SELECT * FROM user") == before)
            #expect(try own.store.texts("SELECT count(*) FROM workout_set") == ["1"])
        }
        let unknown = try Erasures(store).erase(
            user: "u-nobody", reason: "x", by: "mia", via: .cli, at: now)
        #expect(throws: BooksRefusal(.notFound, "there is no user “u-nobody”")) {
            try unknown.get()
        }
        let silent = try Erasures(store).erase(
            user: slug, reason: " ", by: "mia", via: .cli, at: now)
        #expect(throws: BooksRefusal(.reasonRequired, "say why")) { try silent.get() }
    }

    @Test func `what the machines wrote of them before they knew goes in the next night`() throws {
        _ = try erase()
        try store.commit([
            .ledger(LedgerRow(user: UserID(4), heard: [])),
            .ledger(LedgerRow(user: ann, heard: [])),
            .presence(PresenceRow(user: UserID(4), room: .notPresent, station: .notPresent)),
        ])
        _ = try Retention.retain(on: store, at: now + .seconds(86_400))
        #expect(try store.texts("SELECT user FROM ledger") == ["1"])
        #expect(try store.texts("SELECT user FROM presence") == [])
    }

    @Test(arguments: [
        ("Ann was there", "Ann", "X was there"), ("Annabel was there", "Ann", "Annabel was there"),
        ("MARIANN, ann. Ann", "Ann", "MARIANN, X. X"), ("", "Ann", ""), ("Ann", "Ann", "X"),
        ("é́ Ánn Ann", "Ann", "é́ Ánn X"), ("a.b a-b", "a", "X.b X-b"),
    ])
    func `a name is blanked as a word, not inside another one`(
        text: String, name: String, result: String
    ) {
        #expect(text.replacingWord(name, by: "X") == result)
    }
}
