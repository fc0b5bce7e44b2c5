import Basics
import Platform

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
