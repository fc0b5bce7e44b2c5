import Testing

@testable import Accounts
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// What is done once is known by its key for a day, in bounded space, whoever did it.
struct AnsweredRequestTests {
    private let scratch: Scratch
    private let store: Store
    private let requests: AnsweredRequests

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        requests = AnsweredRequests(store)
    }

    private func claim(
        _ key: String, of asker: String = "http:a", _ byte: UInt8 = 1
    ) -> AnsweredRequests.Claim {
        .init(asker: asker, key: key, digest: [UInt8](repeating: byte, count: 32))
    }

    @Test func `a key is answered alike for a day, and then forgotten`() throws {
        #expect(try requests.known(claim("k"), at: at(0)) == .nothing)
        try requests.keep(claim("k"), status: 201, body: "{}", at: at(0))
        #expect(try requests.known(claim("k", 2), at: at(1)) == .other)
        #expect(try requests.known(claim("k", of: "http:b", 2), at: at(1)) == .nothing)
        let answered = AnsweredRequests.Known.answered(status: 201, body: "{}")
        #expect(try requests.known(claim("k"), at: at(86_400)) == answered)
        #expect(try requests.known(claim("k", 2), at: at(86_401)) == .nothing)
        try requests.keep(claim("k", 2), status: 204, body: nil, at: at(86_401))
        #expect(
            try requests.known(claim("k", 2), at: at(86_402)) == .answered(status: 204, body: nil))
    }

    @Test func `the row of a key is undone with what was asked for`() throws {
        struct Fault: Error {}
        store.overridesWritten.store(7, ordering: .relaxed)
        try store.inOneTransaction {
            for fails in [true, false] {
                _ = try? store.undoing {
                    let key = claim(fails ? "undone" : "done")
                    try requests.keep(key, status: 204, body: nil, at: at(0))
                    store.overridesWritten.store(8, ordering: .relaxed)
                    if fails { throw Fault() }
                }
                let written = store.overridesWritten.load(ordering: .relaxed)
                #expect(written == (fails ? 7 : 8))
            }
            return false
        }
        #expect(try requests.known(claim("undone"), at: at(1)) == .nothing)
        #expect(try requests.known(claim("done"), at: at(1)) == .answered(status: 204, body: nil))
    }

    @Test func `machines and rooms know each other's ids, and neither replaces an answer`() throws {
        let request = Request(
            client: "kiosk", id: "a\\b", name: "workout-pause",
            verb: .training(UserID(1), .pause))
        let answer = Answer(request: request, at: at(1), outcome: .refused(.badState))
        try store.commit([.answer(answer)])
        #expect(try requests.known(claim("a\\b", of: "kiosk"), at: at(2)) == .other)
        try requests.keep(claim("c\\d", of: "kiosk"), status: 200, body: "{}", at: at(2))
        var late = answer
        late.request.id = "c\\d"
        try store.commit([.answer(late)])
        let saved = try #require(try store.load()).saved
        #expect(saved.answers == [answer])
        #expect(saved.usedIDs == [UsedID(.init(client: "kiosk", id: "c\\d"), at: at(2))])
    }

    @Test func `one asker uses so many keys and no more, and others go on`() throws {
        try store.pool.write { db in
            try db.run(
                """
                WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                INSERT INTO answered_request (asker, key, digest, at_ms, status)
                SELECT 'http:a', 'k-' || n, zeroblob(32), ?, 204 FROM number
                """, [AnsweredRequests.mostKeys, start.milliseconds])
        }
        #expect(try requests.known(claim("new"), at: at(60)) == .tooMany)
        #expect(
            try requests.known(claim("k-7", 0), at: at(60)) == .answered(status: 204, body: nil))
        #expect(try requests.known(claim("new", of: "http:b"), at: at(60)) == .nothing)
        let clock = SiteRow(clock: at(86_401), next: 1, coverage: [], clocks: [])
        try store.commit([.site(clock)])
        #expect(try requests.known(claim("new"), at: at(86_401)) == .nothing)
    }
}
