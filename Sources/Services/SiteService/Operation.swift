import JSON
import Operations
import Permissions
import Records
import SiteModel
import SiteStore
import Wire

/// Something that can be asked of a site, declared once: routes, the command line, rights and descriptions follow from it,
/// and `Executor` alone does it. Its input is read by the members it declares, so that what is done sees typed values
/// only: no JSON, no path, no header.
package struct Operation: Sendable {
    /// About whom it is, for those who may ask about themselves only.
    package enum Subject: Equatable, Sendable {
        /// It is about everybody: they may not.
        case everybody
        /// It holds nothing of anybody, or answers each with their own: they may.
        case each
        /// The member of this name is the slug of the person. Left out it is put in.
        case member(String)
        /// What is named says whom it is about: `owner` finds them.
        case found
    }

    /// An operation with its input, ready to be done.
    struct Call: Sendable {
        let act: Act
        /// The slug of whom it is about. Throws what whoever may ask about themselves only is refused with, if it is
        /// somebody else.
        let person: @Sendable (Store) throws -> String?
    }

    /// Finds whom what is given is about, who may be `own` only.
    package typealias Owner<Row> =
        @Sendable (_ row: Row, _ own: String?, _ store: Store) throws -> String?

    /// What comes of it.
    package struct Outcome: Sendable {
        /// JSON, or a file; `nil`: nothing is answered.
        package var body: [UInt8]?
        /// What it is called, if it is a file.
        var fileName: String?
        /// The tag of the row that is answered.
        var tag: String?
        /// Told to the broker when it is stored.
        var message: Publication?
    }

    /// What is written.
    package struct Write: Sendable {
        /// Whether it ends something or takes it away: that is open to everybody at any time, whatever they stored.
        let isEnding: Bool
        /// Whether nothing else is done with it, so that it counts for nothing.
        let isFree: Bool
        /// Whether what their day comes to changes of whom it is about, which is told.
        let changesDay: Bool
        /// Whether somebody is to be told of it at once.
        let wakesNotifier: Bool
        /// Whether who shares what changes by it, which the machines' plan knows.
        let renames: Bool
        /// Whether an erasure may begin by it, whose rest is done afterwards.
        let erases: Bool
        let perform: @Sendable (Store, Caller) throws -> Outcome
    }

    /// What is done.
    package enum Act: Sendable {
        /// In a transaction of its own, on the thread that writes.
        case transaction(Write)
        /// Beside all writing.
        case read(@Sendable (Store, Caller) throws -> Outcome)
        /// The same after the audit has noted it.
        case noted(Write, @Sendable (Store, Caller) throws -> Outcome)
        /// Outside of the database: somebody else is asked, who may take long.
        case outside(@Sendable (Store, Caller) throws -> Outcome)
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
    /// The longest body of what is given, in bytes.
    let longest: Int
    package let answer: [Parameter]
    /// The status of success over HTTP.
    package let status: Int
    /// The media type of the answer; `nil`: there is none.
    package let type: String?
    /// What it refuses with, beside what every operation does.
    package let refusals: [ProblemCode]
    /// Whether the answer is an array of such rows.
    package let isList: Bool
    /// Whether the answer has a secret that is shown once, so that it must not be kept.
    package let isShownOnce: Bool
    /// Whether it changes nothing and is answered alike in any case, so that a key means nothing.
    package private(set) var isPure = false
    /// Reads what was given; the second is the only person who may be meant.
    let prepare: @Sendable (Given, String?) throws(InputFault) -> Call
    /// The object of a body that says what is typed.
    let body: @Sendable (Given.Texts) throws(InputFault) -> [UInt8]

    /// Something that is written, with what it answers in one transaction.
    package init<Row: Sendable, Value>(
        _ name: String, _ method: Verb.Method, _ path: String, _ right: Right,
        about subject: Subject = .everybody, _ summary: String, _ input: InputForm<Row>,
        answer: Answered<Value>, refusals: [ProblemCode] = [], isShownOnce: Bool = false,
        owner: Owner<Row>? = nil, withheld: [String] = [],
        telling message: @escaping @Sendable (Value) -> Publication? = { _ in nil },
        isEnding: @escaping @Sendable (Row) -> Bool = { _ in false }, isFree: Bool = false,
        renames: Bool = false, erases: Bool = false, changesDay: Bool = false,
        wakesNotifier: Bool = false,
        writes: @escaping @Sendable (Row, Caller, Store) throws -> Value
    ) {
        self.init(
            name, method, path, right, subject, summary, input, answer, refusals, isShownOnce,
            owner
        ) { row in
            .transaction(
                Write(
                    isEnding: method == .delete || isEnding(row),
                    isFree: method == .delete || isFree, changesDay: changesDay,
                    wakesNotifier: wakesNotifier, renames: renames || erases, erases: erases
                ) {
                    store, caller in
                    let value = try writes(row, caller, store)
                    // Over MQTT neither names nor what people wrote is told.
                    return answer.outcome(
                        value, without: caller.via == .mqtt ? withheld : [],
                        telling: message(value))
                })
        }
    }

    /// What is asked over MQTT, too: what the verb says of it.
    package init<Row: Sendable, Value>(
        _ verb: Verb, about subject: Subject = .everybody, _ input: InputForm<Row>,
        answer: Answered<Value>,
        owner: Owner<Row>? = nil,
        writes: @escaping @Sendable (Row, Caller, Store) throws -> Value
    ) {
        self.init(
            verb.name, verb.method, verb.path, verb.right, about: subject, verb.summary, input,
            answer: answer, refusals: verb.refusals, owner: owner, withheld: verb.withheld,
            writes: writes)
    }

    /// Something that is read.
    package init<Row: Sendable, Value>(
        _ name: String, _ path: String, _ right: Right, about subject: Subject = .everybody,
        _ summary: String, _ input: InputForm<Row>, answer: Answered<Value>,
        refusals: [ProblemCode] = [],
        owner: Owner<Row>? = nil,
        reads: @escaping @Sendable (Row, Caller, Store) throws -> Value
    ) {
        self.init(
            name, .get, path, right, subject, summary, input, answer, refusals, false, owner
        ) { row in
            .read { store, caller in answer.outcome(try reads(row, caller, store)) }
        }
    }

    /// Something that is read, which the audit notes before.
    package init<Row: Sendable, Value>(
        _ name: String, _ path: String, _ right: Right, about subject: Subject,
        _ summary: String, _ input: InputForm<Row>, answer: Answered<Value>,
        refusals: [ProblemCode],
        noting note: @escaping @Sendable (Row, Caller, Store) throws -> Void,
        reads: @escaping @Sendable (Row, Caller, Store) throws -> Value
    ) {
        self.init(
            name, .get, path, right, subject, summary, input, answer, refusals, false, nil
        ) { row in
            let note = Write(
                isEnding: false, isFree: false, changesDay: false, wakesNotifier: false,
                renames: false,
                erases: false
            ) { store, caller in
                try note(row, caller, store)
                return Outcome()
            }
            return .noted(note) { store, caller in
                answer.outcome(try reads(row, caller, store))
            }
        }
    }

    /// Something that is computed of what is given alone: a key means nothing to it.
    package static func pure<Row: Sendable, Value>(
        _ name: String, _ path: String, _ right: Right, _ summary: String,
        _ input: InputForm<Row>, answer: Answered<Value>, refusals: [ProblemCode] = [],
        computes: @escaping @Sendable (Row) throws -> Value
    ) -> Operation {
        var operation = Operation(
            name, .post, path, right, .each, summary, input, answer, refusals, false, nil
        ) { row in
            .read { _, _ in answer.outcome(try computes(row)) }
        }
        operation.isPure = true
        return operation
    }

    /// Something that is asked of somebody else.
    package static func outside<Row: Sendable, Value>(
        _ name: String, _ method: Verb.Method, _ path: String, _ right: Right, _ summary: String,
        _ input: InputForm<Row>, answer: Answered<Value>, refusals: [ProblemCode] = [],
        asks: @escaping @Sendable (Row, Caller, Store) throws -> Value
    ) -> Operation {
        Operation(
            name, method, path, right, .everybody, summary, input, answer, refusals, false, nil
        ) { row in
            .outside { store, caller in answer.outcome(try asks(row, caller, store)) }
        }
    }

    private init<Row: Sendable, Value>(
        _ name: String, _ method: Verb.Method, _ path: String, _ right: Right, _ subject: Subject,
        _ summary: String, _ input: InputForm<Row>, _ answer: Answered<Value>,
        _ refusals: [ProblemCode],
        _ isShownOnce: Bool, _ owner: Owner<Row>?, _ act: @escaping @Sendable (Row) -> Act
    ) {
        precondition((subject == .found) == (owner != nil), "\(name) says whom it is about")
        self.name = name
        self.method = method
        self.path = path
        self.right = right
        self.subject = subject
        self.summary = summary
        self.refusals = refusals
        self.isShownOnce = isShownOnce
        parameters = input.members.map(\.parameter)
        longest = input.longest
        self.answer = answer.members
        isList = answer.isList
        status = answer.status
        type = answer.type
        prepare = { given, own throws(InputFault) in
            guard case .member(let name) = subject else {
                let row = try input.read(given)
                return Call(act: act(row)) { try owner?(row, own, $0) }
            }
            let row = try input.read(given, about: name, own: own)
            return Call(act: act(row)) { _ in input.value(of: name, in: row) as? String }
        }
        body = { typed throws(InputFault) in try input.body(of: typed) }
    }

    /// What one must reach at least.
    package var least: Reach { subject == .everybody ? .site : .own }

    /// Everything that can be asked.
    package static let all: [Operation] =
        attendance + sessions + roster + notifications + notices + pushes + mail + operations
        + accounts
        + tokens
        + pins
        + calibration + nodes
        + rows + people + personalData + plan + pictures + content + detections + site
        + activity + codes + beaconHistory + training + workouts + workoutNotes

    package static func named(_ name: some StringProtocol) -> Operation? {
        all.first { $0.name == name }
    }

    package func isInPath(_ parameter: Parameter) -> Bool {
        path.contains("{\(parameter.name)}")
    }
}

/// How a value is answered.
package struct Answered<Value>: Sendable {
    let members: [Parameter]
    let status: Int
    var isList = false
    /// The media type.
    var type: String? = "application/json"
    /// What it is called, if it is a file.
    fileprivate var fileName: @Sendable (Value) -> String? = { _ in nil }
    /// `nil`: nothing is. The last are the members that are not told.
    fileprivate let write: (@Sendable (Value, inout JSONWriter, [String]) -> Void)?
    /// The tag of the row that is answered.
    fileprivate var tag: @Sendable (Value) -> String? = { _ in nil }

    fileprivate func outcome(
        _ value: Value, without withheld: [String] = [], telling message: Publication? = nil
    ) -> Operation.Outcome {
        var outcome = Operation.Outcome(
            fileName: fileName(value), tag: tag(value), message: message)
        guard let write else { return outcome }
        var writer = JSONWriter()
        write(value, &writer, withheld)
        outcome.body = writer.bytes
        return outcome
    }

    /// An object of members that only a declaration of its own knows.
    static func object(
        _ members: [Parameter], status: Int = 200,
        tag: @escaping @Sendable (Value) -> String? = { _ in nil },
        json: @escaping @Sendable (Value) -> String
    ) -> Answered {
        Answered(
            members: members, status: status,
            write: { value, writer, _ in writer.raw(Array(json(value).utf8)) }, tag: tag)
    }
}

extension Answered where Value == Void {
    static var nothing: Answered { Answered(members: [], status: 204, type: nil, write: nil) }
}

extension Answered<NamedFile> {
    /// A file of a media type; of JSON its members.
    static func file(_ type: String, _ members: [Parameter] = []) -> Answered {
        Answered(
            members: members, status: 200, type: type, fileName: \.name,
            write: { file, writer, _ in writer.raw(file.bytes) })
    }
}

/// A file, as it is to be saved.
struct NamedFile: Sendable {
    let name: String
    let bytes: [UInt8]
}

extension Answered where Value: OperationOutput {
    /// The members of a row.
    static var row: Answered { row(200) }
    /// The same of one that was added.
    static var added: Answered { row(201) }
    /// The same of what is done elsewhere.
    static var taken: Answered { row(202) }

    private static func row(_ status: Int) -> Answered {
        Answered(members: Value.members.map(\.parameter), status: status) {
            $0.write(to: &$1, without: $2)
        }
    }
}

extension Answered {
    /// An array of rows.
    static func list<Row: OperationOutput>() -> Answered where Value == [Row] {
        let form = Form<Value>.list(Form<Row>.object)
        return Answered(members: Row.members.map(\.parameter), status: 200, isList: true) {
            rows, writer, _ in
            form.write(rows, &writer)
        }
    }

    /// A member of this name with all rows.
    static func rows<Row: OperationOutput>(
        _ name: String, _ text: String = ""
    ) -> Answered where Value == [Row] {
        let form = Form<Value>.list(Form<Row>.object)
        return Answered(members: [.always(name, form.kind, text)], status: 200) { rows, writer, _ in
            writer.beginObject()
            writer.key(name)
            form.write(rows, &writer)
            writer.endObject()
        }
    }
}
