import Basics
import Reporting

/// A row of a file of training history: its cells by the names of their columns, in small letters.
/// What a cell says is `nil` if it is empty or its column is not there; every fault names line and
/// column.
struct HistoryRow {
    /// The most characters of a name.
    static let longestName = 200
    /// The most characters of a note.
    static let longestNote = 500
    private static let million: Int64 = 1_000_000

    let header: HistoryHeader
    /// The line on which it begins, from 1.
    let line: Int
    private let cells: [String]

    /// Throws if it has fewer or more cells than there are headings.
    init(_ record: CSVRows.Record, of header: HistoryHeader) throws(HistoryFault) {
        guard record.cells.count == header.names.count else {
            throw HistoryFault(
                line: record.line,
                "it has \(record.cells.count) cells, and there are \(header.names.count) headings")
        }
        self.header = header
        line = record.line
        cells = record.cells
    }

    /// The text of a cell without white space around it; empty if there is no such column.
    func cell(_ column: String) -> String {
        header.index(of: column).map { cells[$0].trimmed } ?? ""
    }

    /// The refusal of what a cell says.
    func fault(_ column: String, expected: String) -> HistoryFault {
        let text = cell(column)
        let found = text.isEmpty ? "it is empty" : HistoryFault.shown(text)
        return HistoryFault(
            line: line, column: heading(column), "\(found), expected \(expected)")
    }

    private func heading(_ column: String) -> String {
        header.index(of: column).map { header.names[$0] } ?? column
    }
}

// Texts.
extension HistoryRow {
    /// A name on one line that people can read.
    func name(_ column: String) throws(HistoryFault) -> String? {
        let text = written(column)
        guard !text.isEmpty else { return nil }
        if let fault = HarmlessText.fault(inName: text) {
            throw HistoryFault(line: line, column: heading(column), "it \(fault)")
        }
        guard text.unicodeScalars.count <= Self.longestName else {
            throw fault(column, expected: "at most \(Self.longestName) characters")
        }
        return text
    }

    /// What somebody wrote: our own files have it exactly, guarded against spreadsheet programs.
    private func written(_ column: String) -> String {
        guard header.layout == .own else { return cell(column) }
        return header.index(of: column).map { CSVText.unguarded(cells[$0]) } ?? ""
    }

    /// What somebody wrote, of any length. Each of its lines but the last ends in LF.
    func words(_ column: String) throws(HistoryFault) -> String? {
        // A CR with its LF is one character.
        let text = String(written(column).map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
        if let fault = HarmlessText.fault(inWords: text) {
            throw HistoryFault(line: line, column: heading(column), "it \(fault)")
        }
        return text.isEmpty ? nil : text
    }
}

// Numbers of our own files: they are exact.
extension HistoryRow {
    /// A whole number in decimal digits and nothing else.
    func whole(_ column: String, _ range: ClosedRange<Int64>) throws(HistoryFault) -> Int64? {
        let text = cell(column)
        guard !text.isEmpty else { return nil }
        // “+1” and “007” are numbers to Swift.
        guard let value = Int64(text), range.contains(value), "\(value)" == text else {
            let isRounded = text.contains { $0 == "E" || $0 == "e" } && text.first?.isNumber == true
            throw fault(
                column,
                expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
                    + (isRounded
                        ? "; a spreadsheet has rounded it: import the column as text, and save again"
                        : ""))
        }
        return value
    }

    /// Kilograms from 0 to 1000 with at most three decimals, in grams.
    func kilograms(_ column: String) throws(HistoryFault) -> Int64? {
        let expected = "kilograms from 0 to 1000 with at most three decimals"
        guard let amount = try decimal(column, expected: expected) else { return nil }
        guard amount.decimals <= 3, amount.millionths <= 1000 * Self.million else {
            throw fault(column, expected: expected)
        }
        return amount.millionths / 1000
    }

    private func decimal(
        _ column: String, expected: String
    ) throws(HistoryFault) -> DecimalAmount? {
        let text = cell(column)
        guard !text.isEmpty else { return nil }
        // A spreadsheet may have written our own files anew, with the comma of its language.
        guard let amount = DecimalAmount(text, allowsComma: true) else {
            throw fault(column, expected: expected)
        }
        return amount
    }
}

// Numbers of other programs: they may have decimals to no purpose (“10.0” repetitions), and 0 says
// nothing, so that it is `nil` here.
extension HistoryRow {
    /// Repetitions, at most 1000.
    func reps(_ column: String) throws(HistoryFault) -> Int? {
        let expected = "a whole number from 0 to 1000"
        guard let amount = try decimal(column, expected: expected), amount.millionths > 0 else {
            return nil
        }
        guard amount.millionths % Self.million == 0, amount.millionths <= 1000 * Self.million
        else {
            throw fault(column, expected: expected)
        }
        return Int(amount.millionths / Self.million)
    }

    /// Seconds, at most a day of them, rounded to whole ones.
    func seconds(_ column: String) throws(HistoryFault) -> Int? {
        let expected = "seconds from 0 to 86400"
        guard let amount = try decimal(column, expected: expected) else { return nil }
        guard let seconds = amount.rounded(Ratio(over: Self.million)), seconds <= 86_400 else {
            throw fault(column, expected: expected)
        }
        return seconds > 0 ? Int(seconds) : nil
    }

    /// A weight in grams, or a distance in metres, rounded to whole ones. Throws if the unit of one
    /// that is not 0 is unknown.
    func measured<Unit: ForeignUnit>(
        _ column: MeasuredColumn<Unit>?
    ) throws(HistoryFault) -> Int64? {
        guard let column,
            let amount = try decimal(column.name, expected: Unit.expectation),
            amount.millionths > 0
        else { return nil }
        guard let unit = try column.unit(in: self) else {
            throw fault(
                column.name,
                expected: "its unit, which this file does not name: say \(Unit.names)")
        }
        guard let value = amount.rounded(unit.ratio), value <= Unit.most else {
            throw fault(column.name, expected: Unit.expectation)
        }
        return value > 0 ? value : nil
    }

    /// Repetitions in reserve from a rate of perceived exertion: 10 less it, halves up. Below 5 it
    /// says nothing of them.
    func reserve(_ column: String) throws(HistoryFault) -> Int? {
        let expected = "an RPE from 0 to 10"
        guard let amount = try decimal(column, expected: expected) else { return nil }
        let left = 10 * Self.million - amount.millionths
        guard left >= 0 else { throw fault(column, expected: expected) }
        return left > 5 * Self.million ? nil : Int((left + Self.million / 2) / Self.million)
    }
}
