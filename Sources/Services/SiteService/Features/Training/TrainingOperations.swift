import Basics
import Notifications
import Operations
import Permissions
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore
import Workouts

// What workouts come to: by exercise and week, the best of each exercise, and how stations were used.

extension Operation {
    /// Without a first day, so many days are told of.
    private static let usualDays: Int64 = 84

    static let training = [statistics, records, stationDay, trainingExport, sharingRequest]

    private static let sharingRequest = Operation(
        "training-ask", .post, "/api/v1/training/ask", .workoutsWrite,
        "Asks everybody who trains now and does not share it to share it, once a week at most. Trainers are not told whom.",
        .of(Nothing.self), answer: .row, wakesNotifier: true
    ) { _, caller, store in
        let calendar = try ReportDesk(store, now: caller.moment).context.calendar
        return SharingAsked(
            asked: try SharingRequests(store).ask(
                by: caller.principal?.user, at: caller.moment, calendar))
    }

    private static let statistics = Operation(
        "training-stats", "/api/v1/workouts/stats", .workoutsRead, about: .member("user"),
        "What somebody trained, by exercise and week, by muscle, and by day.",
        .of(TrainingQuery.self), answer: .row, refusals: [.notFound, .consentRequired, .badTime]
    ) { query, caller, store in
        let seesStations = caller.reachesAll(.reports)
        let user = query.user ?? caller.principal?.user
        if user != nil || !seesStations { _ = try user.known(in: store) }
        let calendar = try ReportDesk(store, now: caller.moment).context.calendar
        let last = query.to ?? calendar.local(caller.moment).date
        let first = query.from ?? last + (1 - usualDays)
        guard first <= last else { throw BooksRefusal(.badTime, "to: is before from") }
        let bounds = Interval(from: calendar.begin(of: first), to: calendar.begin(of: last + 1))
        var told = Training()
        if let user {
            let statistics = TrainingStatistics(store)
            (told.exercises, told.muscles) = try statistics.weeks(of: user, in: bounds) {
                calendar.local($0).date.weekName
            }
            told.days = try statistics.days(of: user, in: bounds) { calendar.local($0).date }
        }
        if seesStations {
            told.stations = try StationStatistics(store).uses(
                in: bounds, calendar, now: caller.moment)
        }
        return told
    }

    private static let records = Operation(
        "record-list", "/api/v1/records", .workoutsRead, about: .member("user"),
        "The best somebody has done of each exercise.", .of(RecordQuery.self),
        answer: .rows("records"), refusals: [.notFound, .consentRequired]
    ) { query, caller, store in
        let user = try (query.user ?? caller.principal?.user).known(in: store)
        return try TrainingStatistics(store).records(of: user, in: query.exercise)
    }

    private static let stationDay = Operation(
        "station-day", "/api/v1/stations/{id}/day", .placesRead, about: .each,
        "How a station was used on a day, and when it was out of order; not by whom.",
        .of(StationDate.self), answer: .row, refusals: [.notFound]
    ) { asked, caller, store in
        let calendar = try ReportDesk(store, now: caller.moment).context.calendar
        let date = asked.date ?? calendar.local(caller.moment).date
        let bounds = Interval(from: calendar.begin(of: date), to: calendar.begin(of: date + 1))
        guard let found = try StationStatistics(store).day(of: asked.station, in: bounds) else {
            throw BooksRefusal(.notFound, "there is no such station")
        }
        return found
    }

    private static let trainingExport = Operation(
        "training-export", "/api/v1/workouts/export", .workoutsRead, about: .member("user"),
        "What somebody trained, set by set, as CSV that can be imported.", .of(OfSomebody.self),
        answer: .file("text/csv"), refusals: [.notFound, .consentRequired]
    ) { query, caller, store in
        let user = try (query.user ?? caller.principal?.user).known(in: store)
        let isDemo = try ReportDesk(store, now: caller.moment).site.isDemo
        return NamedFile(
            name: (isDemo ? "demo-" : "") + "training-\(user).csv",
            bytes: try HistoryExport(store).csv(of: user))
    }
}

extension String? {
    /// The slug of somebody whose training is asked about.
    func known(in store: Store) throws -> String {
        guard let user = self else { throw InputFault.missing("user") }
        guard try WorkoutHistory(store).knows(user) else {
            throw BooksRefusal(.notFound, "there is no such user")
        }
        return user
    }
}

private struct TrainingQuery: OperationInput {
    var user: String?
    var from: LocalDate?
    var to: LocalDate?

    static let members: [Member<TrainingQuery>] = [
        .whose(\.user), .optional("from", .day, \.from),
        .optional("to", .day, \.to),
    ]
}

private struct RecordQuery: OperationInput {
    var user: String?
    var exercise: String?

    static let members: [Member<RecordQuery>] = [
        .whose(\.user),
        .optional("exercise", .slug, \.exercise),
    ]
}

private struct StationDate: OperationInput {
    var station = ""
    var date: LocalDate?

    static let members: [Member<StationDate>] = [
        .needed("id", .reference("stations"), \.station),
        .optional("date", .day, \.date, "Today, if it is left out."),
    ]
}

extension LocalDate {
    /// Its week as ISO 8601 has it: `2026-W48`.
    fileprivate var weekName: String {
        let (year, week) = week
        return "\(year)-W\(week < 10 ? "0" : "")\(week)"
    }
}

extension SiteCalendar {
    /// The first moment of a date by the clocks on the wall.
    fileprivate func begin(of date: LocalDate) -> Timestamp {
        switch moment(of: date, .midnight) {
        case .one(let moment), .ambiguous(let moment, _): moment
        // The clocks were set forward over it: the day begins where they went on.
        case .nonexistent: bounds(of: date).from
        }
    }
}

private struct SharingAsked: OperationOutput {
    var asked: Int

    static let members: [Member<SharingAsked>] = [
        .needed("asked", .count, \.asked, "How many.")
    ]
}
