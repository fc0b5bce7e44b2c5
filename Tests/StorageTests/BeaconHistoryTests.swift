import Testing

@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// Who carries a beacon until when, and what it was recognised by.
struct BeaconHistoryTests {
    private let scratch: Scratch
    private let store: Store
    private var gym = SiteDocument.gym

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    /// The users who carry the first beacon at a moment, as the core knows it.
    private func carriers(at moment: Timestamp) throws -> [UserID] {
        let plan = try #require(try store.load()).plan
        return plan.bindings.filter { $0.beacon == plan.beacons[0].id && $0.holds(at: moment) }
            .map(\.user)
    }

    private func bindings() throws -> [BeaconHistory.Bound] {
        try #require(try BeaconHistory(store).bindings(of: gym.beacons[0].slug))
    }

    @Test mutating func `a beacon given until a moment counts until then, and is given on`() throws
    {
        let (first, second) = (gym.users[0].slug, gym.users[1].slug)
        let site = SiteImport(store)
        gym.beacons[0].user = first
        gym.beacons[0].until = at(100)
        try site.importDocument(gym, at: at(60))
        #expect(try carriers(at: at(99)) == [UserID(1)])
        #expect(try carriers(at: at(100)) == [])
        #expect(try site.document() == gym)
        // Whoever looks later finds nothing to change.
        #expect(try site.plan(importing: gym, at: at(200)) == [])

        gym.beacons[0].until = at(150)
        let prolonged = try site.importDocument(gym, at: at(80)).changes.map(\.description)
        #expect(prolonged.count == 1 && prolonged[0].contains("until “2"))
        #expect(try carriers(at: at(149)) == [UserID(1)])
        #expect(try bindings().count == 1)
        gym.beacons[0].until = at(70)
        #expect(throws: StoreError.self) { try site.importDocument(gym, at: at(90)) }
        #expect(try carriers(at: at(149)) == [UserID(1)])

        // It is over; then somebody else has it for good, then nobody.
        gym.beacons[0].user = second
        gym.beacons[0].until = nil
        try site.importDocument(gym, at: at(160))
        #expect(try carriers(at: at(155)) == [])
        #expect(try carriers(at: at(160)) == [UserID(2)])
        gym.beacons[0].until = at(400)
        try site.importDocument(gym, at: at(170))
        gym.beacons[0].user = nil
        gym.beacons[0].until = nil
        try site.importDocument(gym, at: at(180))
        #expect(try carriers(at: at(180)) == [])
        #expect(try bindings().map(\.user) == [first, second])
        #expect(
            try bindings().map(\.to_ms) == [at(150).milliseconds, at(180).milliseconds])

        gym.beacons[0].user = second
        gym.beacons[0].until = at(300)
        try site.importDocument(gym, at: at(190))
        gym.beacons[0].until = at(500)
        try site.importDocument(gym, at: at(350))
        #expect(try carriers(at: at(320)) == [])
        #expect(try carriers(at: at(499)) == [UserID(2)])
    }

    @Test mutating func `a file of a site whose bindings are over makes it again`() throws {
        gym.beacons[0].user = gym.users[0].slug
        gym.beacons[0].until = at(100)
        let elsewhere = try Scratch()
        let other = try Store(path: elsewhere.path)
        defer { other.close() }
        try SiteImport(other).importDocument(gym, at: at(1000))
        #expect(try SiteImport(other).document() == gym)
        let plan = try #require(try other.load()).plan
        let own = plan.bindings.filter { $0.beacon == plan.beacons[0].id }
        #expect(!own.contains { $0.holds(at: at(1000)) || $0.holds(at: at(60)) })
    }

    @Test mutating func `what a beacon was recognised by is kept, through a swap and a return`()
        throws
    {
        let site = SiteImport(store)
        let (a, b) = (gym.beacons[0], gym.beacons[1])
        gym.beacons[0].identity = b.identity
        gym.beacons[1].identity = a.identity
        try site.importDocument(gym, at: at(60))
        let without = gym.beacons.remove(at: 0)
        try site.importDocument(gym, at: at(120))
        gym.beacons.insert(without, at: 0)
        try site.importDocument(gym, at: at(180))
        let known = try #require(try BeaconHistory(store).identities(of: a.slug))
        #expect(known.map(\.identity) == [a.identity.text, b.identity.text, b.identity.text])
        #expect(
            known.map(\.to_ms) == [at(60).milliseconds, at(120).milliseconds, nil])
        #expect(known.last?.from_ms == at(180).milliseconds)
        let bearers = try BeaconHistory(store).beacons(knownBy: a.identity.text)
        #expect(bearers.map(\.beacon) == [a.slug, b.slug])
        #expect(try BeaconHistory(store).identities(of: "b-no") == nil)
    }

    @Test mutating func `where a beacon hangs is kept, through a move, a retirement and a return`()
        throws
    {
        let site = SiteImport(store)
        let (room, station) = (gym.rooms[0].slug, gym.stations[0].slug)
        gym.beacons[0].user = nil
        gym.beacons[0].until = nil
        let slug = gym.beacons[0].slug
        func places() throws -> [String] {
            try #require(try BeaconHistory(store).places(of: slug)).map {
                "\($0.room ?? $0.station ?? "") \(($0.from_ms - at(0).milliseconds) / 1000) "
                    + ($0.to_ms.map { "\(($0 - at(0).milliseconds) / 1000)" } ?? "now")
            }
        }
        try site.importDocument(gym, at: at(10))
        #expect(try places() == [])
        gym.beacons[0].room = room
        try site.importDocument(gym, at: at(20))
        try site.importDocument(gym, at: at(25))
        (gym.beacons[0].room, gym.beacons[0].station) = (nil, station)
        try site.importDocument(gym, at: at(30))
        #expect(try places() == ["\(room) 20 30", "\(station) 30 now"])
        let beacon = gym.beacons.removeFirst()
        try site.importDocument(gym, at: at(40))
        #expect(try places() == ["\(room) 20 30", "\(station) 30 40"])
        gym.beacons.insert(beacon, at: 0)
        try site.importDocument(gym, at: at(50))
        #expect(try places().last == "\(station) 50 now")
        #expect(try BeaconHistory(store).places(of: "none") == nil)
    }
}
