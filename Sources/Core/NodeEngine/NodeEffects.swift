import BeaconDecoding
import SiteModel

extension NodeCore {
    /// What a node has to say. All but `online`, `applied`, `evidence` and
    /// `notice` is perishable: if it cannot be said now it is dropped.
    package enum Effect: Equatable, Sendable {
        /// One second of listening.
        case frame(NodeFrame)
        /// One transmitter's steadied level.
        case reading(NodeReading)
        /// A sign of life.
        case beat(NodeBeat)
        /// Counters.
        case health(NodeHealth)
        /// The runs of a minute. Durable: to be kept until it is stored elsewhere.
        case evidence(NodeEvidence)
        /// Something about a registered beacon. Durable, too.
        case notice(BeaconNotice)
        /// An advertisement for the holder of a debug lease.
        case raw(RawAdvertisement)
        /// Devices of strangers, at a moment. Told with an acknowledgement, and not kept.
        case sightings([NodeSighting], at: Timestamp)
        /// The policy in force since `at`, or one that was refused and why.
        case applied(revision: Int64, error: String?, at: Timestamp)
        /// Say who we are: the process runs since `since`.
        case online(since: Timestamp)
    }
}

/// A transmitter in what a node says.
package enum BeaconReference: Hashable, Sendable {
    /// A registered beacon: its index in `NodePolicy.known`.
    case known(Int)
    /// One that nobody registered.
    case unregistered(Identity)
}

/// Everything heard in one second in which the radio listened throughout.
package struct NodeFrame: Equatable, Sendable {
    /// What was heard of one transmitter.
    package struct Entry: Equatable, Sendable {
        package var beacon: BeaconReference
        /// The median level of the second.
        package var median: RSSI
        /// The number of advertisements, from 1.
        package var count: Int
        /// The strongest level of the second.
        package var strongest: RSSI

        /// What was heard of a transmitter.
        package init(beacon: BeaconReference, median: RSSI, count: Int, strongest: RSSI) {
            self.beacon = beacon
            self.median = median
            self.count = count
            self.strongest = strongest
        }
    }

    /// The most entries, so that a frame fits its payload limit of 64 KiB. Registered beacons come
    /// first; what does not fit counts as dropped.
    package static let capacity = 512

    /// Counts frames of a boot, from 1.
    package var sequence: Int64
    /// The end of the second.
    package var at: Timestamp
    /// Registered beacons by index, then the others by identity.
    package var entries: [Entry]

    package init(sequence: Int64, at: Timestamp, entries: [Entry]) {
        self.sequence = sequence
        self.at = at
        self.entries = entries
    }
}

/// One transmitter's steadied level.
package struct NodeReading: Equatable, Sendable {
    package var beacon: BeaconReference
    /// Counts readings of a boot, from 1.
    package var sequence: Int64
    /// When it was last heard.
    package var at: Timestamp
    /// The steadied level.
    package var level: RSSI
    /// The last level as the radio gave it.
    package var raw: RSSI
    /// Advertisements since the last reading, from 1.
    package var count: Int
    /// Their standard deviation in dB.
    package var spread: Double
    /// The level at 1 m that the transmitter claims to have, if it claims one.
    package var measuredPower: RSSI?
    /// How long it is from one advertisement to the next, or `nil` while that is not known.
    package var interval: Timestamp.Span?

    package init(
        beacon: BeaconReference, sequence: Int64, at: Timestamp, level: RSSI, raw: RSSI, count: Int,
        spread: Double, measuredPower: RSSI?, interval: Timestamp.Span? = nil
    ) {
        self.beacon = beacon
        self.sequence = sequence
        self.at = at
        self.level = level
        self.raw = raw
        self.count = count
        self.spread = spread
        self.measuredPower = measuredPower
        self.interval = interval
    }
}

/// A sign of life, every two seconds.
package struct NodeBeat: Equatable, Sendable {
    /// The node's time.
    package var at: Timestamp
    /// The number of the last frame; 0 before the first.
    package var frameSequence: Int64
    /// How long ago the radio gave a packet of any kind, or `nil` if it never did.
    package var radioAge: Timestamp.Span?

    package init(at: Timestamp, frameSequence: Int64, radioAge: Timestamp.Span?) {
        self.at = at
        self.frameSequence = frameSequence
        self.radioAge = radioAge
    }
}

/// A node's counters. Those without a span count from the start of the process.
package struct NodeHealth: Equatable, Sendable {
    /// The node's time.
    package var at: Timestamp
    /// Since the start of the process.
    package var uptime: Timestamp.Span
    /// Whether the radio listens.
    package var adapter: AdapterState
    /// Advertisements a second, over the last 30 s.
    package var advertisementRate: Double
    /// Registered beacons heard in the last 10 s.
    package var registered: Int
    /// Other transmitters with a stable name heard in the last 10 s.
    package var unregistered: Int
    /// Transmitters forgotten, or left out of a frame, because there were too many.
    package var dropped: Int
    /// Packets and reports that were malformed.
    package var malformed: Int
    /// Advertisements for which the controller had no level.
    package var levelless: Int
    /// Addresses heard in the last minute, at most 4,096: about as many as there
    /// are devices, because a device that changes its address does so every few minutes.
    package var devices = 0
    /// Addresses forgotten within a minute, because there were too many.
    package var addressesForgotten = 0
    /// Advertisements of transmitters the policy does not allow.
    package var excluded = 0
    /// Advertisements that were recorded and sent again: under changing names and private addresses
    /// that their owners had left before.
    package var replayed = 0
    /// Transmitters left out of a frame because there were too many.
    package var leftOut = 0
    /// Advertisements that seemed to come from beyond the range.
    package var outOfRange = 0
    /// Registered beacons of which such came within the last minute, the loudest first.
    package var farBeacons: [OutOfRange] = []
    /// How long ago the radio gave a packet of any kind, or `nil` if it never did.
    package var radioAge: Timestamp.Span?
    /// What the scanner does, where one says so.
    package var scanner: ScanStatus?
    /// Advertisements told under debug leases.
    package var rawSent = 0
    /// Advertisements such a lease left out.
    package var rawLeftOut = 0
    /// When the debug lease under way ends.
    package var leaseEnd: Timestamp?
    /// What a person should look at, the oldest first.
    package var alerts: [RaisedAlert] = []

    /// Counters; the rest is as if nothing had happened.
    package init(
        at: Timestamp, uptime: Timestamp.Span, adapter: AdapterState, advertisementRate: Double,
        registered: Int, unregistered: Int, dropped: Int, malformed: Int, levelless: Int
    ) {
        self.at = at
        self.uptime = uptime
        self.adapter = adapter
        self.advertisementRate = advertisementRate
        self.registered = registered
        self.unregistered = unregistered
        self.dropped = dropped
        self.malformed = malformed
        self.levelless = levelless
    }
}

extension NodeHealth {
    /// The most beacons that a health message names as out of range.
    package static let mostOutOfRange = 16

    /// A registered beacon that seems too far away.
    package struct OutOfRange: Equatable, Sendable {
        /// Its index in `NodePolicy.known`.
        package var beacon: Int
        /// Advertisements kept out, from 1, since it was registered or the process began.
        package var count: Int
        /// The level of the latest, and what it claimed to have at 1 m, if anything.
        package var level: RSSI
        package var power: RSSI?
        /// When that was.
        package var at: Timestamp
    }
}
