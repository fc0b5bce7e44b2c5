import Basics
import Foundation
import Testing

@testable import Reporting
@testable import SiteModel

/// Writes reports about people with hostile names to `.build/report-samples`, where
/// `Tests/reports/check.py` opens them with readers that are not ours.
struct SampleFileTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/report-samples").standardizedFileURL

    static let names = [
        "Ann", "Bob, Jr.", "\"Cy\"", "=HYPERLINK(\"http://evil.example\")", "+1", "-2", "@cmd",
        "\tTab", "\rReturn", "\u{FF1D}wide", "Dora\nof two lines", "Eve\r\nEND:VEVENT", "Фёдор",
        "=\u{301}marked", "\r\n=1+1", "se;mi;=1+1", "in, =1+1", "\u{200B}=hidden", " =blank",
        "山田; 太郎", "🏋️‍♀️ \\n \\, back\\slash", " leading and trailing ", "'apostrophe", "",
        String(repeating: "éß", count: 50),
    ]

    @Test func `samples for readers that are not ours`() throws {
        try FileManager.default.createDirectory(
            at: Self.folder, withIntermediateDirectories: true)
        let office = try Office()
        let days = try #require(LocalDate("2026-03-27"))...(try #require(LocalDate("2026-03-31")))
        var texts: [String: String] = [:]
        let quarters = Rounding(mode: .nearest, minutes: 15)
        let formats: [(String, SheetWriter.Format, Rounding)] = [
            ("plain.csv", .csv(mark: true, raw: false), .exact),
            ("raw.csv", .csv(mark: false, raw: true), .exact),
            ("semicolon.csv", .csv(mark: true, raw: false, separator: .semicolon), .exact),
            ("tab.csv", .csv(mark: true, raw: false, separator: .tab), .exact),
            ("table.json", .json, .exact), ("table.jsonl", .lines, .exact),
            ("rounded.jsonl", .lines, quarters),
        ]
        for (file, format, rounding) in formats {
            let sheet = Sheet(
                report: "attendance-month", site: "gym", isDemo: false,
                asked: office.calendar.bounds(of: days), calendar: office.calendar,
                columns: DayReport.month.columns, rounding: rounding)
            var writer = SheetWriter(sheet, as: format)
            writer.begin()
            for (index, name) in Self.names.enumerated() {
                var session = try office.session("2026-03-28 22:03:07", "2026-03-29 06:00")
                session.from = session.from + .milliseconds(Int64(index))
                session.review = [.coverageGap, .tooLong]
                var person = try office.person([session], shifts: [3], weekdays: [6])
                person.name = name
                DayReport.month.write(
                    DaySheet.rows(of: person, days: days, office.context), to: &writer)
            }
            writer.end()
            texts[file] = writer.take()
        }
        var events = ""
        var calendar = ""
        let writer = CalendarWriter(
            name: "The gym; attendance", now: office.now, to: { calendar += $0 })
        try writer.begin()
        for (index, name) in Self.names.enumerated() {
            let from = try office.at("2026-03-29 01:30") + .seconds(Double(index) * 3600)
            try writer.event(
                .init(
                    id: "session-\(index)@gym", sequence: Int64(index), from: from,
                    to: from + .seconds(60), summary: name, note: name))
            events +=
                "{\"uid\":\"session-\(index)@gym\",\"from_s\":\(from.second),"
                + "\"sequence\":\(index),\"summary\":\(JSONEscape.string(name))}\n"
        }
        try writer.end()
        texts["calendar.ics"] = calendar
        texts["calendar.jsonl"] = events
        for (file, text) in texts {
            #expect(!text.isEmpty)
            try Data(text.utf8).write(to: Self.folder.appending(path: file))
        }
    }
}
