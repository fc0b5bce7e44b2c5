import Testing

@testable import Activities
@testable import ActivityEngine
@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// What people share of their activity.
struct ActivitySharingTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func share(_ items: Set<ActivityItem>, of user: String = "u-ann") throws {
        _ = try ActivityRecords(store).perform(
            .share(user: user, items), by: Asker(name: "ann", via: .rest, at: at(10)))
    }

    private func shared() throws -> [String] {
        try ActivityRecords(store).sharing().map {
            "\($0.user) \($0.items.map(\.rawValue).joined(separator: " "))"
        }
    }

    @Test func `each part is shared by itself, and what is taken back is gone`() throws {
        #expect(try shared().isEmpty)
        try share([.heartRate, .steps])
        try share([.moving], of: "u-bob")
        #expect(try shared() == ["u-ann steps heart_rate", "u-bob moving"])
        try share([.steps, .energy])
        #expect(try ActivityRecords(store).figures(of: "u-ann")?.shared == [.steps, .energy])
        try share([])
        #expect(try shared() == ["u-bob moving"])
        #expect(throws: BooksRefusal.self) { try share([.steps], of: "u-nobody") }
    }

    @Test func `a choice that changes nothing is not audited`() throws {
        func noted() throws -> [String] {
            try store.texts("SELECT action FROM audit_log WHERE entity = 'activity_sharing'")
        }
        try share([.steps])
        try share([.steps])
        #expect(try noted() == ["share"])
        try share([.energy])
        #expect(try noted() == ["share", "share", "stop-sharing"])
    }

    @Test func `whoever leaves shares nothing any more`() throws {
        try share([.steps])
        var gym = SiteDocument.gym
        gym.users.removeAll { $0.slug == "u-ann" }
        gym.beacons[0].user = nil
        try SiteImport(store).importDocument(gym, at: at(30), by: "account:ada", via: .rest)
        #expect(try shared().isEmpty)
    }
}
