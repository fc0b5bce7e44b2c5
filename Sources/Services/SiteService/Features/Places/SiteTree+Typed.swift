import Operations
import Registry

extension SiteTree {
    /// A member as it is typed; nothing is `null`. What is none of its kind stays what it is, for its rules to refuse.
    init(typed text: String, as kind: Parameter.Kind) {
        guard !text.isEmpty else {
            self = .null
            return
        }
        switch kind {
        case .text, .freeText, .slug, .reference, .uuid, .word, .date: self = .text(text)
        case .list(let kind):
            self = .list(Self.items(text).map { SiteTree(typed: $0, as: kind) })
        case .map(let kind):
            self = .section(
                Self.items(text).map { item in
                    let parts = item.split(separator: ":", maxSplits: 1).map(Self.trimmed)
                    return (
                        parts.first ?? "",
                        SiteTree(typed: parts.count > 1 ? parts[1] : "", as: kind)
                    )
                })
        case .object, .value: self = (try? SiteTree(json: text)) ?? .text(text)
        case .flag where text == "true" || text == "false": self = .scalar(text)
        case .integer, .time, .number, .decimal, .kilograms, .flag:
            self = Double(text)?.isFinite == true ? .scalar(text) : .text(text)
        }
    }

    /// What stands between commas, in brackets or without: `[a, b]` and `a,b`.
    static func items(_ text: String) -> [String] {
        text.filter { !"[]{}".contains($0) }.split(separator: ",").map(trimmed)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
