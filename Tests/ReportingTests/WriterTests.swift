import Testing

@testable import Basics
@testable import Reporting
@testable import SiteModel

/// Tables as text.
struct WriterTests {
    let office: Office
    let columns: [Sheet.Column] = [
        .init("name", .text), .init("n", .count), .init("time", .length), .init("in", .moment),
        .init("date", .date), .init("final", .flag), .init("review", .words),
    ]

    init() throws { office = try Office() }

    private func text(
        _ format: SheetWriter.Format, _ rows: [[Sheet.Cell?]], rounding: Rounding = .exact
    ) throws -> String {
        let sheet = Sheet(
            report: "attendance-day", site: "gym", isDemo: true,
            asked: Interval(
                from: try office.at("2026-03-29 00:00"), to: try office.at("2026-03-30 00:00")),
            calendar: office.calendar, columns: columns, rounding: rounding)
        var writer = SheetWriter(sheet, as: format)
        writer.begin()
        var text = writer.take()
        for row in rows { writer.row(row) }
        writer.end()
        text += writer.take()
        return text + writer.take()
    }

    private func row(_ name: String, length: Int64 = 1500) throws -> [Sheet.Cell?] {
        [
            .text(name), .count(-3), .length(.milliseconds(length)),
            .moment(try office.at("2026-03-29 03:00:05")),
            .date(try #require(LocalDate("2026-03-29"))),
            .flag(true), .words(["a", "b"]),
        ]
    }

    private let head = "name,n,time_s,in_ms,in_local,date,final,review,rounding\r\n"

    @Test func `CSV has lines that end in CRLF and quotes where needed`() throws {
        let rows = [
            try row("Ann, \"the\" first\nof us"),
            [.text("Bob"), nil, nil, nil, nil, nil, nil],
        ]
        #expect(
            try text(.csv(mark: false, raw: false), rows) == head
                + "\"Ann, \"\"the\"\" first\nof us\",-3,1.5,1774746005000,"
                + "2026-03-29 03:00:05+02:00,"
                + "2026-03-29,1,a b,none\r\nBob,,,,,,,,none\r\n")
        #expect(try text(.csv(mark: true, raw: false), []) == "\u{FEFF}" + head)
    }

    @Test(arguments: [
        "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "\u{FF1D}1", "\u{FF0B}1", "\u{FF0D}1",
        "\u{FF20}x", "\u{2212}1",
    ])
    func `a name is no formula in a spreadsheet`(name: String) throws {
        let safe = try text(.csv(mark: false, raw: false), [row(name)]).dropFirst(head.count)
        #expect(safe.hasPrefix("'") || safe.hasPrefix("\"'"))
        #expect(safe.contains(",-3,"))
        let raw = try text(.csv(mark: false, raw: true), [row(name)]).dropFirst(head.count)
        #expect(raw.hasPrefix(name) || raw.hasPrefix("\"" + name))
    }

    @Test func `JSON is one document, JSON lines one object a line`() throws {
        let object =
            #"{"name":"a\"\\\n\u0001","n":-3,"time_s":1.5,"in_ms":1774746005000,"#
            + #""in_local":"2026-03-29 03:00:05+02:00","date":"2026-03-29","final":true,"review":["a","b"]}"#
        let about =
            #"{"report":"attendance-day","site":"gym","demo":true,"from_ms":1774738800000,"#
            + #""to_ms":1774821600000,"zone":"Europe/Berlin","rounding":"none""#
        let rows = [try row("a\"\\\n\u{1}"), [nil, nil, nil, nil, nil, nil, nil]]
        #expect(try text(.json, rows) == about + ",\"rows\":[\n" + object + ",\n{}\n]}\n")
        #expect(
            try text(.lines, rows) == about + "}\n" + object + "\n{}\n{\"end\":true,\"rows\":2}\n")
    }

    @Test func `lengths are rounded when they are written, and the table says so`() throws {
        let rounding = Rounding(mode: .nearest, minutes: 5)
        let rows = [try row("a", length: 149_999), try row("b", length: 150_000)]
        let lines = try text(.csv(mark: false, raw: false), rows, rounding: rounding)
            .split(separator: "\r\n")
        #expect(lines[1].hasPrefix("a,-3,0,") && lines[1].hasSuffix(",nearest 5 min"))
        #expect(lines[2].hasPrefix("b,-3,300,"))
        #expect(try text(.json, [], rounding: rounding).contains(#""rounding":"nearest 5 min""#))
    }

    @Test(arguments: [
        (Rounding.Mode.ceil, Int64(60_001), Int64(120_000)), (.ceil, 60_000, 60_000),
        (.floor, 119_999, 60_000), (.nearest, 90_000, 120_000), (.nearest, 89_999, 60_000),
        (.none, 89_999, 89_999), (.floor, -1, -60_000), (.ceil, -1, 0), (.nearest, -30_000, 0),
    ])
    func `a length is rounded`(mode: Rounding.Mode, from: Int64, to: Int64) {
        #expect(Rounding(mode: mode, minutes: 1)(.milliseconds(from)) == .milliseconds(to))
    }

    @Test(arguments: [
        (Int64(0), "0"), (1, "0.001"), (-1500, "-1.5"), (1010, "1.01"), (60_000, "60"),
    ])
    func `seconds are exact to the millisecond`(length: Int64, text: String) {
        #expect(CSVText.seconds(.milliseconds(length)) == text)
    }

    @Test func `a calendar has events in UTC, escaped and folded`() throws {
        var text = ""
        let writer = CalendarWriter(
            name: "Ann; at \\ the, gym", now: try office.at("2026-03-29 12:00"),
            to: { text += $0 })
        try writer.begin()
        try writer.event(
            .init(
                id: "session-1@gym", sequence: 2, from: try office.at("2026-03-29 06:00"),
                to: try office.at("2026-03-29 07:00"),
                summary: "Ann\r\nEND:VEVENT" + String(repeating: "é", count: 60)))
        try writer.event(
            .init(
                id: "session-2@gym", sequence: 0, from: try office.at("2026-03-29 11:00"), to: nil,
                summary: "Ann"))
        try writer.end()
        #expect(text.contains("X-WR-CALNAME:Ann\\; at \\\\ the\\, gym\r\n"))
        #expect(text.contains("DTSTART:20260329T040000Z\r\nDTEND:20260329T050000Z\r\n"))
        #expect(text.contains("SEQUENCE:2\r\n") && text.contains("DTSTAMP:20260329T100000Z\r\n"))
        #expect(text.contains("DTEND:20260329T100000Z\r\nSTATUS:TENTATIVE\r\n"))
        let lines = text.split(separator: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= CalendarWriter.longestLine })
        #expect(lines.count { $0 == "END:VEVENT" } == 2)
        let unfolded = text.replacing("\r\n ", with: "")
        #expect(
            unfolded.contains(
                "SUMMARY:Ann\\nEND:VEVENT" + String(repeating: "é", count: 60) + "\r\n"))
    }
}
