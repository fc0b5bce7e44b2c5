import SiteModel

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
