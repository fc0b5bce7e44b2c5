import Positioning
import SiteModel
import TrainingEngine

/// The presence of every user in rooms and at stations: takes fixes in and gives out stays.
package struct Presence: Sendable {
    /// A place the filter names, and when the user was first heard there.
    private struct Named<Place: Equatable & Sendable>: Sendable {
        let place: Place
        let since: Timestamp

        /// The place of a fix; the time stays while the place does.
        init?(_ place: Place?, _ fix: Fix?, after old: Named?) {
            guard let place, let fix else { return nil }
            self.place = place
            since = old.flatMap { $0.place == place ? $0.since : nil } ?? fix.heard
        }
    }

    private var rooms: [LevelMachine<RoomID>]
    private var stations: [LevelMachine<StationID>]
    /// Open stays of each user, by level.
    private var open: [(room: Stay?, station: Stay?)]
    private var changed: [Bool]
    /// How long each user has been at a station, and away from all.
    private var watches: [StationWatch?]
    /// The station at which each user was heard in the last second without a doubt.
    private var confirmed: [StationID?]
    /// Of each user the room and station the filter names, confirmed or not, and since when.
    private var named: [(room: Named<RoomID>?, station: Named<StationID>?)]
    /// How seldom each user is received.
    private var cadences: [Cadence]
    private let users: [User]
    private let policy: Policy

    /// The machines of a plan's users, in their stored states.
    package init(plan: Plan, saved: Saved) {
        users = plan.users
        policy = plan.policy
        let index = RowIndex(saved.presences.map(\.user))
        let rows = plan.users.map { user in index[user.id].map { saved.presences[$0] } }
        rooms = rows.map { LevelMachine($0?.room ?? .unknown) }
        stations = rows.map { LevelMachine($0?.station ?? .unknown) }
        let openStays = Dictionary(grouping: saved.stays, by: \.user)
        open = plan.users.map { user in
            let stays = openStays[user.id] ?? []
            return (stays.first(where: \.isRoom), stays.first { !$0.isRoom })
        }
        changed = plan.users.map { _ in false }
        watches = rows.map { $0?.watch }
        confirmed = plan.users.map { _ in nil }
        named = plan.users.map { _ in (nil, nil) }
        cadences = rows.map { Cadence(gaps: $0?.watch?.gaps ?? []) }
    }

    /// Goes on with what the filter named under a plan that locates alike.
    mutating func keep(_ carried: Carryover, of old: Presence) {
        for (index, place) in carried.carriers.enumerated() {
            guard let place else { continue }
            named[index] = old.named[place]
            cadences[index] = old.cadences[place]
        }
    }

    /// One second passed for the user at index `user`.
    ///
    /// - Parameters:
    ///   - isListening: whether a room has a node that listens.
    ///   - awayFrom: a station of which it matters how long the user is silent there, and everywhere else.
    ///   - next: the next unused row; advanced here.
    package mutating func step(
        user: Int, fix: Fix?, isListening: (RoomID) -> Bool,
        listeningSince: (RoomID) -> Timestamp?, roomOf: (StationID) -> RoomID?,
        awayFrom: StationID? = nil, next: inout Int64
    ) -> [Fact] {
        let before = (rooms[user], stations[user])
        let watchedBefore = watches[user]
        if let fix, cadences[user].receive(at: fix.heard) { rememberGaps(of: user) }
        let patience = cadences[user].patience
        let room = rooms[user].place ?? fix?.room
        let isCovered = room.map(isListening) ?? true
        var facts: [Fact] = []

        var seenRoom: (place: RoomID, heard: Timestamp)?
        var seenStation: (place: StationID, heard: Timestamp)?
        named[user].room = Named(fix?.room, fix, after: named[user].room)
        named[user].station = Named(fix?.station, fix, after: named[user].station)
        // A new place must be confirmed; the present one is kept while the filter does not leave it,
        // however unsure it is.
        if let fix,
            fix.roomProbability >= Fix.confirmed || fix.room == rooms[user].place
        {
            seenRoom = (fix.room, fix.heard)
        }
        if let fix, let station = fix.station,
            fix.probability >= Fix.confirmed || station == stations[user].place,
            fix.isTaught || fix.level >= policy.stationFloor
        {
            seenStation = (station, fix.heard)
        }
        confirmed[user] = (fix?.probability ?? 0) >= Fix.confirmed ? seenStation?.place : nil
        for move in rooms[user].step(
            evidence: seenRoom, since: named[user].room?.since, isCovered: isCovered,
            timing: policy.room, patience: patience)
        {
            switch move {
            case .entered(let room, let at):
                let isFirst = before.0.place == nil && isAtOnce(at, listeningSince(room))
                facts += opened(.room(room), user: user, at: at, isFirst: isFirst, next: &next)
            case .left(_, let at): facts += closed(isRoom: true, user: user, at: at, next: &next)
            }
        }
        let place = stations[user].place.flatMap(roomOf)
        for move in stations[user].step(
            evidence: seenStation, since: named[user].station?.since,
            isCovered: place.map(isListening) ?? isCovered, timing: policy.station,
            patience: patience)
        {
            switch move {
            case .entered(let station, let at):
                let isFirst =
                    before.1.place == nil && isAtOnce(at, roomOf(station).flatMap(listeningSince))
                facts += opened(
                    .station(station), user: user, at: at, isFirst: isFirst, next: &next)
            case .left(_, let at): facts += closed(isRoom: false, user: user, at: at, next: &next)
            }
        }
        let isAway = awayFrom.flatMap(roomOf).map { fix != nil || isListening($0) } ?? false
        if isAway || watches[user] != nil || stations[user].place != nil {
            var watch = watches[user] ?? StationWatch()
            watch.follow(
                stations[user].state, lost: max(policy.station.lost, patience), isAway: isAway)
            watches[user] = watch
        }
        if before != (rooms[user], stations[user]) || watchedBefore != watches[user] {
            changed[user] = true
        }
        return facts
    }

    /// The room the user at index `user` is decided to be in.
    package func room(of user: Int) -> RoomID? { rooms[user].place }

    /// The station the user at index `user` is decided to be at.
    package func station(of user: Int) -> StationID? { stations[user].place }

    /// When the user came to the present station, or to the present room.
    package func since(of user: Int, isAtStation: Bool) -> Timestamp? {
        isAtStation ? stations[user].since : rooms[user].since
    }

    /// The silence of the user at index `user` that says nothing yet; 0 of whom is received often.
    package func patience(of user: Int) -> Timestamp.Span { cadences[user].patience }

    /// Keeps the gaps of a tag that sends seldom, and none of one that sends often.
    private mutating func rememberGaps(of user: Int) {
        let gaps = cadences[user].patience > .seconds(0) ? cadences[user].gaps : nil
        guard watches[user]?.gaps != gaps else { return }
        var watch = watches[user] ?? StationWatch()
        watch.gaps = gaps
        watches[user] = watch
    }

    /// What workouts follow from.
    package func sight(of user: Int, heard: Timestamp?) -> StationSight {
        StationSight(
            user: users[user].id, watch: watches[user] ?? StationWatch(),
            confirmed: confirmed[user], heard: heard)
    }

    /// Whether the user at index `user` is at a station.
    package func isAtStation(_ user: Int) -> Bool { watches[user]?.run != nil }

    /// A request for the user at index `user` was accepted; `isPlace`: it says where they are.
    package mutating func asked(user: Int, isPlace: Bool, at now: Timestamp) {
        var watch = watches[user] ?? StationWatch()
        watch.asked = now
        if isPlace { watch.away = 0 }
        watches[user] = watch
        changed[user] = true
    }

    /// Whether a row changed since the last call of `changes`.
    package var isChanged: Bool { changed.contains(true) }

    /// The rows that changed since the last call.
    package mutating func changes() -> [Fact] {
        var facts: [Fact] = []
        for index in users.indices where changed[index] {
            changed[index] = false
            facts.append(
                .presence(
                    PresenceRow(
                        user: users[index].id, room: rooms[index].state,
                        station: stations[index].state, watch: watches[index])))
        }
        return facts
    }

    /// Whether somebody was heard as soon as anybody listened: then they were there before, and
    /// nobody knows since when.
    private func isAtOnce(_ at: Timestamp, _ since: Timestamp?) -> Bool {
        since.map { at - $0 <= Ledger.joining } ?? false
    }

    /// `isFirst`: they did not come, they were found there.
    private mutating func opened(
        _ place: Stay.Place, user: Int, at: Timestamp, isFirst: Bool, next: inout Int64
    ) -> [Fact] {
        let stay = Stay(id: next, user: users[user].id, place: place, from: at, to: nil)
        if stay.isRoom { open[user].room = stay } else { open[user].station = stay }
        next += 1
        return [.stay(stay), event(isFirst ? .observed : .entered, stay, at: at, next: &next)]
    }

    private mutating func closed(
        isRoom: Bool, user: Int, at: Timestamp, next: inout Int64
    ) -> [Fact] {
        guard var stay = isRoom ? open[user].room : open[user].station else { return [] }
        if isRoom { open[user].room = nil } else { open[user].station = nil }
        stay.to = max(at, stay.from)
        return [.stay(stay), event(.left, stay, at: stay.to ?? at, next: &next)]
    }

    private func event(
        _ kind: Event.Kind, _ stay: Stay, at: Timestamp, next: inout Int64
    ) -> Fact {
        defer { next += 1 }
        return .event(
            Event(
                id: next, kind: kind, at: at, user: stay.user, place: stay.place, subject: stay.id))
    }
}
