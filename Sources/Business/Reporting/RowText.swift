import Basics

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

    /// A row as an object. What is not known is left out.
    package static func object(_ cells: [Sheet.Cell?], of sheet: Sheet) -> String {
        var fields: [String] = []
        for (cell, column) in zip(cells, sheet.columns) {
            guard let cell else { continue }
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
