import JSON
import Operations
import Permissions
import Records
import SiteModel
import SiteStore

/// Something that can be asked of a site, declared once: routes, the command line, rights and descriptions follow from it,
/// and `Executor` alone does it. Its input is read by the members it declares, so that what is done sees typed values
/// only: no JSON, no path, no header.
package struct Operation: Sendable {
    /// About whom it is, for those who may ask about themselves only.
    package enum Subject: Equatable, Sendable {
        /// It is about everybody: they may not.
        case everybody
        /// The member of this name is the slug of the person. Left out it is put in.
        case member(String)
    }

    /// What is done, in a transaction of its own or beside all writing, and the JSON that is answered; `nil`: nothing is.
    package enum Act: Sendable {
        case transaction(@Sendable (Store, RosterAsker) throws -> [UInt8]?)
        case read(@Sendable (Store, RosterAsker) throws -> [UInt8]?)
    }

    /// `shift-add`: what the command line and the audit call it.
    package let name: String
    package let method: Verb.Method
    /// From `/`; a part `{name}` is the member of that name.
    package let path: String
    package let right: Right
    package let subject: Subject
    /// One line.
    package let summary: String
    package let parameters: [Parameter]
    package let answer: [Parameter]
    /// The status of success over HTTP.
    package let status: Int
    /// What it refuses with, beside what every operation does.
    package let refusals: [ProblemCode]
    /// Whether the answer has a secret that is shown once, so that it must not be kept.
    package let isShownOnce: Bool
    /// Reads what was given; the second is the only person who may be meant.
    let prepare: @Sendable (Given, String?) throws(InputFault) -> Act
    /// The object of a body that says what is typed.
    let body: @Sendable (Given.Texts) throws(InputFault) -> [UInt8]

    /// Something that is written, with what it answers in one transaction.
    package init<Row: OperationInput, Value>(
        _ name: String, _ method: Verb.Method, _ path: String, _ right: Right,
        about subject: Subject = .everybody, _ summary: String, _: Row.Type,
        answer: Answered<Value>, refusals: [ProblemCode] = [], isShownOnce: Bool = false,
        writes: @escaping @Sendable (Row, RosterAsker, Store) throws -> Value
    ) {
        self.init(
            name, method, path, right, subject, summary, Row.self, answer, refusals, isShownOnce
        ) { row in
            .transaction { store, asker in answer.json(try writes(row, asker, store)) }
        }
    }

    /// Something that is read.
    package init<Row: OperationInput, Value>(
        _ name: String, _ path: String, _ right: Right, about subject: Subject = .everybody,
        _ summary: String, _: Row.Type, answer: Answered<Value>, refusals: [ProblemCode] = [],
        reads: @escaping @Sendable (Row, RosterAsker, Store) throws -> Value
    ) {
        self.init(name, .get, path, right, subject, summary, Row.self, answer, refusals, false) {
            row in
            .read { store, asker in answer.json(try reads(row, asker, store)) }
        }
    }

    private init<Row: OperationInput, Value>(
        _ name: String, _ method: Verb.Method, _ path: String, _ right: Right, _ subject: Subject,
        _ summary: String, _: Row.Type, _ answer: Answered<Value>, _ refusals: [ProblemCode],
        _ isShownOnce: Bool, _ act: @escaping @Sendable (Row) -> Act
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.right = right
        self.subject = subject
        self.summary = summary
        self.refusals = refusals
        self.isShownOnce = isShownOnce
        parameters = Row.members.map(\.parameter)
        self.answer = answer.members
        status = answer.status
        var person: String?
        if case .member(let name) = subject { person = name }
        prepare = { [person] given, own throws(InputFault) in
            act(try Row(given, about: person, own: own))
        }
        body = { typed throws(InputFault) in try Row.body(of: typed) }
    }

    /// What one must reach at least.
    package var least: Reach { subject == .everybody ? .site : .own }

    /// Everything that can be asked.
    package static let all = roster

    package func isInPath(_ parameter: Parameter) -> Bool {
        path.contains("{\(parameter.name)}")
    }
}

/// How a value is answered.
package struct Answered<Value>: Sendable {
    let members: [Parameter]
    let status: Int
    /// `nil`: nothing is.
    fileprivate let write: (@Sendable (Value, inout JSONWriter) -> Void)?

    fileprivate func json(_ value: Value) -> [UInt8]? {
        guard let write else { return nil }
        var writer = JSONWriter()
        write(value, &writer)
        return writer.bytes
    }
}

extension Answered where Value == Void {
    static var nothing: Answered { Answered(members: [], status: 204, write: nil) }
}

extension Answered where Value: OperationOutput {
    /// The members of a row.
    static var row: Answered { row(200) }
    /// The same of one that was added.
    static var added: Answered { row(201) }

    private static func row(_ status: Int) -> Answered {
        Answered(members: Value.members.map(\.parameter), status: status) { $0.write(to: &$1) }
    }
}

extension Answered {
    /// A member of this name with all rows.
    static func rows<Row: OperationOutput>(_ name: String) -> Answered where Value == [Row] {
        let form = Form<Value>.list(Form<Row>.object)
        return Answered(members: [.always(name, form.kind)], status: 200) { rows, writer in
            writer.beginObject()
            writer.key(name)
            form.write(rows, &writer)
            writer.endObject()
        }
    }
}
