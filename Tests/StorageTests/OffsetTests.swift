import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// What nodes and beacons differ by, as it is kept.
struct OffsetTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func row(_ device: Ear, _ offset: Double, drift: Double? = nil) -> OffsetRow {
        OffsetRow(
            device: device, place: Place(room: RoomID(1), station: nil),
            position: Position(x: 0.1, y: 2), offset: offset, applied: offset / 2, weight: 240,
            since: at(1), at: at(2), isProven: true, drift: drift)
    }

    @Test func `one row a device is kept, the newest`() throws {
        let facts: [Fact] = [
            .offset(row(.beacon(BeaconID(1)), 3)), .offset(row(.node(NodeID(1)), -4)),
            .offset(row(.node(NodeID(2)), 1)), .offset(row(.node(NodeID(1)), -5.5, drift: -7)),
        ]
        try store.commit(facts)
        var saved = Saved()
        for fact in facts { saved.apply(fact) }
        #expect(saved.offsets.map(\.offset) == [-5.5, 1, 3])
        #expect(try store.load()?.saved == saved)
        #expect(
            try store.texts("SELECT node, beacon, offset_db, proven FROM device_offset ORDER BY 3")
                == ["1 - -5.5 1", "2 - 1.0 1", "- 1 3.0 1"])
    }

    @Test func `an offset beyond what is believed is refused`() throws {
        #expect(throws: StoreError.self) {
            try store.commit([.offset(row(.node(NodeID(1)), 12.5))])
        }
    }
}
