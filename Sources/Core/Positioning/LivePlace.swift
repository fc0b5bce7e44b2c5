import SiteModel

/// What is published of where somebody is: a state, a place and its probability that agree.
///
/// The site, room and station machines leave by separate timers, and the locator is ahead of them.
/// This is the one place where the four are made into one answer:
/// - a station stands only beside `present`, in its own room, and while the locator decides for it;
/// - `present` in a room means that the locator decides for that room and gives it at least `likely`, or did at
///   the last packet of a tag that sends seldom;
/// - while it does not, the state is `moving` with the room it favours, or `leaving` once nobody
///   receives the user;
/// - the probability is that of the place published, and 0 where none is told.
package struct LivePlace: Equatable, Sendable {
    /// From this probability on a place is the likeliest: the probabilities of rooms are at most 1
    /// together, also as the curves of `Confidence` tell them.
    static let likely = 0.5

    /// What the room and station machines hold.
    package struct Held: Equatable, Sendable {
        package var room: RoomID?
        package var station: StationID?
        /// Whether a node that could receive the user in that room listens; true without a room.
        package var isCovered: Bool

        /// Whether nothing was received of them since this place was published, and nothing was to
        /// be: their tag sends seldom.
        package var isWaitedFor: Bool

        package init(
            room: RoomID? = nil, station: StationID? = nil, isCovered: Bool = true,
            isWaitedFor: Bool = false
        ) {
            self.room = room
            self.station = station
            self.isCovered = isCovered
            self.isWaitedFor = isWaitedFor
        }
    }

    /// The state published.
    package private(set) var state: PresenceState.State
    /// The room published, if any.
    package private(set) var room: RoomID?
    /// The station published, if any.
    package private(set) var station: StationID?
    /// The probability of the place published, 0 ... 1; 0 where none is told.
    package private(set) var confidence = 0.0

    /// - Parameters:
    ///   - site: the answer of the site level: `moving` is none.
    ///   - fix: what the locator decided, or `nil` if nobody receives the user.
    ///   - probability: of a room, or of a station in it, as the locator tells it.
    ///   - rooms: the rooms to choose from, in the order that breaks ties.
    package init(
        site: PresenceState.State, held: Held, fix: Fix?, rooms: [RoomID],
        probability: (RoomID, StationID?) -> Double
    ) {
        state = site
        switch site {
        case .unknown, .notPresent: return
        case .leaving:
            room = held.room
        case .entering:
            guard let fix, fix.room == held.room else { return }
            let sure = probability(fix.room, nil)
            if sure >= Self.likely { (room, confidence) = (fix.room, sure) }
        case .present, .moving:
            guard let fix else {
                // Nobody receives them any more. Where nobody could, nobody knows.
                state = held.isCovered ? .leaving : .unknown
                room = held.isCovered ? held.room : nil
                return
            }
            settle(held: held, fix: fix, rooms: rooms, probability: probability)
        }
    }

    private mutating func settle(
        held: Held, fix: Fix, rooms: [RoomID], probability: (RoomID, StationID?) -> Double
    ) {
        let decided = (room: fix.room, probability: probability(fix.room, nil))
        let isAtHeld = held.station == nil || held.station == fix.station
        // Between the packets of a tag that sends seldom belief fades, and no more.
        let least = held.isWaitedFor ? Self.likely : 0
        if fix.room == held.room, isAtHeld, max(decided.probability, least) >= Self.likely {
            state = .present
            (room, confidence) = (decided.room, max(decided.probability, least))
            guard let held = held.station else { return }
            let sure = max(probability(fix.room, held), least)
            if sure >= Self.likely { (station, confidence) = (held, sure) }
            return
        }
        state = .moving
        var likeliest = decided
        if decided.probability < Self.likely {
            for room in rooms {
                let sure = probability(room, nil)
                if sure > likeliest.probability { likeliest = (room, sure) }
            }
        }
        (room, confidence) = likeliest
    }
}
