import Activities
import ActivityEngine
import Basics
import Operations
import Permissions
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore

// Steps, distance and energy of people, what they set for them, and what of it they share with trainers.

extension Operation {
    private static let path = "/api/v1/activity"

    static let activity =
        [show, begin, end, export, settingsShow, settingsSet, reset] + sharingOfActivity

    private static let show = Operation(
        "activity-show", path, .activityRead, about: .member("user"),
        "What somebody walked: a day by hours, a week by days, a month by ISO weeks.",
        .of(AskedDays.self), answer: .object(ActivityText.answer) { ActivityText.text($0) },
        refusals: [.notFound]
    ) { asked, caller, store in
        try asked.told(of: try caller.whose(asked.user), at: caller.moment, in: store)
    }

    private static let begin = Operation(
        "activity-begin", .post, path + "/begin", .activityWrite, about: .member("user"),
        "Begins something by hand. Without an end it ends with the last that tells of it: steps, a "
            + "heart rate, a change of place.", .of(NewActivity.self), answer: .row,
        refusals: [.notFound, .alreadyActive], changesDay: true
    ) { asked, caller, store in
        let user = try caller.whose(asked.user)
        return try byHand(.begin(user: user, asked.kind), of: user, by: caller, in: store)
    }

    private static let end = Operation(
        "activity-end", .post, path + "/end", .activityWrite, about: .member("user"),
        "Ends what goes on.", .of(OfSomebody.self), answer: .row,
        refusals: [.notFound, .badState], isEnding: { _ in true }, isFree: true, changesDay: true
    ) { asked, caller, store in
        let user = try caller.whose(asked.user)
        return try byHand(.end(user: user), of: user, by: caller, in: store)
    }

    private static func byHand(
        _ call: ActivityCall, of user: String, by caller: Caller, in store: Store
    ) throws -> ByHand {
        let records = ActivityRecords(store)
        _ = try records.perform(call, by: caller.asker)
        guard let last = try records.newestByHand(of: user, at: caller.moment) else {
            throw BooksRefusal.nobody
        }
        return ByHand(activity: last)
    }

    private static let export = Operation(
        "activity-export", path + "/export", .activityRead, about: .member("user"),
        "Every day with a count, as CSV.", .of(OfSomebody.self), answer: .file("text/csv"),
        refusals: [.notFound]
    ) { asked, caller, store in
        let user = try caller.whose(asked.user)
        let calendar = try ReportDesk(store, now: caller.moment).context.calendar
        let oldest = caller.moment - .seconds(Double(ActivitySample.keptDays + 1) * 86_400)
        let all = Interval(from: oldest, to: caller.moment + ActivitySample.longest)
        let records = ActivityRecords(store)
        guard let figures = try records.figures(of: user, in: all, withDemo: false) else {
            throw BooksRefusal.nobody
        }
        return NamedFile(
            name: "activity-\(user).csv",
            bytes: Array(ActivityText.csv(figures, calendar).utf8))
    }

    private static let settingsShow = Operation(
        "activity-settings", path + "/settings", .activityRead, about: .member("user"),
        "What somebody has set, and the goals that they had.", .of(OfSomebody.self),
        answer: .row, refusals: [.notFound]
    ) { asked, caller, store in
        try ActivityRecords(store).known(try caller.whose(asked.user))
    }

    private static let settingsSet = Operation(
        "activity-set", .put, path + "/settings", .activityWrite, about: .member("user"),
        "Sets all of it anew; what is left out has its default.", .of(NewSettings.self),
        answer: .row, refusals: [.notFound], changesDay: true
    ) { wish, caller, store in
        try caller.refusePhones()
        let user = try caller.whose(wish.user)
        let calendar = try ReportDesk(store, now: caller.moment).context.calendar
        let goal = ActivitySettings.Goal(
            from: wish.from.flatMap(\.self) ?? calendar.local(caller.moment).date,
            steps: wish.goal.flatMap(\.self))
        let records = ActivityRecords(store)
        _ = try records.perform(
            .settings(user: user, wish.settings, goal: goal), by: caller.asker)
        return try records.known(user)
    }

    private static let reset = Operation(
        "activity-reset", .delete, path, .activityWrite, about: .member("user"),
        "Deletes every sample of somebody, and the days on which they reached a goal.",
        .of(OfSomebody.self), answer: .nothing, refusals: [.notFound], changesDay: true
    ) { asked, caller, store in
        try caller.refusePhones()
        let user = try caller.whose(asked.user)
        _ = try ActivityRecords(store).perform(.reset(user: user), by: caller.asker)
    }

    // MARK: Sharing

    private static let sharingOfActivity = [
        Operation(
            "activity-sharing", path + "/sharing", .activityRead, about: .member("user"),
            "What somebody shares with trainers.", .of(OfSomebody.self), answer: .row,
            refusals: [.notFound]
        ) { asked, caller, store in
            let user = try caller.whose(asked.user)
            return SharedItems(items: try ActivityRecords(store).known(user).shared)
        },
        Operation(
            "activity-share", .put, path + "/sharing", .activityWrite, about: .member("user"),
            "Shares these parts with trainers, and nothing else.", .of(NewSharing.self),
            answer: .row, refusals: [.notFound], isEnding: \.items.isEmpty, changesDay: true
        ) { wish, caller, store in
            try caller.refusePhones()
            let items = Set(wish.items)
            let call = ActivityCall.share(user: try caller.whose(wish.user), items)
            _ = try ActivityRecords(store).perform(call, by: caller.asker)
            return SharedItems(items: items)
        },
        Operation(
            "activity-shared", path + "/shared", .activityShared, "Who shares something, and what.",
            .of(Nothing.self), answer: .rows("people", "By slug.")
        ) { _, _, store in
            try ActivityRecords(store).sharing().map {
                Sharer(user: $0.user, items: $0.items)
            }
        },
        Operation(
            "activity-of", path + "/shared/{user}", .activityShared, about: .member("user"),
            "What somebody walked, as far as they share it.", .of(SharedDays.self),
            answer: .object(ActivityText.sharedAnswer) { told in
                ActivityText.text(
                    told, only: ActivityItem.allCases.filter(told.figures.shared.contains))
            }, refusals: [.notFound, .consentRequired]
        ) { asked, caller, store in
            let told = try asked.days.told(of: asked.user, at: caller.moment, in: store)
            // Read with the figures: what somebody no longer shares is not told a moment later.
            guard !told.figures.shared.isEmpty else {
                throw BooksRefusal(
                    .consentRequired, "they share nothing of their activity with trainers")
            }
            return told
        },
    ]
}

extension Caller {
    /// Of whom is asked: of whom is named, else of whoever asks.
    func whose(_ named: String?) throws(InputFault) -> String {
        guard let user = named ?? principal?.user else { throw .missing("user") }
        return user
    }

    /// A phone that is lost must not open the way for others, change what its person set, nor delete anything.
    func refusePhones() throws(BooksRefusal) {
        guard principal?.scopes.isEmpty ?? true else {
            throw BooksRefusal(.forbidden, "a phone's token sends and reads, and no more")
        }
    }
}

extension BooksRefusal {
    static let nobody = BooksRefusal(.notFound, "there is no such user")
}

extension ActivityRecords {
    /// What is known of somebody besides their days: what they set, and what they share.
    fileprivate func known(_ user: String) throws -> Figures {
        guard let figures = try figures(of: user) else { throw BooksRefusal.nobody }
        return figures
    }
}
