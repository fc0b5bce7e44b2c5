import Notifications
import Operations
import Platform
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore
import Wire

// Who else is told what happens at a site, and when people are told what.

extension Operation {
    static let notifications = [
        Operation(
            "webhook-list", "/api/v1/webhooks", .webhooks,
            "Addresses that are told what happens, and how that goes.", .of(Nothing.self),
            answer: .rows("webhooks")
        ) { _, caller, store in
            try Webhooks(store).all().map { WebhookLine($0, to: caller) }
        },
        Operation(
            "webhook-add", .post, "/api/v1/webhooks", .webhooks,
            "Adds an address; the answer has the secret of its signatures, shown once.",
            .of(NewWebhook.self), answer: .added, refusals: [.overlap], isShownOnce: true
        ) { new, caller, store in
            let ofActivity = NotificationPayload.Kind.ofActivity
            guard
                caller.reachesAll(.activityRead) || !new.kinds.contains(where: ofActivity.contains)
            else {
                throw BooksRefusal(
                    .forbidden,
                    "kinds: step-goal, move-reminder and share-request are people's own: only an owner may have them told"
                )
            }
            let address = try WebhookAddress(new.url, allowsInsecure: new.allowsInsecure)
            guard try !Webhooks(store).all().contains(where: { $0.url == address.url }) else {
                throw BooksRefusal(.overlap, "there is a webhook at this address already")
            }
            let secret = FeedText.secret()
            let id = try Webhooks(store).add(
                address, secret: secret, kinds: new.kinds, keepsQuiet: !new.tellsAlways,
                by: caller.name, via: caller.via, at: caller.moment)
            return WebhookSecret(id: id, secret: secret)
        },
        Operation(
            "webhook-remove", .delete, "/api/v1/webhooks/{id}", .webhooks,
            "Tells an address nothing more and forgets its secret.", .of(Numbered.self),
            answer: .nothing, refusals: [.notFound]
        ) { hook, caller, store in
            let isKnown = try Webhooks(store).revoke(
                hook.id, by: caller.name, via: caller.via, at: caller.moment)
            guard isKnown else { throw unknownWebhook }
        },
        outside(
            "webhook-test", .post, "/api/v1/webhooks/{id}/test", .webhooks,
            "Posts a signed trial at once, and says if it was taken; of https:// the status.",
            .of(Numbered.self), answer: .row, refusals: [.notFound]
        ) { hook, caller, store in
            let now = caller.moment
            guard let trial = try Webhooks(store).trial(of: hook.id, at: now) else {
                throw unknownWebhook
            }
            let outcome = WebhookClient().carry(trial, at: now)
            return Trial(outcome, at: trial.url, to: caller)
        },
        Operation(
            "notifications-show", "/api/v1/notifications", .webhooks,
            "When people are told what.", .of(Nothing.self), answer: .row
        ) { _, _, store in
            RulesLine(rules: try NotificationQueue(store).noticeRules())
        },
        Operation(
            "notifications-set", .put, "/api/v1/notifications", .webhooks,
            "Changes when people are told what; what is left out has its default.",
            .of(NoticeRules.self), answer: .row
        ) { rules, caller, store in
            try NotificationQueue(store).setNoticeRules(
                rules, by: caller.name, via: caller.via, at: caller.moment)
            return RulesLine(rules: rules)
        },
        Operation(
            "notifications-change", .patch, "/api/v1/notifications", .webhooks,
            "Changes when people are told what; what is left out stays.", .of(RulesChange.self),
            answer: .row
        ) { change, caller, store in
            let rules = change.applied(to: try NotificationQueue(store).noticeRules())
            try NotificationQueue(store).setNoticeRules(
                rules, by: caller.name, via: caller.via, at: caller.moment)
            return RulesLine(rules: rules)
        },
        Operation(
            "wishes-show", "/api/v1/users/{id}/notices", .sharing, about: .member("id"),
            "What somebody wants to be told of themselves.", .of(OfPerson.self), answer: .row
        ) { person, _, store in
            WishesLine(records: try NotificationQueue(store).wantsRecords(person.user))
        },
        Operation(
            "wishes-set", .put, "/api/v1/users/{id}/notices", .sharing, about: .member("id"),
            "Has somebody told of themselves, or not.", .of(Wishes.self), answer: .row,
            refusals: [.notFound], isEnding: { !$0.records }
        ) { wishes, caller, store in
            try NotificationQueue(store).tellRecords(
                wishes.user, wishes.records, by: caller.asker)
            return WishesLine(records: wishes.records)
        },
    ]
}

private let unknownWebhook = BooksRefusal(.notFound, "there is no such webhook")
