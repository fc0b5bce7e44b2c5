import Testing

@testable import Positioning
@testable import SiteEngine
@testable import SiteModel

/// Where somebody was, minute by minute, from evidence.
@Suite struct HolesTests {
    let hall = RoomID(1)
    let yard = RoomID(2)
    /// A whole minute.
    let start = Timestamp(second: 1_700_000_040 / 60 * 60)

    private func hearing(
        _ room: RoomID, minute: Int, _ seconds: Range<Int> = 0..<60, level: Double = -60
    ) -> Holes.Hearing {
        let from = start + .seconds(Double(minute * 60 + seconds.lowerBound))
        return Holes.Hearing(
            room: room,
            interval: Interval(from: from, to: from + .seconds(Double(seconds.count))),
            level: RSSI(dBm: level))
    }

    private func text(_ pieces: [Holes.Piece]) -> [String] {
        pieces.map { piece in
            let from = (piece.interval.from - start).milliseconds / 1000
            let to = (piece.interval.to - start).milliseconds / 1000
            return "\(piece.room.row) \(from)–\(to)"
        }
    }

    @Test func `the best node of a minute decides, in any order`() {
        let hearings = [
            hearing(hall, minute: 0), hearing(yard, minute: 0, level: -80),
            hearing(yard, minute: 1, level: -50), hearing(hall, minute: 1, level: -70),
            hearing(yard, minute: 2),
        ]
        #expect(text(Holes.pieces(of: hearings, known: [])) == ["1 0–60", "2 60–180"])
        #expect(
            text(Holes.pieces(of: hearings.reversed(), known: [])) == ["1 0–60", "2 60–180"])
    }

    @Test func `minutes in one room are one piece, a longer silence is none`() {
        let hearings = [0, 1, 2, 6, 7].map { hearing(hall, minute: $0) }
        #expect(text(Holes.pieces(of: hearings, known: [])) == ["1 0–180", "1 360–480"])
    }

    @Test func `what was decided live is left as it is`() {
        let known = Interval(from: start + .seconds(30), to: start + .seconds(150))
        let hearings = (0..<5).map { hearing(yard, minute: $0) }
        #expect(text(Holes.pieces(of: hearings, known: [known])) == ["2 150–300"])
    }
}
