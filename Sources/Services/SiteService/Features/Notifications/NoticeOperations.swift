import Notifications
import Operations
import Permissions
import Records
import SiteModel
import SiteStore

// What people are told of, as they read it, and up to where they have.

extension Operation {
    static let notices = [
        Operation(
            "notice-list", "/api/v1/notices", .attendanceRead, about: .member("user"),
            "What somebody is told of, the newest first: what is about them; who runs the site sees what is about others, "
                + "but not what is private to these.",
            .of(NoticesAsked.self), answer: .row
        ) { asked, caller, store in
            let queue = NotificationQueue(store)
            let reader = caller.noticeReader
            var page = try queue.listed(
                for: reader, of: asked.user, before: try asked.place, most: asked.limit + 1,
                at: caller.moment)
            let hasMore = page.count > asked.limit
            page = Array(page.prefix(asked.limit))
            return NoticePage(
                notices: page,
                silent: try caller.principal?.account.map { try Pushes(store).choice(of: $0).page }
                    ?? [], unread: try queue.unread(by: reader, at: caller.moment),
                next: hasMore ? page.last.map { "\($0.due.milliseconds)-\($0.id)" } : nil)
        },
        Operation(
            "notices-read", .post, "/api/v1/notices/read", .session, about: .each,
            "Notes that whoever asks has seen what was due up to a moment.", .of(Seen.self),
            answer: .nothing, isFree: true
        ) { seen, caller, store in
            guard let account = caller.principal?.account else {
                throw BooksRefusal(.badState, "a program has no marks: only accounts do")
            }
            try NotificationQueue(store).mark(
                through: seen.through, by: account, at: caller.moment)
        },
    ]
}

extension Caller {
    fileprivate var noticeReader: NoticeReader {
        var hidden = Set(NotificationRow.Kind.ofOneself)
        if !reachesAll(.activityRead) { hidden.formUnion(NotificationRow.Kind.ofActivity) }
        if !reachesAll(.workoutsRead) { hidden.formUnion([.record, .queueOffer]) }
        return NoticeReader(
            account: principal?.account, user: principal?.user,
            seesOthers: reachesAll(.attendanceRead), hidden: hidden)
    }
}

private struct NoticesAsked: OperationInput {
    var user: String?
    var cursor: String?
    var limit = 50

    /// Where the list goes on.
    var place: NoticePlace? {
        get throws {
            guard let cursor else { return nil }
            let parts = cursor.split(separator: "-").map { Int64($0) }
            guard parts.count == 2, let due = parts[0], let id = parts[1] else {
                throw BooksRefusal(.badRequest, "cursor: what `next` of an answer said expected")
            }
            return NoticePlace(due: Timestamp(milliseconds: due), id: id)
        }
    }

    static let members: [Member<NoticesAsked>] = [
        .optional("user", .reference("users"), \.user, "Only what is about them."),
        .optional("cursor", .text(1...64), \.cursor, "`next` of the answer before."),
        .preset("limit", .integer(1...200), \.limit),
    ]
}

private struct Seen: OperationInput {
    var through = Timestamp(milliseconds: 0)

    static let members: [Member<Seen>] = [
        .needed("through_ms", .time, \.through, "`due_ms` of the first of the list.")
    ]
}

private struct NoticePage: OperationOutput {
    var notices: [ListedNotice]
    var silent: [NotificationRow.Kind]
    var unread: Int
    var next: String?

    static let members: [Member<NoticePage>] = [
        .needed("notices", .list(.object), \.notices),
        .needed(
            "silent", .list(.word), \.silent, "Kinds of which the account wants no word on a page."),
        .needed(
            "unread", .integer(0...Int64(NotificationQueue.mostUnread)), \.unread,
            "Of what is about whoever asks, and of what they should do something about; \(NotificationQueue.mostUnread): "
                + "as many or more."),
        .optional("next", .anyText, \.next, "What to ask for as `cursor`; not there at the end."),
    ]
}

extension ListedNotice: OperationOutput {
    package static let members: [Member<ListedNotice>] = [
        .needed("id", .count, \.id), .needed("kind", .word, \.kind),
        .optional("user", .slug, \.user, "Whom it is about."),
        .needed("subject", .anyText, \.subject, "The row or slug of what it is about."),
        .needed("at_ms", .time, \.at),
        .needed("due_ms", .time, \.due, "When it was told: quiet hours hold back."),
        .needed("late", .flag, \.isLate, "Too late to be news."),
        .needed("read", .flag, \.isRead),
    ]
}
