/// The topics of one site, `mesh/v1/{site}/…`. Every level must be a slug: see `Names.isSlug`.
public struct SiteTopics: Equatable, Sendable {
    /// What every topic of the site starts with, the last slash included.
    public let root: String

    /// The topics of a site.
    public init(site: String) { root = "mesh/v1/\(site)/" }

    /// A node's retained online or offline, and its will.
    public func nodeStatus(_ node: String) -> String { "\(root)node/\(node)/status" }
    /// A node's retained description.
    public func nodeInfo(_ node: String) -> String { "\(root)node/\(node)/info" }
    /// A node's counters, every 30 s.
    public func nodeHealth(_ node: String) -> String { "\(root)node/\(node)/health" }
    /// A node's sign of life, every 2 s.
    public func nodeBeat(_ node: String) -> String { "\(root)node/\(node)/beat" }
    /// All a node heard in one second.
    public func nodeFrame(_ node: String) -> String { "\(root)node/\(node)/frame" }
    /// One beacon's smoothed level at one node.
    public func nodeRSSI(_ node: String, beacon: String) -> String {
        "\(root)node/\(node)/rssi/\(beacon)"
    }
    /// The retained configuration a node is to apply.
    public func nodeConfigurationDesired(_ node: String) -> String {
        "\(root)node/\(node)/config/desired"
    }
    /// The retained answer of a node: what it applied, or why not.
    public func nodeConfigurationActive(_ node: String) -> String {
        "\(root)node/\(node)/config/active"
    }
    /// What a node is to do once.
    public func nodeCommand(_ node: String) -> String { "\(root)node/\(node)/cmd" }
    /// A node's answer to it.
    public func nodeResponse(_ node: String) -> String { "\(root)node/\(node)/res" }
    /// Every advertisement a node hears, only while a lease runs.
    public func nodeRaw(_ node: String) -> String { "\(root)node/\(node)/raw" }
    /// The retained lease of that stream.
    public func debugLease(_ node: String) -> String { "\(root)debug/lease/\(node)" }
    /// The runs of a minute at a node, durable.
    public func nodeEvidence(_ node: String) -> String { "\(root)node/\(node)/evidence" }
    /// Something that happened at a node, durable.
    public func nodeEvent(_ node: String) -> String { "\(root)node/\(node)/event" }
    /// Retained: how far a node's evidence and events are stored.
    public func nodeCursor(_ node: String) -> String { "\(root)node/\(node)/cursor" }

    /// The node whose cursor a topic is, or `nil` if it is none.
    func node(ofCursor topic: String) -> String? {
        let (start, end) = ("\(root)node/", "/cursor")
        guard topic.hasPrefix(start), topic.hasSuffix(end) else { return nil }
        return String(topic.dropFirst(start.count).dropLast(end.count))
    }

    /// The site's names.
    public var info: String { "\(root)info" }
    /// The site's counts.
    public var state: String { "\(root)state" }
    /// How two locators compare, while a second one runs beside the deciding one.
    public var shadow: String { "\(root)shadow" }
    /// A room's name.
    public func roomInfo(_ room: String) -> String { "\(root)room/\(room)/info" }
    /// How many people are in a room.
    public func roomState(_ room: String) -> String { "\(root)room/\(room)/state" }
    /// A station's name, room and slots.
    public func stationInfo(_ station: String) -> String { "\(root)station/\(station)/info" }
    /// Whether a station can be used.
    public func stationState(_ station: String) -> String { "\(root)station/\(station)/state" }
    /// A beacon's title.
    public func beaconInfo(_ beacon: String) -> String { "\(root)beacon/\(beacon)/info" }
    /// Who hears a beacon.
    public func beaconState(_ beacon: String) -> String { "\(root)beacon/\(beacon)/state" }
    /// Where a user is.
    public func presence(_ user: String) -> String { "\(root)user/\(user)/presence" }
    /// Whether a user attends.
    public func attendance(_ user: String) -> String { "\(root)user/\(user)/attendance" }
    /// A user's open workout.
    public func workout(_ user: String) -> String { "\(root)user/\(user)/workout" }
    /// Why a user was last decided to be at another place.
    public func why(_ user: String) -> String { "\(root)user/\(user)/why" }
    /// A transition; `area` is the part of the event's kind before the dot.
    public func event(area: String, id: String) -> String { "\(root)event/\(area)/\(id)" }
    /// What a user may want to know, told as it happens.
    public func notification(_ user: String) -> String { "\(root)notify/\(user)" }
    /// A client's request.
    public func request(client: String, operation: String) -> String {
        "\(root)req/\(client)/\(operation)"
    }
    /// The answer to it.
    public func response(client: String, operation: String) -> String {
        "\(root)res/\(client)/\(operation)"
    }

    /// What a coordinator subscribes to: all that others write, never its own tree.
    public var inboundFilters: [String] {
        [
            "\(root)node/+/status", "\(root)node/+/info", "\(root)node/+/health",
            "\(root)node/+/beat", "\(root)node/+/frame", "\(root)node/+/rssi/+",
            "\(root)node/+/config/active", "\(root)node/+/evidence", "\(root)node/+/event",
            "\(root)node/+/res", "\(root)req/+/+",
        ]
    }

    /// What a coordinator reads of other sites on the same broker: nobody is at two at once.
    public static let attendanceAnywhere = "mesh/v1/+/user/+/attendance"

    /// What a coordinator reads once after connecting, to clear what it no longer says: the
    /// retained topics of its own tree.
    public var ownFilters: [String] {
        [
            "\(root)info", "\(root)state", "\(root)shadow", "\(root)room/+/+", "\(root)station/+/+",
            "\(root)beacon/+/+", "\(root)user/+/+", "\(root)node/+/config/desired",
            cursors,
        ]
    }

    /// What it keeps reading of its own tree: a cursor that it did not tell must not be obeyed.
    public var cursors: String { "\(root)node/+/cursor" }
}

/// The topics of one coordinator, `mesh/v1/core/{coordinator}/…`.
public struct CoreTopics: Equatable, Sendable {
    /// Retained online or offline, and the coordinator's will.
    public let status: String
    /// Retained: version and sites.
    public let info: String
    /// Retained counters.
    public let health: String

    /// The topics of a coordinator, whose name is a slug.
    public init(coordinator: String) {
        let root = "mesh/v1/core/\(coordinator)/"
        status = root + "status"
        info = root + "info"
        health = root + "health"
    }
}

/// What can be asked with `req/{client}/{operation}`.
public enum Operation: String, Sendable, CaseIterable {
    case startWorkout = "workout-start"
    case pauseWorkout = "workout-pause"
    case resumeWorkout = "workout-resume"
    case completeWorkout = "workout-complete"
    case checkIn = "attendance-check-in"
    case checkOut = "attendance-check-out"
}
