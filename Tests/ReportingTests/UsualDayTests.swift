import SiteModel
import Testing

@testable import Reporting

/// How many are in, beside how many usually are.
struct UsualDayTests {
    private static let hour = 3_600_000 as Int64

    private func moment(_ day: Int64, _ hours: Double) -> Timestamp {
        Timestamp(milliseconds: (day * 24) * Self.hour + Int64(hours * Double(Self.hour)))
    }

    private func day(_ number: Int64) -> Interval {
        Interval(from: moment(number, 0), to: moment(number, 24))
    }

    @Test func `each half hour has who is in, and the mean of the same weekdays`() {
        // Two were in at noon a week before, one the week before that, nobody on the third.
        let sessions = [
            Interval(from: moment(21, 11), to: moment(21, 13)),
            Interval(from: moment(21, 11.5), to: moment(21, 12.25)),
            Interval(from: moment(14, 11), to: moment(14, 12.25)),
            Interval(from: moment(28, 9), to: moment(28, 12)),
        ]
        let rows = UsualDay.rows(
            of: sessions, day: day(28), earlier: [day(21), day(14), day(7)], now: moment(28, 12))
        #expect(rows.count == 48)
        let noon = rows[24]
        #expect(noon.at == moment(28, 12))
        // Whoever leaves at noon is out at noon.
        #expect(noon.people == 0 && rows[23].people == 1)
        #expect(noon.usual == 2)  // 3 people on two days, halves up.
        #expect(rows[25].people == nil && rows[25].usual == 1)
        #expect(rows[0].usual == 0)
    }

    @Test func `without a day before there is no usual one`() {
        let rows = UsualDay.rows(of: [], day: day(28), earlier: [day(21)], now: moment(28, 1))
        #expect(rows.allSatisfy { $0.usual == nil })
        #expect(rows.prefix(3).allSatisfy { $0.people == 0 } && rows[3].people == nil)
    }
}
