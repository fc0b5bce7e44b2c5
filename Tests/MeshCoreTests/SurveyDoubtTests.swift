import Testing

@testable import Positioning
@testable import SiteModel

/// What is said to be of a place is doubted if receivers say that it is not.
struct SurveyDoubtTests {
    private let hall = Place(room: RoomID(1), station: nil)
    private let saw = Place(room: RoomID(1), station: StationID(1))
    private let lathe = Place(room: RoomID(1), station: StationID(2))
    private let yard = Place(room: RoomID(2), station: nil)
    private let ears = (1...4).map { Ear.node(NodeID(Int64($0))) }
    private var homes: [Place?] { [hall, saw, lathe, yard] }

    /// Seconds in which the ears in their order heard these levels; `share` of them, evenly, for each.
    private func doubt(
        at place: Place, _ levels: [Double?], share: [Double] = [1, 1, 1, 1], seconds: Int = 40,
        of listening: [Int] = [0, 1, 2, 3]
    ) -> SurveyDoubt? {
        let rows = (0..<seconds).map { second in
            Survey.Second(
                place: place, at: Timestamp(second: Int64(second)),
                heard: listening.compactMap { ear in
                    guard let level = levels[ear] else { return nil }
                    let count = (Double(second + 1) * share[ear]).rounded(.down)
                    guard count > (Double(second) * share[ear]).rounded(.down) else { return nil }
                    // The median stays what it is.
                    let noise = Double(second % 3 - 1) * 2
                    return .init(ear: ears[ear], level: RSSI(dBm: level + noise))
                })
        }
        return SurveyDoubt(
            about: rows, at: place, ears: listening.map { ears[$0] },
            homes: { ear in ears.firstIndex(of: ear).flatMap { homes[$0] } })
    }

    private func heard(_ ear: Int, _ level: Double, _ seconds: Int = 40) -> SurveyDoubt.Heard {
        .init(
            ear: ears[ear], place: homes[ear] ?? hall, level: RSSI(dBm: level), seconds: seconds)
    }

    @Test func `the receiver of another place must be clearly louder`() {
        #expect(doubt(at: saw, [-70, -60, -80, nil]) == nil)
        #expect(doubt(at: saw, [-70, -60, -54.5, nil]) == nil)
        #expect(
            doubt(at: saw, [-70, -71, -58, nil])
                == .louder(other: heard(2, -58), own: heard(1, -71)))
        #expect(
            doubt(at: saw, [-70, -60, -54, -50])
                == .louder(other: heard(3, -50), own: heard(1, -60)))
    }

    @Test func `on an open floor a station of the room may be louder than its receiver`() {
        #expect(doubt(at: hall, [-70, -58.5, -80, nil]) == nil)
        #expect(
            doubt(at: hall, [-70, -58, -80, nil])
                == .louder(other: heard(1, -58), own: heard(0, -70)))
        #expect(
            doubt(at: hall, [-70, -60, -80, -64])
                == .louder(other: heard(3, -64), own: heard(0, -70)),
            "of another room less is enough")
    }

    @Test func `the place's own receiver must have heard a quarter of the seconds`() {
        #expect(doubt(at: saw, [-70, -60, nil, nil], share: [1, 0.25, 1, 1]) == nil)
        #expect(
            doubt(at: saw, [-70, -50, nil, nil], share: [1, 0.2, 1, 1])
                == .hardlyHeard(own: ears[1], seconds: 8, of: 40, other: heard(0, -70)))
        #expect(
            doubt(at: saw, [nil, nil, -70, nil])
                == .hardlyHeard(own: ears[1], seconds: 0, of: 40, other: heard(2, -70)))
    }

    @Test func `who is heard now and then only is not the loudest`() {
        #expect(doubt(at: saw, [nil, -70, -30, nil], share: [1, 1, 0.2, 1]) == nil)
    }

    @Test func `hardly heard at all says nothing of where`() {
        #expect(
            doubt(at: saw, [nil, -50, nil, nil], share: [1, 0.1, 1, 1])
                == .tooFew(seconds: 4, of: 40))
        #expect(doubt(at: saw, [nil, -50, nil, nil], share: [1, 0.125, 1, 1]) == nil)
        #expect(doubt(at: saw, [nil, nil, nil, nil], seconds: 0) == .tooFew(seconds: 0, of: 0))
    }

    @Test func `without a receiver that listened a place is believed`() {
        #expect(doubt(at: saw, [-40, nil, -50, -60], of: [0, 2, 3]) == nil)
    }
}
