import Basics
import Operations
import Reporting
import SiteModel
import SiteStore

// Sessions of attendance, as they are read.

extension Operation {
    static let sessions = [
        Operation(
            "session-list", "/api/v1/attendance/sessions", .attendanceRead, about: .member("user"),
            "Sessions of attendance, newest first; what is not known yet is null.",
            .of(SessionsAsked.self), answer: .object(Sheet.sessionsAnswer) { $0 },
            refusals: [.notFound, .badTime]
        ) { asked, caller, store in
            try asked.told(by: ReportDesk(store, now: caller.moment))
        }
    ]
}

private struct SessionsAsked: OperationInput {
    var user: String?
    var from: LocalDate?
    var to: LocalDate?
    var review: Bool?
    var cursor: String?
    var limit = 100

    static let members: [Member<SessionsAsked>] = [
        .optional("user", .reference("users"), \.user, "Whose."),
        .optional("from", .date, \.from), .optional("to", .date, \.to),
        .optional("review", .flag, \.review, "Whether they need a look."),
        .optional("cursor", .text(1...64), \.cursor, "`next` of the answer before."),
        .preset("limit", .integer(1...500), \.limit),
    ]

    /// The page that is asked for, as JSON.
    func told(by desk: ReportDesk) throws -> String {
        // One more than asked for tells whether there are more.
        var query = SessionQuery(limit: limit + 1)
        query.isNewestFirst = true
        let people = try ReportRows(desk.store).people()
        if let user {
            guard let person = people.first(where: { $0.slug == user }) else {
                throw ReportOrder.Refusal(
                    code: .notFound, parameter: "user", reason: "nobody has this id")
            }
            query.user = person.user
        }
        let calendar = desk.context.calendar
        query.from = from.map { calendar.bounds(of: $0).from }
        query.to = to.map { calendar.bounds(of: $0).to }
        if let from = query.from, let to = query.to, to <= from {
            throw ReportOrder.Refusal(code: .badTime, parameter: "to", reason: "is before from")
        }
        if let review { query.needsReview = review }
        query.after = try cursor.map { try Self.place($0) }
        var page = try ReportRows(desk.store).sessions(query)
        let hasMore = page.count > limit
        page = Array(page.prefix(limit))
        let now = desk.context.now
        let sheet = desk.sheet(
            "sessions", Sheet.Column.sessions,
            Interval(
                from: query.from ?? now, to: max(query.from ?? now, query.to ?? now)))
        let rows = try page.map {
            RowText.object(try desk.cells($0, people), of: sheet, hasNulls: true)
        }
        let next = hasMore ? page.last.map { "\"\($0.from.milliseconds)-\($0.id)\"" } : nil
        return "{\"sessions\":[\(rows.joined(separator: ",\n"))],"
            + "\"demo\":\(desk.site.isDemo),\"next\":\(next ?? "null")}"
    }

    private static func place(_ cursor: String) throws -> (Timestamp, Int64) {
        let parts = cursor.split(separator: "-").map { Int64($0) }
        guard parts.count == 2, let from = parts[0], let id = parts[1] else {
            throw ReportOrder.Refusal(
                parameter: "cursor", reason: "what `next` of an answer said expected")
        }
        return (Timestamp(milliseconds: from), id)
    }
}
