import SiteModel

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
