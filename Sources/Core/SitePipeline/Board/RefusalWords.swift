import Scheduling
import SiteModel
import Wire

extension ProblemCode {
    /// The same of a verb, with what is known beside the code: times by the site's clocks, people by their ids.
    func message(
        of verb: Request.Verb, _ detail: Answer.Detail?, names: Names, calendar: SiteCalendar
    ) -> String {
        let member = detail?.member.map { "\($0): " } ?? ""
        let since = detail?.since.map { ", since \(calendar.text($0))" } ?? ""
        let who = detail?.holders.map { ": " + $0.map(names.users.slug).joined(separator: ", ") }
        return member + (message(of: verb) ?? message) + since + (who ?? "")
    }

    /// What is said otherwise of workouts and sets; `nil`: nothing.
    private func message(of verb: Request.Verb) -> String? {
        guard case .training(_, let asked, _) = verb else { return nil }
        if case .past = asked, let message = messageOfPast { return message }
        return switch self {
        case .badTime:
            "the time is before the start or what it must follow, after the end, or to come"
        case .schema: "it must be given as the exercise is measured and loaded, and not otherwise"
        case .rateLimited: "a workout has at most 500 sets, uses of stations and pauses"
        case .expired: "it ended more than 24 hours ago"
        case .overlap: "another workout of the user is in that time"
        default: nil
        }
    }

    /// The same of a workout that is logged when it is over.
    private var messageOfPast: String? {
        switch self {
        case .schema:
            """
            of a workout that is over both times are needed, and no station; each set has an id of its own, and is \
            given as its exercise is measured
            """
        case .badTime:
            "it ends after it begins, at most 24 hours later and not after now, and its sets lie within"
        default: nil
        }
    }

    /// What a person is told, and what to do about it.
    package var message: String {
        switch self {
        case .idempotencyMismatch:
            "this request id was used before for something else: take a new one"
        case .notFound: "there is no such user, session, station, exercise, set or workout"
        case .badState: "it is not in a state that allows this"
        case .alreadyActive: "the user has an open workout: complete it first"
        case .outOfOrder: "the station is out of order: take another one"
        case .stationInUse: "every slot of the station is taken"
        case .alreadyIn: "the user is in already: check them out first, at the time they left"
        case .notIn: "the user is not in: to add a session that was missed, ask for a correction"
        case .overlap:
            "another session of the user is in the way: to add one that was missed, ask for a correction"
        case .badTime:
            "the time is to come, more than 36 hours ago, or before the beginning: ask for a correction"
        case .ambiguousTime: "the local time happens twice on that day: say which, with its offset"
        case .nonexistentTime: "the local time does not happen on that day: clocks go forward"
        case .lockedPeriod: "the day is locked: its lock must be moved back first"
        case .reasonRequired: "what is recorded is changed for a reason only: say why"
        case .revisionConflict: "it has changed since you looked: look again"
        case .consentRequired: "the user has not agreed to be located"
        case .forbidden: "this may not be done with these rights"
        case .rateLimited: "too much was asked for in a short time, or in a day: wait"
        case .unavailable: "the database cannot take more just now: try again in a minute"
        case .badRequest, .schema, .unauthorised, .methodNotAllowed, .alreadyExists, .inDoubt,
            .alreadyCompleted, .preconditionFailed, .expired, .tooLarge, .unsupportedType,
            .internal:
            meaning
        }
    }
}
