import Testing

@testable import Basics
@testable import SiteModel
@testable import Workouts

/// Read again, a file says the same again: keys, moments and numbers.
struct HistoryKeyTests {
    private let rows = [
        HistoryText.hevy, HistoryText.hevyRow(), HistoryText.hevyRow(),
        HistoryText.hevyRow("Squat,,,0,normal,80,5,,,8"),
        HistoryText.hevyRow(title: "Other"),
    ]

    private func keys(_ rows: [String]) throws -> [String] {
        try HistoryText.read(rows).workouts.flatMap(\.sets).map(\.key)
    }

    @Test func `keys are UUIDs of version 8, each once, and the same again`() throws {
        let found = try keys(rows)
        #expect(found.count == 4)
        #expect(Set(found).count == 4)
        for key in found {
            #expect(key.isUUID)
            #expect(key == key.lowercased())
            let parts = key.split(separator: "-")
            #expect(parts[2].first == "8")
            #expect(["8", "9", "a", "b"].contains(parts[3].prefix(1)))
        }
        #expect(try keys(rows) == found)
    }

    @Test func `another set in front of a workout changes no key of it`() throws {
        let more = HistoryText.hevyRow("Row,,,0,normal,60,5,,,8")
        let longer = [rows[0], more] + rows.dropFirst()
        #expect(try Array(keys(longer).dropFirst()) == keys(rows))
    }

    @Test(arguments: [
        ("normal,80,5,,,8", "normal,80,6,,,8"), ("normal,80,5,,,8", "normal,81,5,,,8"),
        ("normal,80,5,,,8", "failure,80,5,,,8"), ("normal,80,5,,,8", "normal,80,5,,,9"),
        ("normal,80,5,,,8", "normal,80,,,5,8"),
    ])
    func `a set that is another has another key`(one: String, other: String) throws {
        let sets = [one, other].map { HistoryText.hevyRow("Squat,,,0,\($0)") }
        #expect(try keys([rows[0], sets[0]]) != keys([rows[0], sets[1]]))
    }

    @Test func `a changed note changes no key`() throws {
        let sets = ["", "slowly"].map { HistoryText.hevyRow("Squat,,\($0),0,normal,80,5,,,8") }
        #expect(try keys([rows[0], sets[0]]) == keys([rows[0], sets[1]]))
    }

    @Test(
        arguments: [
            ("28 Mar 2024, 17:29", 1_711_643_340_000),
            ("28 March 2024, 17:29:00", 1_711_643_340_000),
            ("Mar 28, 2024, 5:29 PM", 1_711_643_340_000),
            ("2024-03-28 17:29:00", 1_711_643_340_000),
            ("2024-03-28 5:29:00\u{202F}pm", 1_711_643_340_000),
            ("2024-03-28T17:29", 1_711_643_340_000),
            // The clocks were set forward over it, and back over it.
            ("2024-03-31 02:30:00", 1_711_846_800_000), ("2024-10-27 02:30:00", 1_729_989_000_000),
            ("28 Mrz 2024, 17:29", nil), ("28/03/2024 17:29", nil), ("2024-02-30 10:00:00", nil),
            ("28 Mar 2024", nil), ("28 Mar 24, 17:29", nil), ("28 Mar 2024, 17:60", nil),
            ("28 Mar 2024, 13:29 PM", nil), ("28 Mar 2024, 5:29 PM CET", nil), ("", nil),
            ("45379", nil), ("1999-12-31 23:59:59", nil), ("2000-01-01 00:00:00", 946_681_200_000),
            ("2026-01-01 01:00:00", 1_767_225_600_000), ("2026-01-01 01:00:01", nil),
        ] as [(String, Int64?)])
    func `times are those of the site's clocks`(text: String, milliseconds: Int64?) {
        let clock = HistoryClock(calendar: HistoryText.calendar, now: HistoryText.now)
        #expect(clock.start(text)?.milliseconds == milliseconds)
    }

    @Test func `a night in which the clocks are set back has its length`() throws {
        let file = try HistoryText.read([
            HistoryText.hevy,
            HistoryText.hevyRow(from: "27 Oct 2024, 02:50", to: "27 Oct 2024, 02:10"),
        ])
        let workout = try #require(file.workouts.first)
        #expect(workout.from.milliseconds == 1_729_990_200_000)
        #expect(workout.to - workout.from == .seconds(1200))
    }

    @Test(
        arguments: [
            ("1h 5m", 3900), ("45m", 2700), ("38min", 2280), ("30s", 30), ("1h 0m 5s", 3605),
            ("264h 1m", 950_460), ("82", 82), ("0", 0), ("", nil), ("1:05", nil), ("-5m", nil),
            ("1h 5x", nil), ("h", nil), ("9999999999", nil), ("1h 1m 1s 1s", nil), ("1.5h", nil),
        ] as [(String, Int64?)])
    func `lengths are read`(text: String, seconds: Int64?) {
        #expect(HistoryClock.seconds(text) == seconds)
    }

    @Test(
        arguments: [
            ("80", 80_000_000, 0), ("80.25", 80_250_000, 2), ("0.0000019", 1, 7),
            ("80,25", 80_250_000, 2), ("999999999.5", 999_999_999_500_000, 1),
        ] as [(String, Int64, Int)])
    func `decimal numbers are read`(text: String, millionths: Int64, decimals: Int) throws {
        let amount = try #require(DecimalAmount(text, allowsComma: true))
        #expect(amount.millionths == millionths)
        #expect(amount.decimals == decimals)
        #expect(DecimalAmount(text, allowsComma: false) == (text.contains(",") ? nil : amount))
    }

    @Test(arguments: [
        "", ".5", "5.", "-1", "+1", "1e308", "NaN", "inf", "0x10", "1,234", "1.2.3", "1,2.3",
        "=1+1", "１", "1 000", "1234567890", "1\u{301}",
    ])
    func `nothing else is a number`(text: String) {
        #expect(DecimalAmount(text, allowsComma: true) == nil)
    }

    @Test(
        arguments: [
            ("10", 0), ("9.5", 1), ("9", 1), ("8.5", 2), ("6.5", 4), ("5", 5), ("4.5", nil),
            ("0", nil), ("", nil),
        ] as [(String, Int?)])
    func `an RPE is ten less the repetitions in reserve`(rpe: String, rir: Int?) throws {
        let file = try HistoryText.read([
            HistoryText.hevy, HistoryText.hevyRow("Squat,,,0,normal,80,5,,,\(rpe)"),
        ])
        #expect(try #require(file.workouts.first?.sets.first).rir == rir)
    }
}
