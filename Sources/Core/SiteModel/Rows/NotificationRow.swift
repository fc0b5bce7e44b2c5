/// Something that people are to be told of, decided once and stored before anybody is told.
package struct NotificationRow: Equatable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Somebody came.
        case arrival
        /// Somebody left.
        case departure
        /// A shift began and its user did not come.
        case noCheckIn = "no-check-in"
        /// A tag is there, and its user probably is not.
        case forgottenTag = "forgotten-tag"
        /// A beacon will soon be silent.
        case batteryLow = "battery-low"
        /// Somebody did better than ever before in an exercise, and wants to be told.
        case record
        /// A slot of a station is kept for somebody who waits for it.
        case queueOffer = "queue-offer"
        /// Somebody made as many steps on a day as they wanted.
        case goal = "step-goal"
        /// Somebody wants to be reminded to move.
        case reminder = "move-reminder"
        /// A trainer asks somebody to let trainers see what they train.
        case shareRequest = "share-request"
        /// A tag of a group that is told of came into range of the site.
        case tagSeen = "tag-seen"
        /// It is out of range.
        case tagGone = "tag-gone"
        /// A stranger's device appeared, of a type that is told of.
        case deviceSeen = "device-seen"
        /// A stranger's device came and went with somebody on three days.
        case deviceBeside = "device-beside"
        /// Somebody tries a webhook out. Never stored.
        case test

        /// Whether it follows from an event or a row, which is told once by itself.
        package var isOfEvent: Bool {
            [
                .arrival, .departure, .record, .queueOffer, .goal, .reminder, .shareRequest,
                .tagSeen, .tagGone, .deviceSeen, .deviceBeside,
            ].contains(self)
        }

        /// Whether it is of no use later: no quiet hours hold it back.
        package var isPressing: Bool { self == .queueOffer }
    }

    /// How long notifications and their deliveries are kept.
    package static let life = Timestamp.Span.seconds(90 * 86_400)
    /// What happened longer ago than this when it is noticed is recorded and no news.
    package static let freshness = Timestamp.Span.seconds(15 * 60)

    package var kind: Kind
    /// What it stems from: of one cause there is one notification at most.
    package var cause: String
    /// Whom it is about, or `nil` if it is about nobody.
    package var user: UserID?
    /// The session, the shift or the exercise it is about; empty for a beacon.
    package var subject: String
    /// The beacon or station it is about, if it is about one.
    package var beacon: BeaconID?
    package var station: StationID?
    /// When it happened.
    package var at: Timestamp
    /// The beginning of what it is about: of the session or shift, or when they checked out.
    package var since: Timestamp?
    /// When it was noticed.
    package var made: Timestamp
    /// When it may be told: later than `made` if that was in quiet hours.
    package var due: Timestamp

    package init(
        kind: Kind, cause: String, user: UserID?, subject: String = "", beacon: BeaconID? = nil,
        station: StationID? = nil, at: Timestamp, since: Timestamp? = nil, made: Timestamp,
        due: Timestamp? = nil
    ) {
        self.kind = kind
        self.cause = cause
        self.user = user
        self.subject = subject
        self.beacon = beacon
        self.station = station
        self.at = at
        self.since = since
        self.made = made
        self.due = due ?? made
    }

    /// Whether it was noticed too late to be news.
    package var isLate: Bool { made - at > Self.freshness }
}
