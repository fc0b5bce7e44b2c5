import Basics
import Operations
import Records
import SiteModel

/// A correction that is asked for.
struct CorrectionWish: OperationInput {
    var change = CorrectionRow.Kind.times
    var session: Int64?
    var revision: Int64?
    var user: String?
    var from: Timestamp?
    /// Given as `null` it stays open.
    var to: Timestamp??
    var reason = ""

    static let members: [Member<CorrectionWish>] = [
        .needed("change", .word, \.change),
        .optional("session", .integer(1...Int64.max), \.session, "Which, but for `add`."),
        .optional("rev", .integer(1...Int64.max), \.revision, "The revision that was looked at."),
        .optional("user", .slug, \.user, "Whose, for `add`."),
        .optional("from_ms", .time, \.from), .nullable("to_ms", .time, \.to),
        .needed("reason", .freeText(1...500), \.reason),
    ]

    /// What it changes.
    ///
    /// - Throws: An `InputFault` if something is missing for that.
    func what() throws(InputFault) -> SessionChange {
        func given<Value>(_ value: Value?, _ name: String) throws(InputFault) -> Value {
            guard let value else { throw .body(.missing(field: name)) }
            return value
        }
        if change == .add {
            return .add(
                user: try given(user, "user"), from: try given(from, "from_ms"),
                to: try given(to.flatMap(\.self), "to_ms"))
        }
        let session = try given(session, "session")
        switch change {
        case .remove: return .remove(session, revision: revision)
        case .reviewed: return .reviewed(session, revision: revision)
        case .times, .add:
            return .times(
                session, revision: revision, from: try given(from, "from_ms"),
                to: try given(to, "to_ms"))
        }
    }
}

extension CorrectionRow: OperationOutput {
    package static let members = noted + others

    /// What whoever may not read the session is told, too.
    fileprivate static let noted: [Member<CorrectionRow>] = [
        .needed("id", .count, \.id), .needed("change", .word, \.change),
        .optional("session", .count, \.session, "Not there of one that is missing."),
        .needed("state", .word, \.state),
    ]

    fileprivate static let others: [Member<CorrectionRow>] = [
        .needed("source", .word, \.source), .needed("user", .slug, \.user, "Whose."),
        .needed("name", .anyText, \.name, "What they are called."),
        .optional(
            "session_rev", .count, \.sessionRevision,
            "The revision of the session that was looked at."),
        .optional("old_from_ms", .time, \.oldFrom), .optional("old_to_ms", .time, \.oldTo),
        .optional("new_from_ms", .time, \.newFrom),
        .optional("new_to_ms", .time, \.newTo, "Not there if it stays open."),
        .optional("heard_ms", .count, \.heard, "How long somebody was heard in it."),
        .optional(
            "breaks_lost_ms", .count, \.lostBreaks,
            "How long breaks are that lie outside of what it is to be, and would be none; while it waits."
        ),
        .needed("reason", .anyText, \.reason), .needed("requested_ms", .time, \.requestedAt),
        .needed("requested_by", .anyText, \.requestedBy),
        .optional("decided_ms", .time, \.decidedAt),
        .optional("decided_by", .anyText, \.decidedBy),
        .optional("decision_reason", .anyText, \.decisionReason),
    ]
}

/// What is answered to whoever asks for a correction, or decides one: they may not read it, perhaps.
struct CorrectionTold: OperationOutput {
    var row: CorrectionRow
    /// The row, if they may read all of it.
    var readable: CorrectionRow?

    init(_ row: CorrectionRow, to caller: Caller) {
        self.row = row
        let isReadable =
            caller.reachesAll(.attendanceRead) || caller.principal?.user == row.user
        readable = isReadable ? row : nil
    }

    static let members =
        CorrectionRow.noted.map { $0.of(\CorrectionTold.row) }
        + CorrectionRow.others.map { $0.ofAny(\CorrectionTold.readable) }
}

struct CorrectionQuery: OperationInput {
    var state: CorrectionRow.State?
    var user: String?

    static let members: [Member<CorrectionQuery>] = [
        .optional("state", .word, \.state), .optional("user", .slug, \.user, "Of whom."),
    ]
}

struct Decision: OperationInput {
    var correction: Int64 = 0
    var approves = false
    var reason = ""

    static let members: [Member<Decision>] = [
        .needed("correction", .integer(1...Int64.max), \.correction, "Which."),
        .needed("approve", .flag, \.approves), .needed("reason", .freeText(1...500), \.reason),
    ]
}

struct NewLock: OperationInput {
    var through = LocalDate(day: 0)
    var reason = ""
    var force = false
    var unlocks = false

    static let members: [Member<NewLock>] = [
        .needed("through", .date, \.through), .needed("reason", .freeText(1...500), \.reason),
        .preset("force", .flag, \.force, "Also what is not final yet."),
        .preset("unlock", .flag, \.unlocks, "Also an earlier day than the one locked."),
    ]
}

extension LockRow: OperationOutput {
    package static let members: [Member<LockRow>] = [
        .needed("id", .count, \.id),
        .needed(
            "through_date", .anyText.told(as: .date), \.throughDate, "The last day that is locked."),
        .needed("through_ms", .time, \.through, "The first moment that is not."),
        .needed("locked_by", .anyText, \.lockedBy), .needed("locked_ms", .time, \.lockedAt),
        .needed("reason", .anyText, \.reason),
        .optional(
            "unchanged", .flag, \.isUnchanged, "It was in force before, and nothing was done."),
        .optional("forced_over", .object, \.forcedOver),
    ]
}

extension ForcedLock: OperationOutput {
    package static let members: [Member<ForcedLock>] = [
        .needed("not_carried_out", .list(.count), \.corrections, "Corrections."),
        .needed("not_final", .list(.count), \.sessions, "Sessions."),
    ]
}

extension ExcuseRow: OperationOutput {
    package static let members: [Member<ExcuseRow>] = [
        .needed("id", .count, \.id), .needed("node", .slug, \.node),
        .needed("excused_by", .anyText, \.excusedBy), .needed("excused_ms", .time, \.excusedAt),
        .needed("reason", .anyText, \.reason), .optional("ended_by", .anyText, \.endedBy),
        .optional("ended_ms", .time, \.endedAt, "Not there while it stands."),
    ]
}

extension ToldRow: OperationOutput {
    package static let members: [Member<ToldRow>] = [
        .needed("node", .slug, \.node), .needed("name", .anyText, \.name),
        .optional(
            "through_ms", .time, \.through, "Through when it has told everything, if anything."),
        .needed("awaited", .flag, \.isAwaited, "Whether nothing becomes final before it has told."),
        .optional("excuse", .object, \.excuse, "Why nobody waits for it."),
    ]
}

/// Why nobody is to wait for a node.
struct NewExcuse: OperationInput {
    var node = ""
    var reason = ""

    static let members: [Member<NewExcuse>] = [
        .needed("node", .reference("nodes"), \.node),
        .needed("reason", .text(1...500), \.reason),
    ]
}

struct ExcusedNode: OperationInput {
    var node = ""

    static let members: [Member<ExcusedNode>] = [.needed("node", .reference("nodes"), \.node)]
}
