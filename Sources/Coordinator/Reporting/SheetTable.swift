import MeshCore
import Reports

/// A report for a terminal: the same columns, lengths as hours and minutes, moments as the site's
/// clocks show them.
struct SheetTable {
    private let sheet: Sheet
    private var table: TextTable

    init(_ sheet: Sheet, _ rows: [[Sheet.Cell?]]) {
        self.sheet = sheet
        table = TextTable(sheet.columns.map { $0.name.replacing("_", with: " ") })
        for row in rows { table.add(row.map(text)) }
    }

    /// The lines, and below them what they are about.
    var text: String {
        let zone = sheet.calendar.zone(at: sheet.asked.from)
        let rounding = sheet.rounding == .exact ? "" : ", lengths rounded: \(sheet.rounding)"
        let demo = sheet.isDemo ? ", a demonstration" : ""
        return table.text + "\n\(sheet.site), \(zone)\(rounding)\(demo)"
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
        case .moment(let moment):
            let (date, time) = sheet.calendar.local(moment)
            return "\(date) \(time)"
        case .date(let date): return "\(date)"
        case .flag(let flag): return flag ? "yes" : "no"
        case .words(let words): return words.joined(separator: " ")
        }
    }
}
