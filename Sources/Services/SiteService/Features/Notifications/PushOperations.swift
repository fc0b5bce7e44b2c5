import Ciphers
import Notifications
import Operations
import Permissions
import Records
import SiteModel
import SiteStore

// What an account is told while no page is open, and what it does not want to be told.

extension Operation {
    static let pushes = [
        Operation(
            "push-key", .post, "/api/v1/push/key", .session, about: .each,
            "The key by which push services know the site, as browsers want it.", .of(Nothing.self),
            answer: .row, isFree: true
        ) { _, caller, store in
            PushKeyTold(key: WebPush.encoded(try Pushes(store).makeKey(at: caller.moment).shared))
        },
        Operation(
            "push-list", "/api/v1/push/subscriptions", .session, about: .each,
            "The browsers of whoever asks that are told while no page is open.", .of(Nothing.self),
            answer: .rows("subscriptions"), refusals: [.badState]
        ) { _, caller, store in
            try Pushes(store).all(of: caller.ownAccount)
        },
        Operation(
            "push-remove", .delete, "/api/v1/push/subscriptions/{id}", .session, about: .each,
            "Tells a browser nothing more.", .of(Numbered.self), answer: .nothing,
            refusals: [.notFound, .badState]
        ) { browser, caller, store in
            guard try Pushes(store).remove(browser.id, of: caller.ownAccount) else {
                throw BooksRefusal(.notFound, "there is no such browser of yours")
            }
        },
        Operation(
            "notice-choice", "/api/v1/notices/choice", .session, about: .each,
            "What whoever asks does not want to be told, by channel.", .of(Nothing.self),
            answer: .row, refusals: [.badState]
        ) { _, caller, store in try Pushes(store).choice(of: caller.ownAccount) },
        Operation(
            "notice-choose", .put, "/api/v1/notices/choice", .session, about: .each,
            "Sets that; what is left out is told.", .of(NoticeChoice.self), answer: .row,
            refusals: [.badState]
        ) { choice, caller, store in
            try Pushes(store).choose(choice, of: caller.ownAccount)
            return choice
        },
    ]
}

extension Caller {
    /// The account they signed in with.
    var ownAccount: String {
        get throws {
            guard let account = principal?.account else {
                throw BooksRefusal(.badState, "only accounts are told: sign in")
            }
            return account
        }
    }
}

private struct PushKeyTold: OperationOutput {
    var key: String

    static let members: [Member<PushKeyTold>] = [
        .needed("key", .anyText, \.key, "65 bytes in base64url.")
    ]
}

extension PushSubscription: OperationOutput {
    package static let members: [Member<PushSubscription>] = [
        .needed("id", .count, \.id), .needed("made_ms", .time, \.made),
        .needed("endpoint", .anyText, \.endpoint, "By which a browser knows itself."),
    ]
}

extension NoticeChoice: OperationInput {
    package init() { self.init(page: [], push: []) }

    package static let members: [Member<NoticeChoice>] = [
        .preset("page", .list(.word), \.page, "Not by a word on an open page."),
        .preset("push", .list(.word), \.push, "Not by a message while none is open."),
        .preset("mail", .list(.word), \.mail, "Not by mail."),
    ]
}
