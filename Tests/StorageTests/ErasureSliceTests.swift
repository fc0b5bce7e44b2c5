import Foundation
import Testing

@testable import Records
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// An erasure is done in slices, and is the same however often it is interrupted.
struct ErasureSliceTests {
    private static let name = "Zuzanna Brücke-Łoś"
    private static let slug = "u-zuzanna-7"
    private static let now = at(40 * 86_400)
    private static let user = UserID(4)

    /// A site with so much about a person that it takes many slices.
    private static func site(_ scratch: Scratch) throws -> Store {
        var gym = SiteDocument.gym
        gym.users.append(.init(slug: slug, name: name))
        gym.beacons.append(
            .init(
                slug: "tag-zuzanna", title: "Zuzanna's tag", identity: .address(0xC0FF_EE00_0099),
                user: slug))
        let store = try scratch.store(gym)
        var facts: [Fact] = (1...1700).map { number in
            .event(
                Event(
                    id: number, kind: .entered, at: at(Double(number)),
                    user: number % 3 == 0 ? ann : user, place: .room(hall), subject: number))
        }
        facts += (1...600).map { number in
            .statement(
                Statement(
                    id: 2000 + number, user: number % 2 == 0 ? ann : user, kind: .checkIn,
                    at: at(Double(number)), said: at(Double(number)), by: slug,
                    reason: number % 5 == 0 ? "\(name.uppercased()) was there" : "no tag"))
        }
        facts.append(.session(Session(id: 1, user: user, from: at(100), to: at(5000))))
        facts.append(.site(SiteRow(clock: now, next: 5000, coverage: [], clocks: [])))
        try store.commit(facts)
        for number in 0..<20 {
            store.recordRefused(
                input: "\(number) of \(slug)", reason: "zuzanna brücke-łoś \\ \(name)", at: now)
        }
        return store
    }

    private static func begin(_ store: Store, _ options: ErasureOptions) throws -> ErasureRun {
        try Erasures(store).begin(
            user: slug, reason: "asked", options: options, by: "mia", via: .cli, at: now
        ).get()
    }

    /// What the database holds, with what is drawn at random masked.
    private static func content(_ store: Store) throws -> [String] {
        let tables = try store.texts(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"
        )
        return try tables.flatMap { table in
            try store.texts("SELECT * FROM \(table) ORDER BY 1, 2").map {
                "\(table): "
                    + $0.replacing(/[unb]-[a-z2-7]{16}/, with: "SLUG")
                    .replacing(/[0-9a-f]{32,64}/, with: "RANDOM")
                    .replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "RANDOM")
            }
        }
    }

    /// The files of a database that hold a text, in whatever case.
    private static func findings(_ text: String, _ scratch: Scratch) throws -> [String] {
        let forms = Set([text, text.lowercased(), text.uppercased()]).sorted()
        return try ["", "-wal", "-shm"].filter { end in
            let file = URL(fileURLWithPath: scratch.path + end)
            guard FileManager.default.fileExists(atPath: file.path) else { return false }
            let bytes = try Data(contentsOf: file)
            return forms.contains { bytes.range(of: Data($0.utf8)) != nil }
        }
    }

    @Test(arguments: [false, true])
    func `an erasure that stops after any slice is the same in the end`(
        deletesAttendance: Bool
    ) throws {
        let options = ErasureOptions(deletesAttendance: deletesAttendance)
        let (whole, broken) = (try Scratch(), try Scratch())
        let reference = try Self.site(whole)
        let expected = try Erasures(reference).erase(
            user: Self.slug, reason: "asked", options: options, by: "mia", via: .cli, at: Self.now
        ).get()
        var store = try Self.site(broken)
        _ = try Self.begin(store, options)
        var slices = 0
        var done: Erasure?
        while done == nil {
            // The process ends after each few slices, and begins again.
            store.close()
            store = try Store(path: broken.path)
            var run = try #require(try Erasures(store).owed().first)
            slices += 1
            for _ in 0..<slices where done == nil { done = try run.step(on: store) }
            #expect(slices < 200)
        }
        #expect(slices > 5)
        let erasure = try #require(done)
        #expect(erasure.deleted == expected.deleted && erasure.blanked == expected.blanked)
        #expect(erasure.sessionsKept == expected.sessionsKept)
        #expect(try Self.content(store) == Self.content(reference))
        #expect(try Erasures(store).owed().isEmpty)
        #expect(try AuditTrail(store).verify().fault == nil)
        reference.close()
        store.close()
    }

    @Test func `facts are stored between slices and stay`() throws {
        let scratch = try Scratch()
        let store = try Self.site(scratch)
        defer { store.close() }
        var run = try Self.begin(store, ErasureOptions())
        #expect(
            try store.texts("SELECT name, slug = '\(Self.slug)' FROM user WHERE id = 4")
                == ["erased 0"], "from the first moment on")
        var number: Int64 = 9000
        while try run.step(on: store) == nil {
            number += 1
            try store.commit([
                .event(
                    Event(
                        id: number, kind: .entered, at: Self.now, user: bob, place: .room(hall),
                        subject: number))
            ])
        }
        #expect(number > 9010)
        #expect(
            try store.texts("SELECT count(*) FROM event WHERE user = 2") == ["\(number - 9000)"])
        #expect(try store.texts("SELECT count(*) FROM event WHERE user = 4") == ["0"])
        #expect(try store.texts("SELECT count(*) FROM event WHERE user = 1") == ["566"])
    }

    @Test func `a run settles its own debt and no other`() throws {
        let scratch = try Scratch()
        let store = try Self.site(scratch)
        defer { store.close() }
        var first = try Self.begin(store, ErasureOptions())
        var second = try Erasures(store).begin(
            user: "u-bob", reason: "asked", options: ErasureOptions(), by: "mia", via: .cli,
            at: Self.now
        ).get()
        while try second.step(on: store) == nil {}
        #expect(try Erasures(store).owed().map(\.user) == [Self.user])
        while try first.step(on: store) == nil {}
        #expect(try Erasures(store).owed().isEmpty)
    }

    @Test func `names beyond ASCII are found in any case, in no file afterwards`() throws {
        let scratch = try Scratch()
        let store = try Self.site(scratch)
        let telling = [
            Self.name, "Brücke-Łoś", "Zuzanna", Self.slug, "tag-zuzanna", "c0ffee000099",
        ]
        for text in telling { #expect(try Self.findings(text, scratch) != [], "\(text)") }
        var run = try Self.begin(store, ErasureOptions())
        while try run.step(on: store) == nil {}
        for text in telling { #expect(try Self.findings(text, scratch) == [], "\(text)") }
        store.close()
        for text in telling { #expect(try Self.findings(text, scratch) == [], "\(text)") }
    }

    @Test(arguments: [
        ("Brücke", "cke"), ("Ann", "ann"), ("李雷", ""), ("Bru\u{308}cke", "cke"), ("ÄÖ x", " x"),
        ("Łoś", ""), ("O'Brücke", "o'b"),
    ])
    func `the part of a name that SQLite can look for`(name: String, part: String) {
        #expect(ErasureStep.certain(of: name) == part)
    }
}
