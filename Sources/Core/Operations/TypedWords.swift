/// What is typed behind the name of an operation: `early --start 06:00`, or `early start=06:00`. Words without a name are
/// what is needed, in order.
package struct TypedWords: Sendable {
    /// By members, in their order.
    package private(set) var values: Given.Texts = []

    /// - Throws: An `InputFault` that names what is wrong.
    package init(
        _ words: some Sequence<String>, of parameters: [Parameter]
    ) throws(InputFault) {
        var bare: [String] = []
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                let parts = word.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let parameter = parameters.first { $0.name == String(parts[0]) }
                if let parameter, parts.count > 1 {
                    try add(String(parts[1]), as: parameter)
                } else {
                    bare.append(word)
                }
                continue
            }
            let parts = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].map { $0 == "-" ? "_" : $0 }
            guard let parameter = parameters.first(where: { $0.name == String(name) }) else {
                throw .unknown(word, among: parameters.map(\.option))
            }
            var value = parts.count > 1 ? String(parts[1]) : nil
            if value == nil, case .flag = parameter.kind { value = "true" }
            guard let given = value ?? rest.popFirst() else { throw .missing(parameter.option) }
            try add(given, as: parameter)
        }
        for parameter in parameters where parameter.isNeeded && !bare.isEmpty {
            guard !values.contains(where: { $0.name == parameter.name }) else { continue }
            try add(bare.removeFirst(), as: parameter)
        }
        guard let word = bare.first else { return }
        // A misspelt member, as much as one word too many.
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        throw parts.count > 1
            ? .unknown(String(parts[0]), among: parameters.map(\.name))
            : .unknown(word, among: parameters.map(\.option))
    }

    private mutating func add(_ value: String, as parameter: Parameter) throws(InputFault) {
        guard !values.contains(where: { $0.name == parameter.name }) else {
            throw .twice(parameter.option)
        }
        values.append((parameter.name, value))
    }
}

extension Parameter {
    /// As an option of the command line.
    package var option: String { "--" + String(name.map { $0 == "_" ? "-" : $0 }) }
}

extension Parameter.Kind {
    /// What stands for a value where it is said how to type one; `nil` for a flag, which has none.
    package var placeholder: String? {
        switch self {
        case .text, .freeText: "TEXT"
        case .slug, .reference: "ID"
        case .uuid: "UUID"
        case .word(let words): words.joined(separator: "|")
        case .integer, .number, .decimal, .kilograms: "NUMBER"
        case .time: "TIME"
        case .date: "DATE"
        case .flag: nil
        case .list(let kind): kind.placeholder.map { "\($0),…" }
        case .object, .map, .value: "JSON"
        }
    }
}
