import Scheduling
import Testing

@testable import Reporting
@testable import SiteModel

/// Tables in the hands of spreadsheet programs, which go by one of three separators and choose
/// themselves what a formula is.
struct SpreadsheetTests {
    /// Scalars that begin formulas, end cells, hide others, and a few that do nothing.
    static let scalars: [Unicode.Scalar] =
        [
            "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{2212}",
            "\u{FE66}",
        ]
        + [",", ";", "\t", "\r", "\n", "\"", "'", "\u{85}", "\u{2028}"]
        + [
            " ", "\u{A0}", "\u{200B}", "\u{FEFF}", "\u{202E}", "\u{301}", "\u{FE0F}", "\u{0}",
            "\u{7F}",
        ]
        + ["a", "1", ".", "ß", "山"]
    static let formulas: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{2212}", "\u{FE66}",
    ]

    private func text(_ names: [String], raw: Bool, _ separator: CSVText.Separator) throws -> String
    {
        let office = try Office()
        let moment = try office.at("2026-03-29 03:00:05")
        let sheet = Sheet(
            report: "r", site: "gym", isDemo: false, asked: Interval(from: moment, to: moment),
            calendar: office.calendar,
            columns: [
                .init("name", .text), .init("other", .text), .init("words", .words),
                .init("in", .moment), .init("n", .count), .init("time", .length),
            ])
        var writer = SheetWriter(sheet, as: .csv(mark: false, raw: raw, separator: separator))
        for name in names {
            writer.row([
                .text(name), .text(name), .words([name, name]), .moment(moment), .count(-3),
                .length(.milliseconds(-1500)),
            ])
        }
        return writer.take()
    }

    /// The cells of a text to a program with this separator. `respects`: it knows quotes.
    private func cells(
        _ text: String, _ separator: CSVText.Separator, respects: Bool
    ) -> [[String]] {
        let mark = separator.rawValue.unicodeScalars.first
        var rows: [[String]] = []
        var row: [String] = []
        var cell = String.UnicodeScalarView()
        var isQuoted = false
        func endCell() {
            row.append(String(cell))
            cell = String.UnicodeScalarView()
        }
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            if isQuoted {
                if scalar != "\"" {
                    cell.append(scalar)
                } else if rest.first == "\"" {
                    cell.append("\"")
                    rest.removeFirst()
                } else {
                    isQuoted = false
                }
            } else if respects, scalar == "\"", cell.isEmpty {
                isQuoted = true
            } else if scalar == mark {
                endCell()
            } else if scalar == "\n" || scalar == "\r" {
                if scalar == "\r", rest.first == "\n" { rest.removeFirst() }
                endCell()
                rows.append(row)
                row = []
            } else {
                cell.append(scalar)
            }
        }
        if !row.isEmpty || !cell.isEmpty { rows.append(row + [String(cell)]) }
        return rows
    }

    /// Whether a program takes a cell for a formula, that strips what cannot be seen, and quotes.
    /// A number is none.
    private func isFormula(_ cell: String) -> Bool {
        let scalars = cell.unicodeScalars.drop { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator,
                .nonspacingMark:
                true
            default: scalar == "\""
            }
        }
        let shown = String(scalars.filter { $0 != "\"" })
        guard let first = scalars.first, Self.formulas.contains(first) else { return false }
        return Double(shown.replacing(",", with: ".")) == nil
    }

    @Test(arguments: UInt64(1)...200)
    func `no cell is a formula, whatever the separator it is read with`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let names = (0..<20).map { _ in
            var name = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &dice) {
                name.append(Self.scalars.randomElement(using: &dice) ?? "a")
            }
            return String(name)
        }
        for written in CSVText.Separator.allCases {
            let text = try text(names, raw: false, written)
            for read in CSVText.Separator.allCases {
                for respects in [true, false] {
                    let found = cells(text, read, respects: respects).joined().filter(isFormula)
                    #expect(
                        found == [],
                        "seed \(seed), written with \(written.name), read with \(read.name)")
                }
            }
        }
    }

    @Test(arguments: UInt64(1)...50)
    func `a reader with its separator gets each text back, guarded or raw`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let names = (0..<20).map { _ in
            var name = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &dice) {
                name.append(Self.scalars.randomElement(using: &dice) ?? "a")
            }
            return String(name)
        }
        for separator in CSVText.Separator.allCases {
            for isRaw in [true, false] {
                let rows = cells(
                    try text(names, raw: isRaw, separator), separator, respects: true)
                let expected = names.map { Array((isRaw ? $0 : CSVText.safe($0)).unicodeScalars) }
                #expect(rows.map { Array($0[0].unicodeScalars) } == expected, "seed \(seed)")
                #expect(rows.map { Array($0[1].unicodeScalars) } == expected, "seed \(seed)")
                #expect(rows.allSatisfy { $0.count == 8 && $0[5] == "-3" }, "seed \(seed)")
            }
        }
    }

    @Test(arguments: UInt64(1)...200)
    func `a guarded text is safe, and becomes what it was`(seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<50 {
            var name = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &dice) {
                name.append(Self.scalars.randomElement(using: &dice) ?? "'")
            }
            let guarded = CSVText.guarded(String(name))
            #expect(
                Array(CSVText.unguarded(guarded).unicodeScalars) == Array(name), "seed \(seed)")
            #expect(
                Array(CSVText.safe(guarded).unicodeScalars) == Array(guarded.unicodeScalars),
                "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("=\u{301}1+1", "'=\u{301}1+1"), ("=\u{FE0F}1", "'=\u{FE0F}1"),
        ("\r\n=1+1", "'\r\n'=1+1"), ("se;mi;=1+1", "se;mi;'=1+1"), (" =1", " '=1"),
        ("\u{200B}+1", "\u{200B}'+1"), ("\u{FEFF}\u{2212}1", "\u{FEFF}'\u{2212}1"),
        ("\u{FF1D}1", "'\u{FF1D}1"), (";\"=1", ";\"'=1"), ("a,-b", "a,'-b"),
    ])
    func `what hides a formula does not help it`(name: String, safe: String) {
        // Scalars are compared: as texts, `=` with a mark and `'=` with one are not the same anyway.
        #expect(Array(CSVText.safe(name).unicodeScalars) == Array(safe.unicodeScalars))
    }

    @Test(arguments: [
        "Ann", "Anna-Lena", "O'Neil", "Jean, Luc", "a - b", "\"Cy\" - the first", "1+1", "a@b", "",
        "山田; 太郎", "'=1",
    ])
    func `a name that is none stays as it is`(name: String) {
        #expect(CSVText.safe(name) == name)
    }

    @Test func `a semicolon goes with decimal commas, a tab with points`() throws {
        let semicolon = try text(["a;b"], raw: false, .semicolon)
        #expect(
            semicolon.hasSuffix(";1774746005000;2026-03-29 03:00:05+02:00;-3;\"-1,5\";none\r\n"))
        #expect(semicolon.hasPrefix("\"a;b\";\"a;b\";"))
        let tab = try text(["Ann"], raw: false, .tab)
        #expect(tab.hasPrefix("Ann\tAnn\tAnn Ann\t") && tab.hasSuffix("\t-3\t-1.5\tnone\r\n"))
    }

    @Test func `a separator is given by name or as it is`() {
        let given = [",", "comma", ";", "semicolon", "\t", "tab", "|", ""]
        #expect(
            given.map(CSVText.Separator.init(named:)) == [
                .comma, .comma, .semicolon, .semicolon, .tab, .tab, nil, nil,
            ])
    }

    @Test func `the hour that comes twice is told apart`() throws {
        let office = try Office()
        let first = try office.at("2026-10-25 02:30")
        let sheet = Sheet(
            report: "r", site: "gym", isDemo: false, asked: Interval(from: first, to: first),
            calendar: office.calendar, columns: [])
        #expect(sheet.local(first) == "2026-10-25 02:30:00+02:00")
        #expect(sheet.local(first + .seconds(3600)) == "2026-10-25 02:30:00+01:00")
    }

    @Test(arguments: [
        ("America/St_Johns", "2026-01-01 08:30:00-03:30"), ("UTC", "2026-01-01 12:00:00+00:00"),
        ("Asia/Kathmandu", "2026-01-01 17:45:00+05:45"),
    ])
    func `an offset has hours and minutes`(zone: String, local: String) throws {
        let noon = Timestamp(milliseconds: 1_767_268_800_000)
        let sheet = Sheet(
            report: "r", site: "gym", isDemo: false, asked: Interval(from: noon, to: noon),
            calendar: SiteCalendar(try TimeZoneTable(iana: zone), dayStart: .midnight), columns: [])
        #expect(sheet.local(noon) == local)
    }
}
