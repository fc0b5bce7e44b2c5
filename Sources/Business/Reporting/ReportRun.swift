import Basics
import Scheduling
import SiteModel
import SiteStore

/// Makes a report step by step, one person a step, so that whoever takes its text sets the pace and
/// nothing of the database is kept open between steps.
package struct ReportRun: Sendable {
    private let desk: ReportDesk
    private let order: ReportOrder
    private let people: [ReportPerson]
    private let places: [Stay.Place: String]
    private var next = 0

    /// A run at its beginning. Throws a `ReportOrder.Refusal` if nobody has the id asked about.
    package init(_ order: ReportOrder, _ desk: ReportDesk) throws {
        self.order = order
        self.desk = desk
        people = try desk.people(of: order)
        places = try ReportRows(desk.store).places()
    }

    /// Writes what comes next. Returns whether there is more.
    ///
    /// - Throws: A reader's `StoreError`, or what the writer's output throws.
    package mutating func step(_ writer: inout SheetWriter) throws -> Bool {
        switch order.kind {
        case .present:
            try writePresent(&writer)
            return false
        case .contacts:
            try writeContacts(&writer)
            return false
        case .twins:
            try writeTwins(&writer)
            return false
        case .usualDay:
            try writeUsualDay(&writer)
            return false
        case .day, .month, .overtime, .lateEarly, .timeInPlace, .stays, .between:
            guard next < people.count else { return false }
            let person = people[next]
            next += 1
            try write(person, &writer)
            return next < people.count
        }
    }

    private func write(_ person: ReportPerson, _ writer: inout SheetWriter) throws {
        switch order.kind {
        case .timeInPlace: try writeTimes(of: person, &writer)
        case .stays: try writeStays(of: person, &writer)
        case .between: try writeBetween(person, &writer)
        default:
            guard let report = DayReport(rawValue: order.kind.rawValue) else { return }
            let margin = DaySheet.margin
            let record = try ReportRows(desk.store).record(
                of: person.user,
                touching: Interval(from: order.asked.from - margin, to: order.asked.to + margin))
            // Who left and was not there has no days.
            guard !person.isRetired || !record.sessions.isEmpty else { return }
            let rows = DaySheet.rows(
                of: PersonRecord(
                    user: person.user, slug: person.slug, name: person.name,
                    sessions: record.sessions, knownThrough: record.knownThrough,
                    assignments: record.assignments,
                    leave: record.leave),
                days: order.days, desk.context)
            report.write(rows, to: &writer)
        }
    }

    private func writeTimes(of person: ReportPerson, _ writer: inout SheetWriter) throws {
        let stays = try ReportRows(desk.store).stays(of: person.user, touching: order.asked)
        let times = PlaceTime.rows(
            of: stays, days: order.days, desk.context.calendar, now: desk.context.now)
        for time in times {
            writer.row([
                .text(person.slug), .text(person.name), .date(time.date),
                .text(Self.level(of: time.place)),
                places[time.place].map { .text($0) }, .length(time.time),
                .count(Int64(time.stays)),
            ])
        }
    }

    private func writeStays(of person: ReportPerson, _ writer: inout SheetWriter) throws {
        for stay in try ReportRows(desk.store).stays(of: person.user, touching: order.asked) {
            let end = min(stay.to ?? max(stay.from, desk.context.now), order.asked.to)
            let length = end - max(stay.from, order.asked.from)
            writer.row([
                .text(person.slug), .text(person.name), .text(Self.level(of: stay.place)),
                places[stay.place].map { .text($0) }, .moment(stay.from),
                stay.to.map { .moment($0) }, .length(max(length, .milliseconds(0))),
            ])
        }
    }

    private static func level(of place: Stay.Place) -> String {
        switch place {
        case .room: "room"
        case .station: "station"
        }
    }

    private func writeBetween(_ person: ReportPerson, _ writer: inout SheetWriter) throws {
        let record = try ReportRows(desk.store).record(of: person.user, touching: order.asked)
        for session in record.sessions {
            let end = desk.context.end(of: session, knownThrough: record.knownThrough)
            let length = min(end, order.asked.to) - max(session.from, order.asked.from)
            writer.row([
                .text(person.slug), .text(person.name), .moment(session.from),
                session.to.map { .moment($0) }, .length(max(length, .milliseconds(0))),
                .flag(session.to == nil),
            ])
        }
    }

    private func writePresent(_ writer: inout SheetWriter) throws {
        for row in try WhoRow.all(in: desk.store) where order.user == nil || order.user == row.user
        {
            writer.row([
                .text(row.user), .text(row.name), .moment(row.from), row.room.map { .text($0) },
                row.station.map { .text($0) }, .moment(row.since),
            ])
        }
    }

    private func writeContacts(_ writer: inout SheetWriter) throws {
        let everybody = try ReportRows(desk.store).people()
        var stays: [Stay] = []
        for person in everybody {
            stays += try ReportRows(desk.store).stays(of: person.user, touching: order.asked)
                .filter(\.isRoom)
        }
        let contacts = Contact.rows(
            of: stays, in: order.asked, least: order.least, now: desk.context.now,
            with: order.user == nil ? nil : people.first?.user)
        for contact in contacts {
            writer.row(
                Self.cells(of: [contact.first, contact.second], everybody) + [
                    places[.room(contact.room)].map { .text($0) }, .moment(contact.from),
                    .moment(contact.to), .length(contact.time),
                ])
        }
    }

    private func writeUsualDay(_ writer: inout SheetWriter) throws {
        let day = order.days.upperBound
        let bounds = desk.context.calendar.bounds(of: day...day)
        var earlier: [Interval] = []
        for week in 1...UsualDay.weeks {
            let other: LocalDate = day + (-7 * week)
            earlier.append(desk.context.calendar.bounds(of: other...other))
        }
        var inside: [Interval] = []
        for other in earlier + [bounds] {
            // A session may go over midnight.
            let asked = Interval(from: other.from - DaySheet.margin, to: other.to)
            for session in try sessions(in: asked) {
                let end = session.to ?? max(session.from, desk.context.now)
                guard end > other.from, order.user == nil || session.user == people.first?.user
                else { continue }
                inside.append(Interval(from: session.from, to: end))
            }
        }
        let rows = UsualDay.rows(
            of: inside, day: bounds, earlier: earlier, now: desk.context.now)
        for row in rows {
            let people: Sheet.Cell? = row.people.map { .count(Int64($0)) }
            let usual: Sheet.Cell? = row.usual.map { .count(Int64($0)) }
            writer.row([.moment(row.at), people, usual])
        }
    }

    /// The sessions that begin in an interval.
    private func sessions(in asked: Interval) throws -> [Session] {
        var query = SessionQuery(limit: 5000)
        query.from = asked.from
        query.to = asked.to
        var sessions: [Session] = []
        while true {
            let page = try ReportRows(desk.store).sessions(query)
            sessions += page
            guard page.count == query.limit, let last = page.last else { return sessions }
            query.after = (last.from, last.id)
        }
    }

    private func writeTwins(_ writer: inout SheetWriter) throws {
        let everybody = try ReportRows(desk.store).people()
        let sessions = try sessions(in: order.asked)
        for twins in Twins.rows(of: sessions, desk.context.calendar) {
            let pair = [twins.first, twins.second]
            guard order.user == nil || pair.contains(where: { $0 == people.first?.user }) else {
                continue
            }
            writer.row(
                Self.cells(of: pair, everybody) + [
                    .count(Int64(twins.days.count)), twins.days.first.map { .date($0) },
                    twins.days.last.map { .date($0) },
                ])
        }
    }

    private static func cells(of users: [UserID], _ people: [ReportPerson]) -> [Sheet.Cell?] {
        users.flatMap { user -> [Sheet.Cell?] in
            let person = people.first { $0.user == user }
            return [person.map { .text($0.slug) }, person.map { .text($0.name) }]
        }
    }
}

/// What is stored about one person that reports are made from.
package struct PersonRecord: Sendable {
    package var user: UserID
    /// Their pseudonym.
    package var slug: String
    /// What they are called. Hostile text.
    package var name: String
    /// Their sessions that are not void and touch the days reported, oldest first.
    package var sessions: [Session]
    /// Through when it is known that they are there, if a session is open; `nil` for up to now.
    package var knownThrough: Timestamp?
    package var assignments: [ShiftAssignment]
    /// Their days of leave.
    package var leave: [LeaveDay]

    package init(
        user: UserID, slug: String, name: String, sessions: [Session],
        knownThrough: Timestamp? = nil, assignments: [ShiftAssignment] = [], leave: [LeaveDay] = []
    ) {
        self.user = user
        self.slug = slug
        self.name = name
        self.sessions = sessions
        self.knownThrough = knownThrough
        self.assignments = assignments
        self.leave = leave
    }
}

/// What holds for everybody at a site when a report is made.
package struct ReportContext: Sendable {
    /// The site's clocks and days.
    package var calendar: SiteCalendar
    /// Every shift, retired ones too, by row.
    package var shifts: [Int64: Shift]
    /// The moment of the report.
    package var now: Timestamp
    /// Everything before it can no longer change by itself, or `nil` if that is not known.
    package var finalThrough: Timestamp?

    /// What holds for everybody.
    package init(
        calendar: SiteCalendar, shifts: [Shift] = [], now: Timestamp, finalThrough: Timestamp?
    ) {
        self.calendar = calendar
        self.shifts = Dictionary(shifts.map { ($0.id, $0) }) { first, _ in first }
        self.now = now
        self.finalThrough = finalThrough
    }

    /// Until when a session counts: an open one up to now, or as far as it is known that they are
    /// there. What was listened to is stored once a minute, so that two minutes are no reason to doubt.
    package func end(of session: Session, knownThrough: Timestamp?) -> Timestamp {
        if let to = session.to { return to }
        let known = knownThrough.map { now - $0 > .seconds(120) ? $0 : now } ?? now
        return max(session.from, known)
    }
}
