import JSON
import Operations
import Registry

/// JSON Schemas of what is sent and answered.
enum ParameterSchema {
    /// An object with these members; a closed one with no other, if all are known.
    static func object(
        _ fields: [Parameter], isClosed: Bool
    ) -> [(key: String, value: SiteTree)] {
        let known = fields.filter { !$0.name.hasPrefix("(") }
        var members: [(key: String, value: SiteTree)] = [("type", .text("object"))]
        if !known.isEmpty {
            members.append(
                ("properties", .section(known.map { ($0.name, of($0, told: true)) })))
        }
        let needed = known.filter(\.isNeeded).map { SiteTree.text($0.name) }
        if !needed.isEmpty { members.append(("required", .list(needed))) }
        if isClosed, known.count == fields.count {
            members.append(("additionalProperties", .flag(false)))
        }
        return members
    }

    static func of(_ field: Parameter, told: Bool = false) -> SiteTree {
        var members: [(key: String, value: SiteTree)] =
            switch field.kind {
            case .text(let range) where range == 0...Int.max: [("type", .text("string"))]
            case .text(let range), .freeText(let range):
                [
                    ("type", .text("string")), ("minLength", .scalar("\(range.lowerBound)")),
                    ("maxLength", .scalar("\(range.upperBound)")),
                ]
            case .slug, .reference:
                [("type", .text("string")), ("pattern", .text("^[a-z0-9-]{1,64}$"))]
            case .uuid: [("type", .text("string")), ("format", .text("uuid"))]
            case .word(let words):
                [("type", .text("string")), ("enum", .list(words.map { .text($0) }))]
            case .list(let kind):
                [("type", .text("array")), ("items", of(.init("", kind)))]
            case .object(let fields): object(fields, isClosed: false)
            case .map(let kind):
                [("type", .text("object")), ("additionalProperties", of(.init("", kind)))]
            case .number: [("type", .text("number"))]
            case .decimal(let range): Self.number(range.lowerBound, range.upperBound)
            case .kilograms(let range):
                Self.number(Double(range.lowerBound) / 1000, Double(range.upperBound) / 1000)
            case .integer(let range):
                [
                    ("type", .text("integer")),
                    (
                        "minimum",
                        .scalar("\(max(range.lowerBound, -Parameter.Kind.largest))")
                    ),
                    ("maximum", .scalar("\(min(range.upperBound, Parameter.Kind.largest))")),
                ]
            case .time:
                [
                    ("type", .text("integer")), ("minimum", .scalar("0")),
                    ("maximum", .scalar("\(JSONValue.latestTime)")),
                ]
            case .date: [("type", .text("string")), ("format", .text("date"))]
            case .flag: [("type", .text("boolean"))]
            case .value: []
            }
        if field.isNullable { members = members.map(nullable) }
        let texts = [field.text, field.preset.map { "Preset: \($0)." } ?? ""].filter { !$0.isEmpty }
        if told, !texts.isEmpty {
            members.append(("description", .text(texts.joined(separator: " "))))
        }
        return .section(members)
    }

    private static func number(
        _ least: Double, _ most: Double
    ) -> [(key: String, value: SiteTree)] {
        [("type", .text("number")), ("minimum", .number(least)), ("maximum", .number(most))]
    }

    /// The same key of a schema, where `null` will do, too.
    private static func nullable(
        _ member: (key: String, value: SiteTree)
    ) -> (key: String, value: SiteTree) {
        switch member {
        case ("type", let type): ("type", .list([type, .text("null")]))
        case ("enum", .list(let words)): ("enum", .list(words + [.null]))
        default: member
        }
    }
}
