import Operations
import Permissions

// What can be asked, told as data: pages draw their forms from it.

extension Operation {
    static let operations: [Operation] = [
        Operation(
            "operation-list", "/api/v1/operations", .session, about: .each,
            "What whoever asks may ask, and what is given with it.", .of(Nothing.self),
            answer: .rows("operations")
        ) { _, caller, _ in
            all.filter { (caller.principal?.reach($0.right) ?? .nothing) >= $0.least }
                .map { OperationTold(operation: $0) }
        }
    ]
}

private struct OperationTold: OperationOutput {
    var operation: Operation

    static let members: [Member<OperationTold>] = [
        .told("name", .anyText) { $0.operation.name },
        .told("method", .word) { $0.operation.method },
        .told("path", .anyText, "A part in braces is the member of that name.") {
            $0.operation.path
        }, .told("summary", .anyText) { $0.operation.summary },
        .toldIfAny(
            "rows", .anyText,
            "Of a list: the member of the answer that has its rows; empty, if it is the answer itself."
        ) { told in
            guard told.operation.method == .get else { return nil }
            guard !told.operation.isList else { return "" }
            return told.operation.answer.first.flatMap { $0.kind.isOfRows ? $0.name : nil }
        },
        .told("members", .list(.object), "What is given.") { told in
            told.operation.parameters.flatMap { GivenTold.all(of: $0) }
        },
    ]
}

/// A member that is given, and what it may be.
private struct GivenTold: OperationOutput {
    /// What is written for it.
    enum Form: String, CaseIterable, Sendable {
        case text
        case lines
        case id
        case reference
        case choice
        case whole
        case number
        case time
        case date
        case flag
        case list
        case map
        case object
    }

    var parameter: Parameter

    /// A member; of an object what is in it, each by the way to it: `site.name`.
    static func all(of parameter: Parameter) -> [GivenTold] {
        guard case .object(let members) = parameter.kind, !members.isEmpty else {
            return [GivenTold(parameter: parameter)]
        }
        return members.flatMap { member in
            var member = member
            member.name = "\(parameter.name).\(member.name)"
            return all(of: member)
        }
    }

    /// The kind of the value, or of each in a list.
    private var inner: Parameter.Kind {
        if case .list(let inner) = parameter.kind { inner } else { parameter.kind }
    }

    private static func form(_ kind: Parameter.Kind) -> Form {
        switch kind {
        case .text: .text
        case .freeText: .lines
        case .slug, .uuid: .id
        case .reference: .reference
        case .word: .choice
        case .integer: .whole
        case .number, .decimal, .kilograms: .number
        case .time: .time
        case .date: .date
        case .flag: .flag
        case .list: .list
        case .map: .map
        case .object, .value: .object
        }
    }

    private var range: ClosedRange<Double>? {
        switch inner {
        case .text(let length), .freeText(let length):
            Double(length.lowerBound)...Double(min(length.upperBound, 1 << 20))
        case .integer(let range):
            Double(range.lowerBound)...Double(min(range.upperBound, Parameter.Kind.largest))
        case .decimal(let range): range
        case .kilograms(let range):
            Double(range.lowerBound) / 1000...Double(range.upperBound) / 1000
        default: nil
        }
    }

    static let members: [Member<GivenTold>] = [
        .told("name", .anyText, "Of what is in an object the way to it: `site.name`.") {
            $0.parameter.name
        },
        .told("form", .word) { form($0.parameter.kind) },
        .toldIfAny("each", .word, "Of a list: the form of each.") {
            if case .list(let inner) = $0.parameter.kind { form(inner) } else { nil }
        },
        .told("needed", .flag) { $0.parameter.isNeeded },
        .told("nullable", .flag) { $0.parameter.isNullable },
        .toldIfAny("of", .anyText, "The list that it names a row of.") {
            if case .reference(let list) = $0.inner { list } else { nil }
        },
        .toldIfAny("words", .list(.anyText), "One of them.") {
            if case .word(let words) = $0.inner { words } else { nil }
        },
        .toldIfAny("least", .number, "The least number, or length of a text.") {
            $0.range?.lowerBound
        },
        .toldIfAny("most", .number, "The greatest number, or length of a text.") {
            $0.range?.upperBound
        },
        .toldIfAny("preset", .json, "What it is where nothing is said.") { $0.parameter.preset },
        .told("text", .anyText, "What it means.") { $0.parameter.text },
    ]
}

extension Parameter.Kind {
    /// Whether it is a list of rows.
    fileprivate var isOfRows: Bool {
        if case .list(.object) = self { true } else { false }
    }
}
