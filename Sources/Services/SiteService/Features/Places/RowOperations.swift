import Accounts
import Basics
import Foundation
import JSON
import Operations
import Permissions
import Records
import Registry
import SiteModel
import SiteStore

// Rooms, exercises, stations, nodes, people and beacons, a row at a time: what a collection declares is what can be asked
// of it.

extension Operation {
    static let rows =
        SiteCollection.all.flatMap { kind in
            [list(kind), show(kind), add(kind), put(kind), change(kind), retire(kind)]
        } + [swap, starter, deviceStarter, changeKind]

    /// Rows in one answer, unless fewer are asked for, and at most.
    private static let usualLimit = 100
    private static let mostRows = 500

    private static func path(_ kind: SiteCollection) -> String { "/api/v1/\(kind.name)" }

    private static func list(_ kind: SiteCollection) -> Operation {
        var query: [Parameter] = [
            .init("id", .slug, "Only this one."),
            .init("q", .text(1...120), "Only what is called so, in part, upper or lower case."),
            .init("sort", .word(["id", kind.label]), "By what; by id if not said."),
            .init("fields", .text(1...200), "Only these members, with commas between them."),
            .init("limit", .integer(1...Int64(mostRows))),
            .init("cursor", .text(1...1024), "`next` of the answer before."),
        ]
        for member in kind.filters {
            query.append(.init(member.name, member.kind, "Only those with this \(member.name)."))
        }
        let answer: [Parameter] = [
            .always(kind.name, .list(.object(kind.partly))),
            .always("next", .anyText, isNullable: true, "The cursor of the next page."),
        ]
        return Operation(
            "\(kind.one)-list", path(kind), kind.read,
            about: kind.owner.map { .member($0) } ?? .everybody,
            "All \(kind.name) that are not retired.", GivenTexts.input(query),
            answer: .object(answer, json: \.json)
        ) { texts, caller, store in
            var query = SiteRows.Query()
            query.most = texts["limit"].flatMap { Int($0) } ?? usualLimit
            query.isByLabel = texts["sort"] == kind.label
            for member in kind.members.prefix(1) + kind.filters {
                if let value = texts[member.name] { query.matching.append((member, value)) }
            }
            query.part = texts["q"]
            if let cursor = texts["cursor"] {
                guard let bytes = Data(base64Encoded: cursor) else {
                    throw BooksRefusal(
                        .badRequest, "cursor: what `next` of an answer said expected")
                }
                query.after = String(decoding: bytes, as: UTF8.self)
            }
            query.onlyOf = caller.onlyUser(.peopleRead)
            var fields: Set<String>?
            if let text = texts["fields"] {
                fields = try kind.fields(text)
            }
            let (rows, next) = try SiteRows(store).page(kind, query)
            return RowPage(kind: kind, rows: rows.map { $0.only(fields) }, next: next)
        }
    }

    private static func show(_ kind: SiteCollection) -> Operation {
        Operation(
            "\(kind.one)-show", path(kind) + "/{id}", kind.read,
            about: kind.owner == "id" ? .member("id") : .everybody,
            "One \(kind.one), with its ETag.", GivenRow.input([kind.meant]),
            answer: .shown(kind.members), refusals: [.notFound]
        ) { given, caller, store in
            guard let row = try SiteRows(store).row(kind, given.id), row.isShown(to: caller) else {
                throw BooksRefusal(.notFound, "there is no such \(kind.one)")
            }
            return ShownRow(row, shown: row)
        }
    }

    private static func add(_ kind: SiteCollection) -> Operation {
        writing(
            "add", kind, .post, path(kind), "Adds a \(kind.one).", kind.sent, [.alreadyExists],
            status: 201
        ) { .add(kind, $0.row) }
    }

    private static func put(_ kind: SiteCollection) -> Operation {
        writing(
            "put", kind, .put, path(kind) + "/{id}", "Replaces a \(kind.one), or adds it.",
            kind.sent, [.notFound, .preconditionFailed]
        ) { .put(kind, $0.row) }
    }

    private static func change(_ kind: SiteCollection) -> Operation {
        writing(
            "change", kind, .patch, path(kind) + "/{id}",
            "Changes members of a \(kind.one); null takes one away.", [kind.meant] + kind.changed,
            [.notFound, .preconditionFailed]
        ) { .patch(kind, $0.id, $0.row.without("id")) }
    }

    private static func writing(
        _ verb: String, _ kind: SiteCollection, _ method: Verb.Method, _ path: String,
        _ summary: String, _ members: [Parameter], _ refusals: [ProblemCode], status: Int = 200,
        edit: @escaping @Sendable (GivenRow) -> RowEdit
    ) -> Operation {
        Operation(
            "\(kind.one)-\(verb)", method, path, kind.write, summary, GivenRow.input(members),
            answer: .shown(kind.partly, status: status), refusals: refusals
        ) { given, caller, store in
            let changed = try edit(given).perform(by: caller, in: store)
            if kind == .nodes { try refuse(giving: changed, by: caller) }
            guard let row = changed.first?.after else {
                throw BooksRefusal(.internal, "there is no row")
            }
            // Who may not read it is told what they sent.
            guard caller.reachesAll(kind.read), row.isShown(to: caller) else {
                return ShownRow(row, shown: row.only(given.row.keys))
            }
            return ShownRow(row, shown: row)
        }
    }

    private static func retire(_ kind: SiteCollection) -> Operation {
        let more = kind == .users ? " " + whoNeedsAccounts : ""
        return Operation(
            "\(kind.one)-retire", .delete, path(kind) + "/{id}", kind.write,
            "Retires a \(kind.one): history keeps it.\(more)", GivenRow.input([kind.meant]),
            answer: .nothing, refusals: [.notFound, .preconditionFailed]
        ) { given, caller, store in
            if kind == .users { try refuse({ $0 == given.id }, toLeaveBy: caller, in: store) }
            _ = try RowEdit.retire(kind, given.id).perform(by: caller, in: store)
        }
    }

    private static let swap = Operation(
        "beacon-swap", .post, "/api/v1/beacons/swap", .peopleWrite,
        "Two beacons take each other's identity.", .of(TwoBeacons.self),
        answer: .shown(SiteCollection.beacons.partly), refusals: [.notFound]
    ) { two, caller, store in
        let rows = try RowEdit.swap(two.a, two.b).perform(by: caller, in: store)
        guard let row = rows.first?.after else { throw BooksRefusal(.internal, "there is no row") }
        return ShownRow(row, shown: caller.reachesAll(.peopleRead) ? row : row.only([]))
    }

    private static let starter = Operation(
        "exercise-starter", .post, "/api/v1/exercises/starter", SiteCollection.exercises.write,
        "Adds the forty exercises that come with the program; none that is there changes.",
        .of(Nothing.self), answer: .row
    ) { _, caller, store in
        _ = try RowEdit.addStarter(.exercises).perform(by: caller, in: store)
        return Exercises(count: try SiteRows(store).labels(.exercises).count)
    }

    private static let deviceStarter = Operation(
        "device-starter", .post, "/api/v1/device-types/starter", SiteCollection.deviceTypes.write,
        "Adds the device types and rules that come with the program; none that is there changes.",
        .of(Nothing.self), answer: .row
    ) { _, caller, store in
        // Rules name types.
        _ = try RowEdit.addStarter(.deviceTypes).perform(by: caller, in: store)
        _ = try RowEdit.addStarter(.deviceRules).perform(by: caller, in: store)
        let rows = SiteRows(store)
        return Devices(
            types: try rows.labels(.deviceTypes).count, rules: try rows.labels(.deviceRules).count)
    }

    private static let changeKind = Operation(
        "station-change-kind", .patch, "/api/v1/stations", SiteCollection.stations.write,
        "Changes when workouts begin and pause by themselves at all stations of a kind.",
        .of(StationsOfKind.self), answer: .row
    ) { given, caller, store in
        let changed = try RowEdit.patchKind(given.kind, given.members).perform(
            by: caller, in: store)
        return StationCount(stations: changed.count)
    }

    // MARK: Who may

    /// A node that somebody carries says where they are.
    private static func refuse(giving rows: [RowEdit.Changed], by caller: Caller) throws {
        guard !caller.reachesAll(.peopleWrite),
            rows.contains(where: { row in
                row.after?["user"] != nil && row.after?["user"] != row.before?["user"]
            })
        else { return }
        throw BooksRefusal(
            .forbidden, "to give a node to somebody you need \(Right.peopleWrite.rawValue)")
    }

    /// What `refuse(_:toLeaveBy:in:)` asks for, for the descriptions of its ways.
    static let whoNeedsAccounts =
        "To retire an owner, manager or auditor needs `\(Right.accounts.rawValue)`, too."

    /// Retiring a person ends their accounts and tokens: of privileged ones that is for those only who may end
    /// these themselves.
    static func refuse(
        _ isLeaving: (String) -> Bool, toLeaveBy caller: Caller, in store: Store
    ) throws {
        guard !caller.reachesAll(.accounts) else { return }
        let all = try Accounts(store).all()
        let privileged =
            all.accounts.filter { $0.role.isPrivileged && $0.disabled == nil }.compactMap(\.user)
            + all.tokens.filter { $0.role.isPrivileged && $0.isValid(at: caller.moment) }
            .compactMap(\.user)
        guard let user = privileged.sorted().first(where: isLeaving) else { return }
        throw BooksRefusal(
            .forbidden,
            """
            \(user) has an account or token as owner, manager or auditor: to retire them you need \
            \(Right.accounts.rawValue)
            """)
    }
}

extension RowEdit {
    /// Makes the edit for whoever asks. Returns the rows that were asked about.
    ///
    /// - Throws: As `RowEditor.perform`.
    func perform(by caller: Caller, in store: Store) throws -> [Changed] {
        try RowEditor(store).perform(
            self, ifMatch: isOfOneRow ? caller.tag : nil,
            readsPeople: caller.reachesAll(.peopleRead), by: caller.asker)
    }
}

extension WriteDesk {
    /// Changes a row by itself, with nobody who asks, if it still has that tag.
    func perform(_ edit: RowEdit, ifMatch tag: String) async throws {
        let clock = clock
        try await mailbox.ask(within: LocalRequest.patience, storing: .together) { store in
            try store.undoing {
                _ = try RowEditor(store).perform(
                    edit, ifMatch: tag,
                    by: Asker(name: "core", via: .core, at: clock.now))
            }
        }
    }
}

extension SiteCollection {
    /// Which row is meant.
    fileprivate var meant: Parameter { Parameter("id", .reference(name), isNeeded: true) }

    /// The members that a list of names says.
    fileprivate func fields(_ text: String) throws(BooksRefusal) -> Set<String> {
        let known = members.map(\.name)
        let fields = Set(
            text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        if let wrong = fields.filter({ !known.contains($0) }).min() {
            throw BooksRefusal(
                .badRequest,
                "fields: there is no \(wrong.quoted); there is \(known.joined(separator: ", "))")
        }
        return fields
    }
}

extension SiteTree {
    /// Whether somebody may see a row. A node that a person carries says who that is, and is called so.
    fileprivate func isShown(to caller: Caller) -> Bool {
        guard let user = self["user"]?.string else { return true }
        return caller.onlyUser(.peopleRead).map { $0 == user } ?? true
    }

    /// A row with its id and some of its other members; `nil`: all.
    func only(_ names: Set<String>?) -> SiteTree {
        guard let names, case .section(let members) = self else { return self }
        return .section(members.filter { names.contains($0.key) || $0.key == "id" })
    }

    var keys: Set<String> {
        guard case .section(let members) = self else { return [] }
        return Set(members.map(\.key))
    }
}

/// A row of a collection, or members of one, as they are given: the rules of the collection read them.
struct GivenRow: Sendable {
    var row = SiteTree.section([])

    var id: String { row["id"]?.string ?? "" }

    static func input(_ members: [Parameter]) -> InputForm<GivenRow> {
        InputForm(members.map(member), longest: 65_536) { GivenRow() }
    }

    private static func member(_ parameter: Parameter) -> Member<GivenRow> {
        let name = parameter.name
        return Member(parameter, parameter.kind.expectation) {
            value, json, given throws(PayloadError) in
            given.row.set(name, try SiteTree(value, json))
        } typed: { text, given in
            // Which row is meant stands in paths; all else the rules of the collection refuse.
            let isID =
                switch parameter.kind {
                case .slug, .reference: true
                default: false
                }
            guard text.isEmpty ? !parameter.isNeeded : !isID || text.isSlug else { return false }
            given.row.set(name, SiteTree(typed: text, as: parameter.kind))
            return true
        } write: { given, writer in
            guard let value = given.row[name] else { return }
            writer.key(name)
            writer.raw(Array(value.json.utf8))
        } value: {
            $0.row[name]?.string
        }
    }
}

/// Texts of a query by their names, each of its form.
struct GivenTexts: Sendable {
    private var texts: [String: String] = [:]

    subscript(name: String) -> String? { texts[name] }

    static func input(_ members: [Parameter]) -> InputForm<GivenTexts> {
        InputForm(members.map(member)) { GivenTexts() }
    }

    private static func member(_ parameter: Parameter) -> Member<GivenTexts> {
        let name = parameter.name
        return Member(parameter, parameter.kind.expectation) {
            value, _, _ throws(PayloadError) in
            throw .unknownMember(field: value.name)
        } typed: { text, given in
            guard parameter.kind.refusal(of: text) == nil else { return false }
            given.texts[name] = text
            return true
        } write: { _, _ in
        } value: {
            $0.texts[name]
        }
    }
}

/// A row, and what of it is shown to whoever asked.
struct ShownRow: Sendable {
    fileprivate let tag: String
    fileprivate let json: String

    init(_ row: SiteTree, shown: SiteTree) {
        tag = RowEdit.tag(row)
        json = shown.json
    }
}

extension Answered<ShownRow> {
    static func shown(_ members: [Parameter], status: Int = 200) -> Answered {
        .object(members, status: status, tag: { $0.tag }, json: { $0.json })
    }
}

/// Some rows of a list.
private struct RowPage: Sendable {
    let kind: SiteCollection
    let rows: [SiteTree]
    /// The key of the last, if there are more.
    let next: String?

    var json: String {
        let cursor = next.map { "\"\(Data($0.utf8).base64EncodedString())\"" } ?? "null"
        let lines = rows.map(\.json).joined(separator: ",\n")
        return "{\"\(kind.name)\":[\(lines)],\"next\":\(cursor)}"
    }
}

private struct TwoBeacons: OperationInput {
    var a = ""
    var b = ""

    static let members: [Member<TwoBeacons>] = [
        .needed("a", .reference("beacons"), \.a),
        .needed("b", .reference("beacons"), \.b),
    ]
}

private struct Devices: OperationOutput {
    var types = 0
    var rules = 0

    static let members: [Member<Devices>] = [
        .needed("types", .count, \.types, "How many there are now."),
        .needed("rules", .count, \.rules, "How many there are now."),
    ]
}

private struct Exercises: OperationOutput {
    var count = 0

    static let members: [Member<Exercises>] = [
        .needed("exercises", .count, \.count, "How many there are now.")
    ]
}

/// What is to change at all stations of a kind; what is left out stays.
private struct StationsOfKind: OperationInput {
    var kind = StationKind.other
    var autoStart: Int??
    var autoPause: Int??
    var claimGrace: Int?

    static let members: [Member<StationsOfKind>] = [
        .needed("kind", .word, \.kind),
        .nullable("auto_start_s", .integer(5...600), \.autoStart, "null: never."),
        .nullable("auto_pause_s", .integer(1...86_400), \.autoPause, "null: never."),
        .optional("claim_grace_s", .integer(1...86_400), \.claimGrace),
    ]

    /// As members of a station.
    var members: SiteTree {
        func tree(_ seconds: Int?) -> SiteTree { seconds.map { .scalar("\($0)") } ?? .null }
        var members: [(key: String, value: SiteTree)] = []
        if let autoStart { members.append(("auto_start_s", tree(autoStart))) }
        if let autoPause { members.append(("auto_pause_s", tree(autoPause))) }
        if let claimGrace { members.append(("claim_grace_s", tree(claimGrace))) }
        return .section(members)
    }
}

private struct StationCount: OperationOutput {
    var stations = 0

    static let members: [Member<StationCount>] = [
        .needed("stations", .count, \.stations, "How many are of that kind.")
    ]
}
