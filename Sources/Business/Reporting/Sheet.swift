import Basics
import Platform
import Scheduling
import SiteModel

/// A report as a table: what its columns mean, not yet how they are written.
package struct Sheet: Sendable {
    /// What is in a column.
    package enum Kind: Sendable {
        /// Text, hostile or not.
        case text
        case count
        /// A length of time: written as `…_s`, in seconds.
        case length
        /// A moment: written as `…_ms`, Unix milliseconds, and as `…_local`, what the site's clocks
        /// showed, and by how much they were ahead of UTC.
        case moment
        case date
        /// Yes or no.
        case flag
        /// Several words.
        case words
    }

    /// A column.
    package struct Column: Sendable {
        /// Its name without the unit. Names never change.
        package var name: String
        package var kind: Kind

        package init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }

        /// What its values are written under, the unit in the name.
        var keys: [String] {
            switch kind {
            case .length: [name + "_s"]
            case .moment: [name + "_ms", name + "_local"]
            case .text, .count, .date, .flag, .words: [name]
            }
        }
    }

    /// What stands in a row under a column of its kind. `nil` in a row means: nothing.
    package enum Cell: Equatable, Sendable {
        /// Under a column of kind `text`.
        case text(String)
        /// Under `count`.
        case count(Int64)
        /// Under `length`.
        case length(Timestamp.Span)
        /// Under `moment`.
        case moment(Timestamp)
        /// Under `date`.
        case date(LocalDate)
        /// Under `flag`.
        case flag(Bool)
        /// Under `words`.
        case words([String])
    }

    /// Which report it is, for example `attendance-day`.
    package var report: String
    /// The site's slug.
    package var site: String
    /// Whether the site is a demonstration: nothing in it happened.
    package var isDemo: Bool
    /// What was asked for.
    package var asked: Interval
    /// The site's clocks.
    package var calendar: SiteCalendar
    package var columns: [Column]
    /// How lengths are rounded.
    package var rounding: Rounding

    package init(
        report: String, site: String, isDemo: Bool, asked: Interval, calendar: SiteCalendar,
        columns: [Column], rounding: Rounding = .exact
    ) {
        self.report = report
        self.site = site
        self.isDemo = isDemo
        self.asked = asked
        self.calendar = calendar
        self.columns = columns
        self.rounding = rounding
    }

    /// What the site's clocks showed: `2026-10-25 02:30:00+02:00`.
    package func local(_ moment: Timestamp) -> String { calendar.text(moment) }
}

/// A report for a terminal: the same columns, lengths as hours and minutes, moments as a clock shows
/// them.
package struct SheetTable {
    private let sheet: Sheet
    private let clock: ZonedClock
    private var table: TextTable

    package init(_ sheet: Sheet, _ rows: [[Sheet.Cell?]], _ clock: ZonedClock) {
        self.sheet = sheet
        self.clock = clock
        table = TextTable(sheet.columns.map { $0.name.replacing("_", with: " ") })
        for row in rows { table.add(row.map(text)) }
    }

    /// The lines, and below them what they are about.
    package var text: String {
        let rounding = sheet.rounding == .exact ? "" : ", rounded: \(sheet.rounding)"
        let demo = sheet.isDemo ? ", a demonstration" : ""
        return table.text
            + "\n\(sheet.site)\(demo). \(clock.line). Lengths: hours:minutes\(rounding)"
    }

    private func text(_ cell: Sheet.Cell?) -> String {
        switch cell {
        case nil: return "–"
        case .text(let text): return text
        case .count(let count): return "\(count)"
        case .length(let length):
            let seconds = sheet.rounding(length).milliseconds / 1000
            let minutes = String(seconds / 60 % 60)
            return "\(seconds / 3600):\(minutes.count == 1 ? "0" : "")\(minutes)"
        case .moment(let moment): return clock.text(moment)
        case .date(let date): return "\(date)"
        case .flag(let flag): return flag ? "yes" : "no"
        case .words(let words): return words.joined(separator: " ")
        }
    }
}

/// Writes a table row by row: a caller that takes its text often needs the memory of a few rows,
/// even for a year of everybody.
package struct SheetWriter: Sendable {
    /// How a table is written.
    package enum Format: Equatable, Sendable {
        /// RFC 4180, with a comma or another separator. `mark` puts a byte order mark in front, by
        /// which spreadsheet programs know UTF-8; `raw` leaves cells alone that such a program would
        /// take for a formula.
        case csv(mark: Bool, raw: Bool, separator: CSVText.Separator = .comma)
        /// One JSON document.
        case json
        /// A JSON object a line; the first tells about the report, the last that it is whole.
        case lines
        /// Not as text: rows are kept as they are, for a terminal.
        case cells
    }

    /// The table.
    package let sheet: Sheet
    /// How it is written.
    package let format: Format
    /// Rows of a table that is not written as text.
    package private(set) var rows: [[Sheet.Cell?]] = []
    private var text = ""
    private var count = 0

    package init(_ sheet: Sheet, as format: Format) {
        self.sheet = sheet
        self.format = format
    }

    /// Writes what comes before the rows.
    package mutating func begin() {
        switch format {
        case .csv(let mark, _, let separator):
            text += (mark ? "\u{FEFF}" : "") + CSVText.line(CSVText.names(of: sheet), separator)
        case .json: text += RowText.head(of: sheet).dropLast() + ",\"rows\":["
        case .lines: text += RowText.head(of: sheet) + "\n"
        case .cells: break
        }
    }

    /// Writes a row: a cell for each column, each of its column's kind.
    package mutating func row(_ cells: [Sheet.Cell?]) {
        precondition(cells.count == sheet.columns.count, "a row does not fit its table")
        switch format {
        case .csv(_, let isRaw, let separator):
            text += CSVText.row(cells, of: sheet, raw: isRaw, separator)
        case .json: text += (count == 0 ? "\n" : ",\n") + RowText.object(cells, of: sheet)
        case .lines: text += RowText.object(cells, of: sheet) + "\n"
        case .cells: rows.append(cells)
        }
        count += 1
    }

    /// Writes what comes after the rows. Without it the text is visibly not whole, except in CSV.
    package mutating func end() {
        switch format {
        case .csv, .cells: break
        case .json: text += "\n]}\n"
        case .lines: text += "{\"end\":true,\"rows\":\(count)}\n"
        }
    }

    /// The text written since this was last called.
    package mutating func take() -> String {
        defer { text = "" }
        return text
    }
}

/// Tables as JSON.
package enum RowText {
    /// `{"report":…,"site":…,"demo":…,"from_ms":…,"to_ms":…,"zone":…,"rounding":…}`
    package static func head(of sheet: Sheet) -> String {
        "{\"report\":\(JSONEscape.string(sheet.report)),\"site\":\(JSONEscape.string(sheet.site)),"
            + "\"demo\":\(sheet.isDemo),\"from_ms\":\(sheet.asked.from.milliseconds),"
            + "\"to_ms\":\(sheet.asked.to.milliseconds),"
            + "\"zone\":\(JSONEscape.string(sheet.calendar.zone(at: sheet.asked.from))),"
            + "\"rounding\":\(JSONEscape.string("\(sheet.rounding)"))}"
    }

    /// A row as an object. What is not known is left out, or `null`.
    package static func object(
        _ cells: [Sheet.Cell?], of sheet: Sheet, hasNulls: Bool = false
    ) -> String {
        var fields: [String] = []
        for (cell, column) in zip(cells, sheet.columns) {
            guard let cell else {
                if hasNulls { fields += column.keys.map { "\"\($0)\":null" } }
                continue
            }
            switch cell {
            case .text(let text): fields.append("\"\(column.name)\":\(JSONEscape.string(text))")
            case .count(let count): fields.append("\"\(column.name)\":\(count)")
            case .length(let length):
                fields.append("\"\(column.name)_s\":\(CSVText.seconds(sheet.rounding(length)))")
            case .moment(let moment):
                fields.append("\"\(column.name)_ms\":\(moment.milliseconds)")
                fields.append("\"\(column.name)_local\":\(JSONEscape.string(sheet.local(moment)))")
            case .date(let date): fields.append("\"\(column.name)\":\"\(date)\"")
            case .flag(let flag): fields.append("\"\(column.name)\":\(flag)")
            case .words(let words):
                let list = words.map(JSONEscape.string).joined(separator: ",")
                fields.append("\"\(column.name)\":[\(list)]")
            }
        }
        return "{" + fields.joined(separator: ",") + "}"
    }
}
