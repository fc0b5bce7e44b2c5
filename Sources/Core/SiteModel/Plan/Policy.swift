import Basics

/// How the machines of a site decide. The defaults are the timings of `DESIGN.md`.
package struct Policy: Hashable, Sendable, Codable {
    /// How quickly presence at one level is believed and given up.
    package struct Timing: Hashable, Sendable, Codable {
        /// Evidence must last this long before an entry is believed.
        package var enter: Timestamp.Span
        /// The silence after which the state reads `leaving`.
        package var lost: Timestamp.Span
        /// The silence after which the place is left, with effect from the last heard moment.
        package var leave: Timestamp.Span

        /// Three spans, each at least 0.5 s.
        package init(enter: Timestamp.Span, lost: Timestamp.Span, leave: Timestamp.Span) {
            self.enter = enter
            self.lost = lost
            self.leave = leave
        }
    }

    /// Site presence, and with it attendance.
    package var site: Timing
    /// Room presence.
    package var room: Timing
    /// Station presence.
    package var station: Timing
    /// A station is believed only from this smoothed level on.
    package var stationFloor: RSSI
    /// Seconds below this level do not count as being at the site.
    package var siteFloor: RSSI
    /// Whether nodes publish what is not registered: fixed addresses and decoded beacons.
    package var publishesUnregistered: Bool
    /// When the coordinator has them stop that; `nil`: never.
    package var unregisteredUntil: Timestamp?
    /// What nodes regard at all beside the registered beacons; `nil` for everything.
    package var allowed: [Identity]?
    /// What nodes are to do beside that; `nil` where nothing else is said.
    package var practice: NodePractice?
    /// How it is decided where people are; `nil` where nothing is said.
    package var locating: LocatingPolicy?
    /// What counts as one session; `nil` where nothing is said.
    package var attendance: AttendancePolicy?
    /// Which doubts are told; `nil` for all.
    package var doubts: DoubtPolicy?

    /// A policy. The defaults: site 10/30/90 s, room 5/15/30 s, station 5/10/20 s.
    package init(
        site: Timing = Timing(enter: .seconds(10), lost: .seconds(30), leave: .seconds(90)),
        room: Timing = Timing(enter: .seconds(5), lost: .seconds(15), leave: .seconds(30)),
        station: Timing = Timing(enter: .seconds(5), lost: .seconds(10), leave: .seconds(20)),
        stationFloor: RSSI = RSSI(dBm: -75), siteFloor: RSSI = RSSI(dBm: -95),
        publishesUnregistered: Bool = false, allowed: [Identity]? = nil,
        practice: NodePractice? = nil, locating: LocatingPolicy? = nil,
        attendance: AttendancePolicy? = nil,
        doubts: DoubtPolicy? = nil
    ) {
        self.site = site
        self.room = room
        self.station = station
        self.stationFloor = stationFloor
        self.siteFloor = siteFloor
        self.publishesUnregistered = publishesUnregistered
        self.allowed = allowed
        self.practice = practice
        self.locating = locating
        self.attendance = attendance
        self.doubts = doubts
    }
}

/// What the nodes of a site are to do.
package struct NodePractice: Hashable, Sendable, Codable {
    /// How much they tell.
    package var profile: NodePolicy.Profile
    /// How far away a beacon may seem in profile `ranging`, in metres, 1 ... 1000; `nil` where nothing
    /// is said.
    package var rangingRange: Double?
    /// The same in profile `sparse`.
    package var sparseRange: Double?
    /// Whether nodes in profile `sparse` are asked for frames for a while where somebody moved.
    package var bursts: Bool
    /// When the profile is `sparse` in any case.
    package var sparseHours: DailyHours?
    /// `true`, or nothing.
    private var isDetecting: Bool?

    /// Whether nodes tell what sort of strangers' devices they hear.
    package var detects: Bool {
        get { isDetecting == true }
        set { isDetecting = newValue ? true : nil }
    }

    package init(
        profile: NodePolicy.Profile = .ranging, rangingRange: Double? = nil,
        sparseRange: Double? = nil, bursts: Bool = false, sparseHours: DailyHours? = nil
    ) {
        self.sparseHours = sparseHours
        self.profile = profile
        self.rangingRange = rangingRange
        self.sparseRange = sparseRange
        self.bursts = bursts
    }

    /// What is said about the range in a profile.
    package func range(in profile: NodePolicy.Profile) -> Double? {
        switch profile {
        case .ranging: rangingRange
        case .sparse: sparseRange
        }
    }
}

extension Policy {
    /// How much nodes tell.
    package var profile: NodePolicy.Profile { practice?.profile ?? .ranging }

    /// How far away a beacon may seem to nodes in a profile, in metres. Where nothing is said, 20, so that
    /// the neighbours' tags do not count; but a site that wants to see whatever there is sees it.
    package func range(in profile: NodePolicy.Profile) -> Double {
        practice?.range(in: profile) ?? (publishesUnregistered ? 1000 : NodePolicy.usualRange)
    }

    /// Whether nodes in profile `sparse` are asked for frames where somebody moved.
    package var bursts: Bool { practice?.bursts == true }
}

/// What counts as one session.
package struct AttendancePolicy: Hashable, Sendable, Codable {
    /// An absence up to this long is none.
    package var mergeGap: Timestamp.Span
    /// An absence up to this long is a break in one session; 0 for never.
    package var longestBreak: Timestamp.Span
    /// A session longer than this needs review.
    package var longestOpen: Timestamp.Span

    /// A policy. The defaults, 5 minutes, no breaks and 14 hours, are those of the attendance products
    /// compared in the design's evidence.
    package init(
        mergeGap: Timestamp.Span = .seconds(300), longestBreak: Timestamp.Span = .seconds(0),
        longestOpen: Timestamp.Span = .seconds(14 * 3600)
    ) {
        self.mergeGap = mergeGap
        self.longestBreak = longestBreak
        self.longestOpen = longestOpen
    }
}

/// Which doubts a site wants to hear of.
package struct DoubtPolicy: Hashable, Sendable, Codable {
    /// How long somebody may be present without ever being at a station where nothing is said.
    package static let usualInactive = Timestamp.Span.seconds(3600)

    /// What is never doubted here, of `Doubts.kinds`: a yoga studio turns `inactive` off. Sorted.
    package var off: [Review]
    /// How long somebody may be present without ever being at a station; `nil` for `usualInactive`.
    package var inactiveAfter: Timestamp.Span?

    /// A policy; everything is doubted unless said otherwise.
    package init(off: [Review] = [], inactiveAfter: Timestamp.Span? = nil) {
        self.off = off.sorted()
        self.inactiveAfter = inactiveAfter
    }
}

/// How a site decides where people are.
package struct LocatingPolicy: Hashable, Sendable, Codable {
    /// The rule.
    package enum Method: String, Hashable, Sendable, Codable, CaseIterable {
        /// Spots where places are calibrated, zone level where not or where the levels fit no spot.
        case auto
        /// The place of the loudest node, whatever was learned.
        case zoneLevel = "zone-level"
        /// Spots alone.
        case spot
        /// The loudest node at or above a threshold, with hysteresis.
        case threshold
        /// The node that heard the strongest level in the latest second.
        case nearest
    }

    /// The rule that decides.
    package var method: Method
    /// From `calm` (0: rather late than wrong) to `quick` (1: rather wrong than late).
    package var quickness: Double
    /// A rule that runs beside it and tells figures only, or `nil`.
    package var shadow: Method?

    /// A policy; half-way between calm and quick unless told otherwise.
    package init(method: Method = .auto, quickness: Double = 0.5, shadow: Method? = nil) {
        self.method = method
        self.quickness = quickness
        self.shadow = shadow
    }

    /// Whether what was learned counts at all.
    package var usesSpots: Bool { method == .auto || method == .spot }
}

/// What a node is told to do: `config/desired` without its slugs.
package struct NodePolicy: Equatable, Sendable, Codable {
    /// How much a node tells.
    package enum Profile: String, Sendable, Codable, CaseIterable {
        /// A frame a second, readings as they change: for locating.
        case ranging
        /// No frames, a reading every 30 s: for “is it there”, over thin lines.
        case sparse
    }

    /// Grows with each change; 0 is what a node does before it was ever told.
    package var revision: Int64
    /// How much to tell.
    package var profile: Profile
    /// Whether transmitters nobody registered are told too, or only counted.
    package var publishesUnregistered: Bool
    /// Beacons that seem farther away are not heard, in metres, positive. The estimate is
    /// `PathLoss`; it is made for iBeacon, AltBeacon and Eddystone, each reading for itself.
    package var maximumRange: Double
    /// Of registered beacons, seconds whose strongest level is less are no evidence.
    package var floor: RSSI
    /// The registered beacons. The index is the place in the wire's list of slugs; of two equal
    /// ones the first counts.
    package var known: [Identity]
    /// What is regarded at all beside the registered beacons; `nil` for everything.
    package var allowed: [Identity]?

    /// The floor where nothing else is said.
    package static let presetFloor = RSSI(dBm: -95)
    /// How far away a beacon may seem where nobody says otherwise, in metres: so that the neighbours'
    /// tags do not count.
    package static let usualRange = 20.0
    /// The most beacons of a policy.
    package static let mostKnown = 4096
    /// The most identities of `allowed`, and of `known` that are tried in order: see
    /// `Identity.isTriedInOrder`. Each may cost every advertisement a comparison.
    package static let mostRules = 256

    package init(
        revision: Int64, profile: Profile, publishesUnregistered: Bool, maximumRange: Double,
        floor: RSSI = NodePolicy.presetFloor, known: [Identity], allowed: [Identity]? = nil
    ) {
        self.revision = revision
        self.profile = profile
        self.publishesUnregistered = publishesUnregistered
        self.maximumRange = maximumRange
        self.floor = floor
        self.known = known
        self.allowed = allowed
    }
}
