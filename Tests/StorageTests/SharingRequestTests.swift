import Scheduling
import Testing

@testable import Notifications
@testable import SiteModel
@testable import SiteStore

/// A trainer asks who trains now to share it, without learning who they are.
struct SharingRequestTests {
    private let scratch: Scratch
    private let store: Store
    private let calendar = SiteCalendar(zone: "UTC")

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        try store.write { db in
            for (user, ended) in [(1, nil), (2, nil), (3, 50)] as [(Int64, Int64?)] {
                try db.run(
                    """
                    INSERT INTO workout (user, state, started_ms, ended_ms, paused_ms)
                    VALUES (?, ?, 0, ?, 0)
                    """, [user, ended == nil ? "active" : "completed", ended])
            }
        }
    }

    private func asked() throws -> [String] {
        try store.texts(
            "SELECT user.slug FROM notification JOIN user ON user.id = user WHERE kind = 'share-request' ORDER BY user.id"
        )
    }

    @Test func `who trains and shares nothing is asked once a week`() throws {
        let slugs = try store.texts("SELECT slug FROM user ORDER BY id")
        try store.write { db in
            try db.run("INSERT INTO sharing (user, kind, since_ms) VALUES (2, 'training', 0)")
        }
        let requests = SharingRequests(store)
        #expect(try requests.ask(by: slugs[0], at: at(10), calendar) == 0, "not oneself")
        #expect(try requests.ask(by: nil, at: at(10), calendar) == 1)
        #expect(try asked() == [slugs[0]])
        #expect(try requests.ask(by: nil, at: at(11), calendar) == 0)
        try store.write { db in try db.run("DELETE FROM sharing") }
        #expect(try requests.ask(by: nil, at: at(12), calendar) == 1, "who took it back")
        #expect(try requests.ask(by: nil, at: at(7 * 86_400 + 10), calendar) == 1, "a week later")
        #expect(try asked() == [slugs[0], slugs[0], slugs[1]])
    }
}
