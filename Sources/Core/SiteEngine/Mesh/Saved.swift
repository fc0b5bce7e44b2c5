import Scheduling
import SiteModel
import TrainingEngine

/// The stored state of a site: what `Store.load` returns and `Mesh(restoring:)` takes.
///
/// It is the sum of all facts so far; `apply` is that sum. Lists are sorted by row. Older
/// sessions, closed stays, workouts that ended long ago, events, evidence and earlier
/// reasons are in the database but decide nothing any more, so they are not here.
package struct Saved: Equatable, Sendable, Codable {
    /// How far back late evidence may change sessions.
    package static let horizon = Watermark.horizon
    /// How long an ended session may still change: evidence as old as the horizon may continue one that
    /// ended up to as long before.
    package static let sessionLife = Timestamp.Span.seconds(72 * 3600)
    /// How long an answer is remembered.
    package static let answerLife = Timestamp.Span.seconds(24 * 3600)

    /// How long it is remembered that somebody let an offer pass.
    package static let waitLife = Wait.life
    /// By how many uses of a station it is told when it will be free.
    package static let mostUses = StationPace.uses.upperBound

    /// The site's own row.
    package var site: SiteRow
    /// Ledgers by user.
    package var ledgers: [LedgerRow]
    /// Presence machines by user.
    package var presences: [PresenceRow]
    /// Sessions that are open, or ended within `sessionLife` before `site.clock`, or are their user's
    /// newest (by start, then row); void ones left out.
    package var sessions: [Session]
    /// Open stays.
    package var stays: [Stay]
    /// Workouts with their stations: those that are open or ended within `Workout.grace` before `site.clock`, and
    /// each user's newest, by row. Imported ones left out.
    package var workouts: [WorkoutLog]
    /// Stations that are out of order.
    package var downtimes: [Downtime]
    /// Who waits for a station, and who let an offer pass within `Wait.life` before `site.clock`, by row.
    package var waits: [Wait]
    /// How long the latest uses of each station were, by station.
    package var paces: [StationPace]
    /// Answers younger than 24 h before `site.clock`, by client and id.
    package var answers: [Answer]
    /// Requests of the rooms that were done less than 24 h before `site.clock`, by client and id. Their answers are
    /// the rooms'; the machines know that these ids are used.
    package var usedIDs: [UsedID]
    /// How far the outboxes of each node are stored, by node and outbox; of a node the newest few.
    package var cursors: [CursorRow]
    /// Why each user was last decided to be at another place, by user; within `Reasons.life`.
    package var reasons: [Reasons]
    /// How much louder than others nodes hear and beacons send, by device.
    package var offsets: [OffsetRow]
    /// What people decided, as far as the machines know; `nil` if nothing ever was.
    package var overrides: Overrides?
    /// Notifications younger than `NotificationRow.life` before `site.clock`, by cause; those that
    /// follow from an event left out.
    package var notifications: [NotificationRow]

    /// A site nothing has happened at.
    package init() {
        site = SiteRow(clock: Timestamp(milliseconds: 0), next: 1, coverage: [], clocks: [])
        ledgers = []
        presences = []
        sessions = []
        stays = []
        workouts = []
        downtimes = []
        waits = []
        paces = []
        answers = []
        usedIDs = []
        cursors = []
        reasons = []
        offsets = []
        notifications = []
    }

    /// Takes in one fact.
    package mutating func apply(_ fact: Fact) {
        switch fact {
        case .site(let row):
            site = row
            trim()
        case .ledger(let row): ledgers.put(row, by: \.user)
        case .presence(let row): presences.put(row, by: \.user)
        case .session(let session):
            if session.isVoid {
                sessions.removeAll { $0.id == session.id }
            } else {
                sessions.put(session, by: \.id)
            }
        case .stay(let stay):
            if stay.to == nil {
                stays.put(stay, by: \.id)
            } else {
                stays.removeAll { $0.id == stay.id }
            }
        case .workout(let workout): workouts.put(workout, at: site.clock)
        case .claim(let claim):
            workouts.put(claim)
            paces.take(claim)
        case .wait(let wait): waits.keep(wait)
        case .set(let set): workouts.put(set)
        case .downtime(let downtime):
            if downtime.to == nil {
                downtimes.put(downtime, by: \.id)
            } else {
                downtimes.removeAll { $0.id == downtime.id }
            }
        case .answer(let answer): answers.put(answer, by: \.key)
        case .cursor(let row): cursors.keep(row)
        case .reasons(let row): reasons.put(row, by: \.user)
        case .offset(let row): offsets.put(row, by: \.device)
        case .overrides(let new): overrides = new
        case .notification(let row):
            guard !row.kind.isOfEvent, !notifications.contains(where: { $0.cause == row.cause })
            else { break }
            notifications.put(row, by: \.cause)
        case .event, .evidence, .nodeEvent, .statement, .dispute: break
        }
    }

    /// Drops what the clock has passed.
    private mutating func trim() {
        let settled = site.clock - Self.sessionLife
        var newest: [UserID: Session] = [:]
        for session in sessions {
            if let other = newest[session.user], (other.from, other.id) > (session.from, session.id)
            {
                continue
            }
            newest[session.user] = session
        }
        sessions.removeAll { session in
            newest[session.user]?.id != session.id && (session.to.map { $0 < settled } ?? false)
        }
        let oldest = site.clock - Self.answerLife
        answers.removeAll { $0.at < oldest }
        workouts.settle(at: site.clock)
        waits.settle(at: site.clock)
        usedIDs.removeAll { $0.at < oldest }
        let told = site.clock - Reasons.life
        reasons.removeAll { $0.at < told }
        let noticed = site.clock - NotificationRow.life
        notifications.removeAll { $0.made < noticed }
    }
}

extension KeyedDecodingContainer {
    /// A state that was recorded before notifications were part of it has none.
    func decode(
        _ type: [NotificationRow].Type, forKey key: Key
    ) throws -> [NotificationRow] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    /// Nor has one that was recorded before the machines knew the ids of the rooms.
    func decode(_ type: [UsedID].Type, forKey key: Key) throws -> [UsedID] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

/// The state of a site that belongs to nobody in particular.
package struct SiteRow: Equatable, Sendable, Codable {
    /// The moment of the newest input whose facts are stored.
    package var clock: Timestamp
    /// The next unused row number of sessions, stays, workouts, claims and events.
    package var next: Int64
    /// When each room was listened to, sorted by room.
    package var coverage: [RoomTime]
    /// How far the clocks of each node's last processes are off, sorted by node, a node's newest
    /// last.
    package var clocks: [NodeClock]
    /// Grows when this state is another one than the nodes have seen: restored from a backup, or
    /// taken over. From 1.
    package var epoch: Int64
    /// Through when each node has told what it heard, without a gap, sorted by node. Only nodes that
    /// ever told.
    package var watermarks: [Watermark]
    /// Before this moment no evidence changes anything any more.
    package var watermark: Timestamp
    /// The first second in which anybody ever listened at the site, as far as it is known by now;
    /// `nil` before.
    package var listeningSince: Timestamp?
    /// Since when stations are what they are, by row.
    package var stations: [StationSince]

    package init(
        clock: Timestamp, next: Int64, coverage: [RoomTime], clocks: [NodeClock], epoch: Int64 = 1,
        watermarks: [Watermark] = [], watermark: Timestamp = Timestamp(milliseconds: 0),
        listeningSince: Timestamp? = nil, stations: [StationSince] = []
    ) {
        self.clock = clock
        self.next = next
        self.coverage = coverage
        self.clocks = clocks
        self.epoch = epoch
        self.watermarks = watermarks
        self.watermark = watermark
        self.listeningSince = listeningSince
        self.stations = stations
    }
}
