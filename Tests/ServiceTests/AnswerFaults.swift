@testable import Basics
@testable import Registry
@testable import SiteModel
@testable import WebServer

/// What of an answer is not as its route describes it.
enum AnswerFaults {
    static func list(
        _ value: SiteTree, _ kind: RouteText.Field.Kind, at path: String
    ) -> [String] {
        switch (kind, value) {
        case (.value, _): []
        case (.object(let fields), .section(let members)): list(members, fields, at: path)
        case (.map(let kind), .section(let members)):
            members.flatMap { list($0.value, kind, at: "\(path).\($0.key)") }
        case (.list(let kind), .list(let items)):
            items.enumerated().flatMap { list($0.element, kind, at: "\(path)[\($0.offset)]") }
        case (_, .text(let text)) where isRight(text, kind): []
        case (_, .scalar(let text)) where isRight(number: text, kind): []
        default: ["\(path): \(value.json.prefix(80)) is no \(kind)"]
        }
    }

    private static func list(
        _ members: [(key: String, value: SiteTree)], _ fields: [RouteText.Field], at path: String
    ) -> [String] {
        var faults: [String] = []
        for (key, value) in members {
            guard let field = fields.first(where: { $0.name == key }) else {
                faults.append("\(path).\(key) is not described")
                continue
            }
            if value == .null {
                if !field.isNullable { faults.append("\(path).\(key) is null") }
            } else {
                faults += list(value, field.kind, at: "\(path).\(key)")
            }
        }
        for field in fields
        where field.isNeeded && !members.contains(where: { $0.key == field.name }) {
            faults.append("\(path).\(field.name) is missing")
        }
        return faults
    }

    private static func isRight(_ text: String, _ kind: RouteText.Field.Kind) -> Bool {
        switch kind {
        case .text, .freeText, .slug, .reference, .word: kind.refusal(of: text) == nil
        case .date: LocalDate(text) != nil
        default: false
        }
    }

    private static func isRight(number text: String, _ kind: RouteText.Field.Kind) -> Bool {
        switch kind {
        case .integer(let range): Int64(text).map { range.contains($0) } ?? false
        case .time: Int64(text).map { $0 >= 0 } ?? false
        case .number: Double(text) != nil
        case .decimal(let range): Double(text).map { range.contains($0) } ?? false
        case .kilograms(let range):
            Double(text).map { range.contains(Int64(($0 * 1000).rounded())) } ?? false
        case .flag: text == "true" || text == "false"
        default: false
        }
    }
}
