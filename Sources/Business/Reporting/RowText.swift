/// Tables as JSON.
package enum RowText {
    /// `{"report":…,"site":…,"demo":…,"from_ms":…,"to_ms":…,"zone":…,"rounding":…}`
    package static func head(of sheet: Sheet) -> String {
        "{\"report\":\(string(sheet.report)),\"site\":\(string(sheet.site)),"
            + "\"demo\":\(sheet.isDemo),\"from_ms\":\(sheet.asked.from.milliseconds),"
            + "\"to_ms\":\(sheet.asked.to.milliseconds),"
            + "\"zone\":\(string(sheet.calendar.zone(at: sheet.asked.from))),"
            + "\"rounding\":\(string("\(sheet.rounding)"))}"
    }

    /// A row as an object. What is not known is left out.
    package static func object(_ cells: [Sheet.Cell?], of sheet: Sheet) -> String {
        var fields: [String] = []
        for (cell, column) in zip(cells, sheet.columns) {
            guard let cell else { continue }
            switch cell {
            case .text(let text): fields.append("\"\(column.name)\":\(string(text))")
            case .count(let count): fields.append("\"\(column.name)\":\(count)")
            case .length(let length):
                fields.append("\"\(column.name)_s\":\(CSVText.seconds(sheet.rounding(length)))")
            case .moment(let moment):
                fields.append("\"\(column.name)_ms\":\(moment.milliseconds)")
                fields.append("\"\(column.name)_local\":\(string(sheet.local(moment)))")
            case .date(let date): fields.append("\"\(column.name)\":\"\(date)\"")
            case .flag(let flag): fields.append("\"\(column.name)\":\(flag)")
            case .words(let words):
                let list = words.map(string).joined(separator: ",")
                fields.append("\"\(column.name)\":[\(list)]")
            }
        }
        return "{" + fields.joined(separator: ",") + "}"
    }

    /// A JSON string (RFC 8259, section 7).
    package static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
