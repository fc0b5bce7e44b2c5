import Operations
import Registry

extension Operation {
    /// Words in which what is typed of objects, such as `site.name=Iron`, stands together as `site={"name": "Iron"}`.
    package func gathered(_ words: some Sequence<String>) -> [String] {
        var objects: [(name: String, tree: SiteTree)] = []
        var rest: [String] = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(
                String.init)
            guard parts.count > 1, path.count > 1,
                let parameter = parameters.first(where: { $0.name == path[0] }),
                case .object(let members) = parameter.kind
            else {
                rest.append(word)
                continue
            }
            let index = objects.firstIndex { $0.name == path[0] } ?? objects.endIndex
            if index == objects.endIndex { objects.append((path[0], .section([]))) }
            objects[index].tree.put(String(parts[1]), at: path.dropFirst(), among: members)
        }
        return rest + objects.map { "\($0.name)=\($0.tree.json)" }
    }
}

extension SiteTree {
    /// Puts what is typed into a section and those in it; what nothing is declared of is a text, for rules to refuse.
    fileprivate mutating func put(
        _ text: String, at path: ArraySlice<String>, among members: [Parameter]
    ) {
        guard let name = path.first else { return }
        let kind = members.first { $0.name == name }?.kind
        guard path.count > 1 else {
            set(name, SiteTree(typed: text, as: kind ?? .text(0...Int.max)))
            return
        }
        var inner = self[name] ?? .section([])
        let within: [Parameter] = if case .object(let members)? = kind { members } else { [] }
        inner.put(text, at: path.dropFirst(), among: within)
        set(name, inner)
    }

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
