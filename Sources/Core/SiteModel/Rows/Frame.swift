/// Everything a node heard in one second, also when that is nothing.
package struct Frame: Equatable, Sendable, Codable {
    /// Frames this far apart still mean uninterrupted listening, and a node is down after it.
    package static let joining = Timestamp.Span.seconds(6)

    /// What was heard of one beacon.
    package struct Entry: Equatable, Sendable, Codable {
        /// The registered beacon.
        package var beacon: BeaconID
        /// The median level of the second.
        package var median: RSSI
        /// The number of advertisements.
        package var count: Int
        /// The strongest level of the second.
        package var strongest: RSSI
        /// How far apart this node's reports of this beacon usually are, from a network that does
        /// not tell everything each second; `nil` for a node of ours.
        package var cadence: Timestamp.Span?

        /// What was heard of a beacon.
        package init(
            beacon: BeaconID, median: RSSI, count: Int, strongest: RSSI,
            cadence: Timestamp.Span? = nil
        ) {
            self.beacon = beacon
            self.median = median
            self.count = count
            self.strongest = strongest
            self.cadence = cadence
        }
    }

    /// The node's process, a random number drawn at its start.
    package var boot: UInt64
    /// Counts frames of a boot, from 1.
    package var sequence: Int64
    /// The end of the second, by the node's clock.
    package var at: Timestamp
    /// Registered beacons heard, sorted by beacon.
    package var entries: [Entry]

    package init(boot: UInt64, sequence: Int64, at: Timestamp, entries: [Entry]) {
        self.boot = boot
        self.sequence = sequence
        self.at = at
        self.entries = entries
    }
}

/// The decided place of a user with its probability.
package struct Fix: Equatable, Sendable {
    /// Where: the last place that won the margin.
    package var place: Place
    /// The probability of its room, 0 ... 0.98.
    package var roomProbability: Double
    /// The probability of the station or of the rest of the room, 0 ... 0.98.
    package var probability: Double
    /// The level of the place's loudest ear, or of the loudest of all where it has none.
    package var level: RSSI
    /// When the user was last heard.
    package var heard: Timestamp
    /// Whether somebody stood at the place to teach it, so that its level need not be judged.
    package var isTaught = false
    /// For how long after `heard` this is evidence: longer where nodes report seldom.
    package var life = Self.life
    /// Why the place is another one than a second ago, or `nil` if it is the same.
    package var change: Reasons?

    package init(
        place: Place, roomProbability: Double, probability: Double, level: RSSI, heard: Timestamp,
        isTaught: Bool = false, life: Timestamp.Span = Self.life, change: Reasons? = nil
    ) {
        self.place = place
        self.roomProbability = roomProbability
        self.probability = probability
        self.level = level
        self.heard = heard
        self.isTaught = isTaught
        self.life = life
        self.change = change
    }

    /// The decided room.
    package var room: RoomID { place.room }
    /// The decided station, or `nil` if the user is elsewhere in the room.
    package var station: StationID? { place.station }

    /// From this probability on, machines may act on a place.
    package static let confirmed = 0.9
    /// What was heard longer ago than this says where somebody was, not where they are.
    package static let life = Timestamp.Span.seconds(3)

    /// The fix if it is evidence at `now`.
    package func fresh(at now: Timestamp) -> Fix? { now - heard <= life ? self : nil }
}

/// How two locators compare that heard the same: the one that decides and the one that only runs
/// beside it. Seconds are those of people: two people in one second are two.
package struct ShadowState: Equatable, Sendable, Codable {
    /// What is told of one of the two.
    package struct Side: Equatable, Sendable, Codable {
        /// Its rule.
        package var method: LocatingPolicy.Method
        /// Seconds in which it alone had a place.
        package var alone: Int
        /// Changes from one place to another.
        package var changes: Int
        /// The mean probability of the place it named, in seconds in which both named one; 0
        /// without any.
        package var probability: Double

        package init(
            method: LocatingPolicy.Method, alone: Int = 0, changes: Int = 0, probability: Double = 0
        ) {
            self.method = method
            self.alone = alone
            self.changes = changes
            self.probability = probability
        }
    }

    /// When the comparison began.
    package var since: Timestamp
    /// The moment this was so.
    package var at: Timestamp
    /// Seconds in which both named a place.
    package var seconds: Int
    /// Those of them in which it was the same.
    package var agreed: Int
    /// The locator that decides.
    package var deciding: Side
    /// The one beside it.
    package var shadow: Side

    package init(
        since: Timestamp, at: Timestamp, seconds: Int = 0, agreed: Int = 0, deciding: Side,
        shadow: Side
    ) {
        self.since = since
        self.at = at
        self.seconds = seconds
        self.agreed = agreed
        self.deciding = deciding
        self.shadow = shadow
    }

    /// The share of the seconds in which both named the same place, 0 without any.
    package var agreement: Double { seconds == 0 ? 0 : Double(agreed) / Double(seconds) }
}
