import Testing

@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// A site may promise to locate only who agreed.
struct ConsentTests {
    private let scratch: Scratch
    private let store: Store
    private var gym = SiteDocument.gym

    init() throws {
        scratch = try Scratch()
        gym.privacy.requiresConsent = true
        gym.users[0].consent = "2025-1"
        store = try scratch.store(gym)
    }

    private func bound() throws -> [UserID] {
        try #require(try store.load()).plan.bindings.map(\.user)
    }

    @Test func `a beacon stands only for who agreed, if the site says so`() throws {
        #expect(try bound() == [ann])
        var lenient = gym
        lenient.privacy.requiresConsent = false
        try SiteImport(store).importDocument(lenient, at: at(60))
        #expect(try bound() == [ann, bob, cid])
    }

    @Test mutating func `to what and when somebody agreed is kept, and when they no longer did`()
        throws
    {
        gym.users[0].consent = "2025-2"
        gym.users[1].consent = "2025-2"
        let changes = try SiteImport(store).importDocument(gym, at: at(60)).changes
        #expect(
            changes.map(\.description) == [
                "user u-ann changed: consent “2025-1” → “2025-2”",
                "user u-bob changed: consent none → “2025-2”",
            ])
        gym.users[1].consent = nil
        try SiteImport(store).importDocument(gym, at: at(120))
        #expect(try bound() == [ann])
        #expect(
            try store.texts(
                """
                SELECT user, text_version, (at_ms - \(start.milliseconds)) / 1000,
                    (withdrawn_ms - \(start.milliseconds)) / 1000, recorded_by
                FROM consent ORDER BY id
                """) == [
                    "1 2025-1 0 60 import", "1 2025-2 60 - import", "2 2025-2 60 120 import",
                ])
        #expect(try SiteImport(store).document() == gym)
    }

    @Test mutating func `a text without a version is refused`() throws {
        gym.users[2].consent = ""
        #expect(
            throws: StoreError.document([
                "users[2].consent: expected text of 1 to 64 characters"
                    + " (in quotes if it looks like a number), got \"\"",
                "users[2].consent: expected the version of a text, like \"2026-1\"",
            ])
        ) { try SiteImport(store).importDocument(gym, at: at(60)) }
    }
}
