import Testing

@testable import Accounts
@testable import SiteModel
@testable import SiteStore

/// What is done once is known by its key for a day, in bounded space.
struct AnsweredRequestTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    @Test func `a key is begun, answered, and forgotten after a day`() throws {
        let requests = AnsweredRequests(store)
        let (one, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        #expect(try requests.begin("a", "k", one, at: at(0)) == .nothing)
        #expect(try requests.begin("a", "k", one, at: at(1)) == .begun)
        #expect(try requests.begin("a", "k", other, at: at(1)) == .other)
        #expect(try requests.begin("b", "k", other, at: at(1)) == .nothing)
        try requests.finish("a", "k", status: 201, body: "{}")
        #expect(
            try requests.begin("a", "k", one, at: at(86_400)) == .answered(status: 201, body: "{}"))
        #expect(try requests.begin("a", "k", other, at: at(86_401)) == .nothing)
    }

    @Test func `one asker uses so many keys and no more, and others go on`() throws {
        try store.pool.write { db in
            try db.run(
                """
                WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                INSERT INTO http_request (asker, key, digest, at_ms)
                SELECT 'a', 'k-' || n, zeroblob(32), ? FROM number
                """, [AnsweredRequests.mostKeys, start.milliseconds])
        }
        let requests = AnsweredRequests(store)
        let digest = [UInt8](repeating: 0, count: 32)
        #expect(try requests.begin("a", "new", digest, at: at(60)) == .tooMany)
        #expect(try requests.begin("a", "k-7", digest, at: at(60)) == .begun)
        #expect(try requests.begin("b", "new", digest, at: at(60)) == .nothing)
        #expect(try requests.begin("a", "new", digest, at: at(86_401)) == .nothing)
    }
}
