import Testing

@testable import SiteModel
@testable import SiteSchema
@testable import SiteStore
@testable import Registry

/// Nodes that people carry and beacons that are fixed, from a document to the plan and back.
struct MobileImportTests {
    private let scratch: Scratch
    private let store: Store
    private var gym = SiteDocument.gym

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        gym.nodes.append(.init(slug: "n-ann", name: "Ann's phone", room: "hall", carrier: "u-ann"))
        gym.beacons += [
            .init(
                slug: "f-rack", title: "At the rack", identity: .address(7), user: nil,
                station: "rack"),
            .init(slug: "f-yard", title: "Yard", identity: .address(8), user: nil, room: "yard"),
        ]
    }

    @Test mutating func `who carries a node and where a beacon is are loaded`() throws {
        let changes = try SiteImport(store).importDocument(gym, at: at(60)).changes.map(
            \.description)
        #expect(
            changes == [
                "node n-ann added: name “Ann's phone”, role mobile, room hall, user u-ann",
                "beacon f-rack added: title “At the rack”, identity “mac-000000000007”, station rack",
                "beacon f-yard added: title “Yard”, identity “mac-000000000008”, room yard",
            ])
        let plan = try #require(try store.load()).plan
        #expect(plan.nodes.map(\.carrier) == [nil, nil, ann])
        #expect(plan.nodes.map(\.ear) == [hall, hall, RoomID(-3)])
        #expect(
            plan.beacons.map(\.anchor) == [
                nil, nil, nil, Place(room: hall, station: rack), Place(room: yard, station: nil),
            ])
        #expect(try SiteImport(store).plan(importing: gym, at: at(61)) == [])

        gym.nodes[2].carrier = "u-bob"
        gym.beacons[3].station = nil
        gym.beacons[4].room = "hall"
        let again = try SiteImport(store).importDocument(gym, at: at(62)).changes.map(\.description)
        #expect(
            again == [
                "node n-ann changed: user u-ann → u-bob",
                "beacon f-rack changed: station rack → none",
                "beacon f-yard changed: room yard → hall",
            ])
        let moved = try #require(try store.load()).plan
        #expect(moved.nodes[2].carrier == bob)
        #expect(moved.beacons.suffix(2).map(\.anchor) == [nil, Place(room: hall, station: nil)])
    }

    @Test mutating func `a new user may carry a new node`() throws {
        gym.users.append(.init(slug: "u-new", name: "New"))
        gym.nodes[2].carrier = "u-new"
        try SiteImport(store).importDocument(gym, at: at(60))
        #expect(try #require(try store.load()).plan.nodes[2].carrier == UserID(4))
    }

    @Test mutating func `contradictions are refused`() throws {
        gym.nodes[2].carrier = "u-nobody"
        gym.nodes[2].station = "rack"
        gym.beacons[3].user = "u-ann"
        gym.beacons[4].room = "attic"
        #expect(
            throws: StoreError.document([
                "beacons[3].user: a beacon is carried or fixed at a place, not both",
                #"beacons[4].room: there is no room "attic""#,
                "nodes[2].station: a mobile node is at no station",
                #"nodes[2].user: there is no user "u-nobody""#,
            ])
        ) { try SiteImport(store).plan(importing: gym, at: at(60)) }
    }

    @Test func `the database refuses a mobile node at a station`() throws {
        #expect(throws: (any Error).self) {
            try scratch.execute("UPDATE node SET carrier = 1 WHERE station IS NOT NULL")
        }
        #expect(throws: (any Error).self) {
            try scratch.execute("UPDATE beacon SET room = 1, station = 1")
        }
    }
}
