import Basics
import JSON
import SiteModel

/// A row of what is answered.
package protocol OperationOutput: Sendable {
    static var members: [Member<Self>] { get }
}

extension OperationOutput {
    /// `withheld`: the members that are not told.
    package func write(to writer: inout JSONWriter, without withheld: [String] = []) {
        writer.beginObject()
        for member in Self.members where !withheld.contains(member.name) {
            member.write(self, &writer)
        }
        writer.endObject()
    }
}

/// What is given with an operation. A new one has what holds where nothing is given.
package protocol OperationInput: OperationOutput {
    init()
}

/// What somebody gave with an operation, as it came. It is read once, by the operation's input.
package struct Given: Sendable {
    /// Where a value stands: what is not in the path stands in the query, which what is typed is like, or in the body.
    package enum Place: Sendable { case path, query, body }

    package typealias Texts = [(name: String, value: String)]

    package let path: Texts
    package let query: Texts
    /// A JSON object, or nothing.
    package let body: [UInt8]
    /// Where what is not in the path belongs.
    let rest: Place

    package init(path: Texts = [], query: Texts) {
        self.init(path: path, query: query, body: [], rest: .query)
    }

    package init(path: Texts = [], body: [UInt8]) {
        self.init(path: path, query: [], body: body, rest: .body)
    }

    private init(path: Texts, query: Texts, body: [UInt8], rest: Place) {
        self.path = path
        self.query = query
        self.body = body
        self.rest = rest
    }

    /// All of it, to tell whether the same is asked again.
    package var bytes: [UInt8] {
        let texts = (path.sorted { $0.name < $1.name } + query).map { "\($0.name)=\($0.value)\n" }
        return Array((texts.joined() + "\n").utf8) + body
    }
}

/// Why what was given cannot be read.
package enum InputFault: Refusing, Equatable, Sendable, CustomStringConvertible {
    /// There is no such member; those that there are.
    case unknown(String, among: [String])
    case twice(String)
    /// It is not of the form; what is expected.
    case wrong(String, Given.Place, expected: String)
    /// It is not typed, nor in the query.
    case missing(String)
    case body(PayloadError)
    /// Whoever may ask about themselves only asks about somebody else.
    case other

    package var code: ProblemCode {
        switch self {
        case .wrong(_, .path, _): .notFound
        case .unknown, .twice, .wrong, .missing: .badRequest
        case .body: .schema
        case .other: .forbidden
        }
    }

    package var text: String {
        switch self {
        case .unknown(let name, let known):
            "there is no \(HarmlessText.line(String(name.prefix(64))).quoted)"
                + (Suggestion.nearest(to: name, among: known).map { "; did you mean \($0)?" }
                    ?? ": there is \(known.joined(separator: ", "))")
        case .twice(let name): "\(name) comes twice"
        case .wrong(let name, _, let expected): "\(name): \(expected) expected"
        case .missing(let name): "\(name) is missing"
        case .body(let error): "The body is refused: \(error.words)"
        case .other: "You may ask about yourself only"
        }
    }
}

/// How what is given with an operation is read: its members, and what holds where nothing is given.
package struct InputForm<Row: Sendable>: Sendable {
    package let members: [Member<Row>]
    /// The longest body, in bytes.
    package let longest: Int
    private let new: @Sendable () -> Row

    package init(
        _ members: [Member<Row>], longest: Int = 8192, new: @escaping @Sendable () -> Row
    ) {
        self.members = members
        self.longest = longest
        self.new = new
    }

    /// Reads what was given, each value once.
    ///
    /// - Parameters:
    ///   - subject: The member that says whom it is about.
    ///   - own: Who may be meant only, and is if nobody is named.
    package func read(
        _ given: Given, about subject: String? = nil, own: String? = nil
    ) throws(InputFault) -> Row {
        var row = new()
        var seen: Set<String> = []
        for (place, texts) in [(Given.Place.path, given.path), (.query, given.query)] {
            for (name, value) in texts {
                let member = try member(name)
                guard seen.insert(name).inserted else { throw .twice(name) }
                guard member.typed(value, &row) else {
                    throw .wrong(name, place, expected: member.expectation)
                }
            }
        }
        let left = members.filter { !seen.contains($0.name) }
        // Whom it is about may be put into a body that nothing else must stand in.
        let mayBeNone =
            left.contains { $0.name == subject } && !left.contains(where: \.parameter.isNeeded)
        if !given.body.isEmpty || given.rest == .body && !left.isEmpty && !mayBeNone {
            do throws(PayloadError) {
                try read(given.body.span, given.path, &seen, &row)
            } catch {
                throw .body(error)
            }
        }
        if let own, let member = members.first(where: { $0.name == subject }) {
            if seen.insert(member.name).inserted {
                guard member.typed(own, &row) else { throw .other }
            } else if member.value(row) as? String != own {
                throw .other
            }
        }
        if let missing = members.first(where: {
            $0.parameter.isNeeded && !seen.contains($0.name)
        }) {
            throw given.rest == .body
                ? .body(.missing(field: missing.name)) : .missing(missing.name)
        }
        return row
    }

    private func read(
        _ json: Span<UInt8>, _ path: Given.Texts, _ seen: inout Set<String>, _ row: inout Row
    ) throws(PayloadError) {
        var inBody: Set<String> = []
        for value in try JSONObject(document: json, limit: longest).members(json) {
            guard let member = members.first(where: { $0.name == value.name }),
                inBody.insert(value.name).inserted
            else { throw .unknownMember(field: value.name) }
            if let said = path.first(where: { $0.name == value.name }) {
                // A row that was read and changed says which it is.
                guard try value.kind(json) == .string, try value.text(json) == said.value else {
                    throw .unknownMember(field: value.name)
                }
                continue
            }
            seen.insert(value.name)
            try member.read(value, json, &row)
        }
    }

    /// The object of a body that says what is typed, for others to read: whether all of it is there they say.
    package func body(of typed: Given.Texts) throws(InputFault) -> [UInt8] {
        var row = new()
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in typed {
            let member = try member(name)
            guard member.typed(value, &row) else {
                throw .wrong(name, .query, expected: member.expectation)
            }
            member.write(row, &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private func member(_ name: String) throws(InputFault) -> Member<Row> {
        guard let member = members.first(where: { $0.name == name }) else {
            throw .unknown(name, among: members.map(\.name))
        }
        return member
    }

    /// The value of the member of a name.
    package func value(of name: String, in row: Row) -> (any Sendable)? {
        members.first { $0.name == name }?.value(row)
    }
}

extension InputForm where Row: OperationInput {
    package static func of(_: Row.Type) -> InputForm { InputForm(Row.members) { Row() } }
}
