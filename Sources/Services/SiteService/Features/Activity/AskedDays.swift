import Activities
import ActivityEngine
import Basics
import Operations
import Reporting
import Scheduling
import SiteModel
import WebServer

/// What is known of somebody in the days that a request asks for.
struct ToldDays: Sendable {
    var figures: ActivityRecords.Figures
    var range: ActivityDays.Range
    var date: LocalDate
    var calendar: SiteCalendar
}

/// The days that a request asks for.
struct AskedDays: Sendable {
    static let query: [Parameter] = [
        .init("range", .oneOf(ActivityDays.Range.self)),
        .init("date", .date, "A day of it; today, if it is left out."),
    ]

    private let range: ActivityDays.Range
    /// `nil`: today.
    private let date: LocalDate?

    /// Throws a `RouteProblem` for a parameter that is neither one of days nor `allowed`, or cannot be read.
    init(_ request: RouteRequest, allowed: [String] = []) throws {
        let asked = try AskedQuery(request, allowed: allowed + Self.query.map(\.name))
        range = asked.values["range"].flatMap { ActivityDays.Range(rawValue: $0) } ?? .day
        date = try asked.values["date"].map { text in
            // Weeks around it must have moments that can be told.
            guard let given = LocalDate(text), (1971...9998).contains(given.parts.year) else {
                throw RouteProblem(
                    .badRequest, "date: a day such as 2026-03-29, of the years 1971 to 9998.")
            }
            return given
        }
    }

    /// Answers in JSON what is known of a person, in words of `text`.
    ///
    /// - Throws: A `RouteProblem` if there is nobody of that slug, or `text` does.
    func told(
        of user: String, by desk: WriteDesk,
        _ text: @escaping @Sendable (ToldDays) throws -> String
    ) async throws -> RouteAnswer {
        let (store, now) = (desk.store, desk.clock.now)
        let told = try await Blocking.run { () throws -> String? in
            let calendar = try ReportDesk(store, now: now).context.calendar
            let date = date ?? calendar.local(now).date
            let dates = ActivityDays.dates(range, around: date)
            let bounds = Interval(
                from: ActivityDays.bounds(of: dates.lowerBound, calendar).from,
                to: ActivityDays.bounds(of: dates.upperBound, calendar).to)
            let figures = try ActivityRecords(store).figures(
                of: user, in: bounds, at: range == .day ? now : nil)
            return try figures.map {
                try text(ToldDays(figures: $0, range: range, date: date, calendar: calendar))
            }
        }
        guard let told else { throw RouteProblem.unknownPerson }
        return .json(told + "\n")
    }
}
