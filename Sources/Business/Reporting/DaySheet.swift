import Basics
import Scheduling
import SiteModel

/// Days of a person, worked out from their sessions, shifts and leave.
package enum DaySheet {
    /// Margin by which sessions beyond the days reported are needed, so that night shifts and the
    /// choice of a shift come out right.
    package static let margin = Timestamp.Span.seconds(2 * 86400)

    /// The lines of a person for business days, by day and start of the shift.
    ///
    /// A shift belongs to the day it begins on, and so does what counts for it; a session that counts
    /// for no shift belongs to the day of its check-in. Sums over sheets that follow one another
    /// therefore count everything once.
    package static func rows(
        of person: PersonRecord, days: ClosedRange<LocalDate>, _ context: ReportContext
    ) -> [DayRow] {
        let match = ShiftMatch(person, days: days, context)
        let instances = Dictionary(grouping: match.instances, by: \.date)
        var others: [LocalDate: [Counted]] = [:]
        for attended in match.others {
            others[context.calendar.businessDay(of: attended.from), default: []].append(attended)
        }
        var rows: [DayRow] = []
        for day in days.lowerBound.day...days.upperBound.day {
            let date = LocalDate(day: day)
            let leave = person.leave.first { $0.date == date }
            let shifts = instances[date] ?? []
            for shift in shifts { rows.append(row(of: person, shift, leave: leave, context)) }
            if let unplanned = others[date] {
                var row = DayRow(person, date, leave: leave)
                row.status = .present
                row.add(unplanned)
                row.isFinal = isFinal(unplanned, through: nil, context)
                rows.append(row)
            } else if shifts.isEmpty {
                var row = DayRow(person, date, leave: leave)
                row.status = leave == nil ? .off : .onLeave
                let end = context.calendar.bounds(of: date).to
                row.isFinal = context.finalThrough.map { end <= $0 } ?? false
                rows.append(row)
            }
        }
        return rows
    }

    private static func row(
        of person: PersonRecord, _ instance: ShiftMatch.Instance, leave: LeaveDay?,
        _ context: ReportContext
    ) -> DayRow {
        let shift = instance.shift
        let hours = instance.hours
        var row = DayRow(person, instance.date, leave: leave)
        row.shift = shift.slug
        row.hours = hours
        row.add(instance.attended)
        let isHalf = leave?.isHalf ?? false
        if leave == nil || isHalf {
            let whole = max(0, hours.length.milliseconds - shift.pause.milliseconds)
            row.planned = .milliseconds(isHalf ? whole / 2 : whole)
        }
        for part in instance.attended {
            row.before = row.before + part.part(from: part.from, to: hours.from).present
            row.after = row.after + part.part(from: hours.to, to: part.to).present
        }
        if !isHalf { row.deducted = deducted(of: instance, row) }
        row.isFinal = isFinal(instance.attended, through: instance.window.to, context)
        row.status = status(of: row, instance, leave: leave, at: context.now)
        guard leave == nil, row.status != .absent else { return row }
        if let first = row.firstIn, first > hours.from + shift.lateGrace {
            row.late = first - hours.from
        }
        if row.status != .ongoing, let last = row.lastOut, last < hours.to - shift.exitGrace {
            row.early = hours.to - last
        }
        return row
    }

    /// What is left of the shift's break after recorded breaks and absences between sessions, once
    /// half of the shift was worked.
    private static func deducted(of instance: ShiftMatch.Instance, _ row: DayRow) -> Timestamp.Span
    {
        guard row.present.milliseconds * 2 >= instance.hours.length.milliseconds else {
            return .milliseconds(0)
        }
        let gaps = zip(instance.attended, instance.attended.dropFirst()).reduce(Int64(0)) {
            $0 + max(0, ($1.1.from - $1.0.to).milliseconds)
        }
        let left = max(0, instance.shift.pause.milliseconds - row.breaks.milliseconds - gaps)
        return .milliseconds(min(left, row.present.milliseconds))
    }

    private static func status(
        of row: DayRow, _ instance: ShiftMatch.Instance, leave: LeaveDay?, at now: Timestamp
    ) -> DayRow.Status {
        let shift = instance.shift
        if row.firstIn != nil, row.lastOut == nil { return .ongoing }
        if let leave, !leave.isHalf { return row.firstIn == nil ? .onLeave : .present }
        if now < instance.hours.from { return row.firstIn == nil ? .planned : .ongoing }
        if now < instance.hours.to { return .ongoing }
        let isAbsent = row.firstIn == nil || row.present < shift.absent
        if leave != nil { return isAbsent ? .absent : .halfDay }
        if isAbsent { return .absent }
        return row.present < shift.halfDay ? .halfDay : .present
    }

    private static func isFinal(
        _ attended: [Counted], through end: Timestamp?, _ context: ReportContext
    ) -> Bool {
        guard let final = context.finalThrough else { return false }
        return (end.map { $0 <= final } ?? true)
            && attended.allSatisfy { $0.session.to.map { $0 <= final } ?? false }
    }
}

extension DayRow {
    init(_ person: PersonRecord, _ date: LocalDate, leave: LeaveDay?) {
        user = person.user
        slug = person.slug
        name = person.name
        self.date = date
        self.leave = leave?.kind
        status = .off
    }

    /// Counts sessions, or parts of them, in.
    fileprivate mutating func add(_ attended: [Counted]) {
        guard let first = attended.first, let last = attended.last else { return }
        firstIn = first.from
        lastOut = last.isOpen ? nil : last.to
        for part in attended {
            breaks = breaks + part.breaks
            present = present + part.present
            unknown = unknown + part.unknown
            review += part.session.review.map(\.rawValue)
        }
        review = Set(review).sorted()
    }
}

/// One person on one business day: a line for each shift, or one for a day without.
package struct DayRow: Equatable, Sendable {
    /// What the day came to.
    package enum Status: String, CaseIterable, Sendable {
        /// Was there long enough, or without a plan.
        case present
        /// Was there for less than the shift asks for.
        case halfDay = "half-day"
        /// Did not come, or hardly.
        case absent
        /// Need not come, and did not.
        case onLeave = "on-leave"
        /// The shift is not over, or they are there: nothing is decided.
        case ongoing
        /// The shift has not begun.
        case planned
        /// No shift, and was not there.
        case off
    }

    package var user: UserID
    /// Their pseudonym.
    package var slug: String
    /// What they are called.
    package var name: String
    /// The business day: that of the shift, else that of the check-in.
    package var date: LocalDate
    /// The slug of the shift.
    package var shift: String?
    /// When they should have been there.
    package var hours: Interval?
    /// The kind of leave.
    package var leave: String?
    package var status: Status
    /// The first check-in.
    package var firstIn: Timestamp?
    /// The last check-out; `nil` while they are in.
    package var lastOut: Timestamp?
    /// How long they should work: the shift without its break, half of it on half a day of leave.
    package var planned = Timestamp.Span.milliseconds(0)
    /// How long they were there, without breaks.
    package var present = Timestamp.Span.milliseconds(0)
    /// How long nobody has known whether they are still there: their session is open, and nobody
    /// listens. It is not part of `present`.
    package var unknown = Timestamp.Span.milliseconds(0)
    /// Breaks that were recorded.
    package var breaks = Timestamp.Span.milliseconds(0)
    /// What was taken off because absences did not make up the shift's break.
    package var deducted = Timestamp.Span.milliseconds(0)
    /// How late they came, if later than the grace.
    package var late = Timestamp.Span.milliseconds(0)
    /// How early they left, if earlier than the grace.
    package var early = Timestamp.Span.milliseconds(0)
    /// How long they were there before the shift began.
    package var before = Timestamp.Span.milliseconds(0)
    /// How long they were there after the shift ended.
    package var after = Timestamp.Span.milliseconds(0)
    /// Why somebody should look at it: codes, sorted.
    package var review: [String] = []
    /// Nothing that a node still holds back can change it.
    package var isFinal = false

    /// What counts: there, less what was taken off.
    package var worked: Timestamp.Span {
        .milliseconds(present.milliseconds - deducted.milliseconds)
    }
}
