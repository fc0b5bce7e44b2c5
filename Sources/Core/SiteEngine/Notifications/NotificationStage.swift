import Scheduling
import SiteModel

/// Decides what people are to be told of: of each cause once, also after a restart.
///
/// Arrivals and departures follow from events, an empty battery from what a node tells. Who should be
/// there and is not, and tags that were left behind, are looked for once a minute.
struct NotificationStage: Sendable {
    /// The shortest time between two notifications about one battery.
    static let batteryRest = Timestamp.Span.seconds(7 * 86_400)
    /// An empty battery that is told of later than this is nothing new.
    static let batteryFreshness = Timestamp.Span.seconds(86_400)
    /// How long after a stated end the tag may still be heard before it counts as left behind.
    static let strayAfter = Timestamp.Span.seconds(30 * 60)
    /// By so much longer than a session needs to begin the tag is heard after that: who came back
    /// has a session by then.
    static let returning = Timestamp.Span.seconds(2)

    /// Who is missing is not looked for earlier after a start or a pause.
    static let settling = Timestamp.Span.seconds(120)
    /// Frames of the newest seconds may be under way, and nodes have just restarted their scans.
    static let delay = Timestamp.Span.seconds(30)
    /// Time that passes without a decision for longer is a pause.
    static let pause = Timestamp.Span.seconds(60)

    private let duties: Duties
    /// What the clocks of the site show, by what people decided last.
    let calendar: SiteCalendar
    /// The causes of what is not of an event.
    private var told: Set<String>
    /// When each battery was last told of.
    private var batteries: [BeaconID: Timestamp] = [:]
    /// The last second that was decided, and since when none was left out.
    private var seen: (last: Timestamp, since: Timestamp)?

    /// As stored; with what is kept of a stage that went on until now.
    init(saved: Saved, keeping old: NotificationStage? = nil) {
        seen = old?.seen
        duties = saved.overrides?.duties ?? Duties()
        calendar = duties.calendar
        told = Set(saved.notifications.map(\.cause))
        for row in saved.notifications {
            guard let beacon = row.beacon else { continue }
            batteries[beacon] = max(row.made, batteries[beacon] ?? row.made)
        }
    }

    /// Who came, who left and who broke a record of theirs, of the facts of one input.
    func news(in facts: [Fact], at now: Timestamp) -> [Fact] {
        // A record is told of right after its set.
        var exercise = ""
        return facts.compactMap { fact in
            if case .set(let set) = fact { exercise = set.exercise }
            guard case .event(let event) = fact else { return nil }
            let (kind, subject): (NotificationRow.Kind, String)
            var station: StationID?
            switch event.kind {
            case .checkedIn: (kind, subject) = (.arrival, "\(event.subject)")
            case .checkedOut: (kind, subject) = (.departure, "\(event.subject)")
            case .recordBroken:
                guard duties.rules.records.contains(event.user) else { return nil }
                (kind, subject) = (.record, exercise)
            case .offered:
                (kind, subject) = (.queueOffer, "")
                if case .station(let place) = event.place { station = place }
            default: return nil
            }
            return .notification(
                row(
                    kind, "event-\(event.id)", event.user, subject: subject, station: station,
                    at: event.at, made: now))
        }
    }

    /// A node tells that a battery is nearly empty; `user` carries it now.
    mutating func battery(
        of beacon: BeaconID, carriedBy user: UserID?, at moment: Timestamp, now: Timestamp
    ) -> Fact? {
        let isRecent = batteries[beacon].map { $0 <= now && now - $0 < Self.batteryRest } ?? false
        guard !isRecent, now - moment < Self.batteryFreshness else { return nil }
        batteries[beacon] = now
        let made = row(
            .batteryLow, "battery-\(beacon.row)-\(now.milliseconds)", user, beacon: beacon,
            at: min(moment, now), made: now)
        return .notification(made)
    }

    /// One second passed. Who is missing, and whose tag was left behind, once a minute; not at once after
    /// a start or a pause, as nodes still tell what they heard meanwhile.
    ///
    /// Nobody is missed while nobody listens, unless the site has no nodes (`coverage` is `nil`): whoever has
    /// come since may be there.
    mutating func step(
        saved: Saved, attendance: Attendance, coverage: [RoomTime]?, at now: Timestamp
    ) -> [Fact] {
        let old = seen.flatMap { now - $0.last <= Self.pause ? $0 : nil }
        seen = (now, old?.since ?? now)
        guard let old, old.last.second / 60 != now.second / 60,
            now - old.since >= Self.settling
        else { return [] }
        // What is forgotten in the file is forgotten here.
        if old.last.second / 86_400 != now.second / 86_400 {
            told = Set(saved.notifications.map(\.cause))
        }
        let watched = Watched(attendance: attendance)
        var rows: [NotificationRow] = []
        for (user, session) in watched.open where session.from < now - duties.rules.forgotten {
            rows.append(
                row(
                    .forgottenTag, "open-\(session.id)", user, subject: "\(session.id)",
                    at: session.from + duties.rules.forgotten, since: session.from, made: now))
        }
        for stray in watched.strays(
            after: Self.strayAfter, for: attendance.policy.enter + Self.returning)
        {
            rows.append(
                row(
                    .forgottenTag, "stray-\(stray.session)", stray.user,
                    subject: "\(stray.session)", at: stray.heard, since: stray.left, made: now))
        }
        let recent = Interval(from: now - Self.settling, to: now)
        let isListening =
            coverage?.contains {
                $0.seconds.covered(in: recent) + Self.delay >= Self.settling
            } ?? true
        for turn in duties.turns(at: now, by: calendar)
        where isListening
            && !watched.wasThere(
                turn.assignment.user, from: turn.hours.from - turn.shift.earlyIn, to: now)
        {
            rows.append(
                row(
                    .noCheckIn, "shift-\(turn.assignment.id)-\(turn.date)", turn.assignment.user,
                    subject: "\(turn.shift.slug) \(turn.date)",
                    at: turn.hours.from + turn.shift.lateGrace, since: turn.hours.from, made: now))
        }
        return rows.filter { told.insert($0.cause).inserted }.map { .notification($0) }
    }

    private func row(
        _ kind: NotificationRow.Kind, _ cause: String, _ user: UserID?, subject: String = "",
        beacon: BeaconID? = nil, station: StationID? = nil, at moment: Timestamp,
        since: Timestamp? = nil, made: Timestamp
    ) -> NotificationRow {
        NotificationRow(
            kind: kind, cause: cause, user: user, subject: subject, beacon: beacon,
            station: station, at: moment, since: since, made: made,
            due: duties.rules.due(kind, about: user, at: made, by: calendar))
    }
}

/// What the stage asks attendance.
private struct Watched {
    let attendance: Attendance

    /// Somebody whose tag is still heard although they said that they left.
    struct Stray {
        let user: UserID
        /// The row of the session that they ended.
        let session: Int64
        let left: Timestamp
        /// The end of the last second they were heard in.
        let heard: Timestamp
    }

    /// Who is in, and since when.
    var open: [(user: UserID, session: Session)] {
        attendance.people.compactMap { person in
            person.sessions.last.flatMap { $0.to == nil ? (person.id, $0) : nil }
        }
    }

    /// Whose tag was heard for `length` in one stretch, later than `pause` after they said that they
    /// left.
    func strays(after pause: Timestamp.Span, for length: Timestamp.Span) -> [Stray] {
        attendance.people.compactMap { person in
            guard person.isLingering, let session = person.sessions.last, let left = session.to,
                let heard = person.ledger.union.intervals.last,
                heard.to - max(heard.from, left + pause) > length
            else { return nil }
            return Stray(user: person.id, session: session.id, left: left, heard: heard.to)
        }
    }

    /// Whether somebody was in at any time between two moments; also of who is no user any more, as
    /// nobody misses them.
    func wasThere(_ user: UserID, from: Timestamp, to: Timestamp) -> Bool {
        guard let index = attendance.users[user] else { return true }
        return attendance.people[index].sessions.contains { session in
            session.from <= to && (session.to.map { $0 > from } ?? true)
        }
    }
}
