/// The topics of one site, `mesh/v1/{site}/…`. Every level must be a slug: see `isSlug`.
package struct SiteTopics: Equatable, Sendable {
    /// What every topic of the site starts with, the last slash included.
    package let root: String

    package init(site: String) { root = "mesh/v1/\(site)/" }

    /// A node's retained online or offline, and its will.
    package func nodeStatus(_ node: String) -> String { "\(root)node/\(node)/status" }
    /// A node's retained description.
    package func nodeInfo(_ node: String) -> String { "\(root)node/\(node)/info" }
    /// A node's counters, every 30 s.
    package func nodeHealth(_ node: String) -> String { "\(root)node/\(node)/health" }
    /// A node's sign of life, every 2 s.
    package func nodeBeat(_ node: String) -> String { "\(root)node/\(node)/beat" }
    /// All a node heard in one second.
    package func nodeFrame(_ node: String) -> String { "\(root)node/\(node)/frame" }
    /// One beacon's smoothed level at one node.
    package func nodeRSSI(_ node: String, beacon: String) -> String {
        "\(root)node/\(node)/rssi/\(beacon)"
    }
    /// The retained configuration a node is to apply.
    package func nodeConfigurationDesired(_ node: String) -> String {
        "\(root)node/\(node)/config/desired"
    }
    /// The retained answer of a node: what it applied, or why not.
    package func nodeConfigurationActive(_ node: String) -> String {
        "\(root)node/\(node)/config/active"
    }
    /// What a node is to do once.
    package func nodeCommand(_ node: String) -> String { "\(root)node/\(node)/cmd" }
    /// A node's answer to it.
    package func nodeResponse(_ node: String) -> String { "\(root)node/\(node)/res" }
    /// Every advertisement a node hears, only while a lease runs.
    package func nodeRaw(_ node: String) -> String { "\(root)node/\(node)/raw" }
    /// The retained lease of that stream.
    package func debugLease(_ node: String) -> String { "\(root)debug/lease/\(node)" }
    /// The runs of a minute at a node, durable.
    package func nodeEvidence(_ node: String) -> String { "\(root)node/\(node)/evidence" }
    /// Something that happened at a node, durable.
    package func nodeEvent(_ node: String) -> String { "\(root)node/\(node)/event" }
    /// Retained: how far a node's evidence and events are stored.
    package func nodeCursor(_ node: String) -> String { "\(root)node/\(node)/cursor" }

    /// The node whose cursor a topic is, or `nil` if it is none.
    package func node(ofCursor topic: String) -> String? {
        let (start, end) = ("\(root)node/", "/cursor")
        guard topic.hasPrefix(start), topic.hasSuffix(end) else { return nil }
        return String(topic.dropFirst(start.count).dropLast(end.count))
    }

    /// The site's names.
    package var info: String { "\(root)info" }
    /// The site's counts.
    package var state: String { "\(root)state" }
    /// How two locators compare, while a second one runs beside the deciding one.
    package var shadow: String { "\(root)shadow" }
    /// A room's name.
    package func roomInfo(_ room: String) -> String { "\(root)room/\(room)/info" }
    /// How many people are in a room.
    package func roomState(_ room: String) -> String { "\(root)room/\(room)/state" }
    /// A station's name, room and slots.
    package func stationInfo(_ station: String) -> String { "\(root)station/\(station)/info" }
    /// Whether a station can be used.
    package func stationState(_ station: String) -> String { "\(root)station/\(station)/state" }
    /// A beacon's title.
    package func beaconInfo(_ beacon: String) -> String { "\(root)beacon/\(beacon)/info" }
    /// Who hears a beacon.
    package func beaconState(_ beacon: String) -> String { "\(root)beacon/\(beacon)/state" }
    /// Where a user is.
    package func presence(_ user: String) -> String { "\(root)user/\(user)/presence" }
    /// Whether a user attends.
    package func attendance(_ user: String) -> String { "\(root)user/\(user)/attendance" }
    /// A user's open workout.
    package func workout(_ user: String) -> String { "\(root)user/\(user)/workout" }
    /// Why a user was last decided to be at another place.
    package func why(_ user: String) -> String { "\(root)user/\(user)/why" }
    /// A transition; `area` is the part of the event's kind before the dot.
    package func event(area: String, id: String) -> String { "\(root)event/\(area)/\(id)" }
    /// What a user may want to know, told as it happens.
    package func notification(_ user: String) -> String { "\(root)notify/\(user)" }
    /// A client's request.
    package func request(client: String, operation: String) -> String {
        "\(root)req/\(client)/\(operation)"
    }
    /// The answer to it.
    package func response(client: String, operation: String) -> String {
        "\(root)res/\(client)/\(operation)"
    }

    /// What a coordinator subscribes to: all that others write, never its own tree.
    package var inboundFilters: [String] {
        [
            "\(root)node/+/status", "\(root)node/+/info", "\(root)node/+/health",
            "\(root)node/+/beat", "\(root)node/+/frame", "\(root)node/+/rssi/+",
            "\(root)node/+/config/active", "\(root)node/+/evidence", "\(root)node/+/event",
            "\(root)node/+/res", "\(root)req/+/+",
        ]
    }

    /// What a coordinator reads of other sites on the same broker: nobody is at two at once.
    package static let attendanceAnywhere = "mesh/v1/+/user/+/attendance"

    /// What a coordinator reads once after connecting, to clear what it no longer says: the
    /// retained topics of its own tree.
    package var ownFilters: [String] {
        [
            "\(root)info", "\(root)state", "\(root)shadow", "\(root)room/+/+", "\(root)station/+/+",
            "\(root)beacon/+/+", "\(root)user/+/+", "\(root)node/+/config/desired",
            cursors,
        ]
    }

    /// What it keeps reading of its own tree: a cursor that it did not tell must not be obeyed.
    package var cursors: String { "\(root)node/+/cursor" }
}

/// The topics of one coordinator, `mesh/v1/core/{coordinator}/…`.
package struct CoreTopics: Equatable, Sendable {
    /// Retained online or offline, and the coordinator's will.
    package let status: String
    /// Retained: version and sites.
    package let info: String
    /// Retained counters.
    package let health: String

    /// The topics of a coordinator, whose name is a slug.
    package init(coordinator: String) {
        let root = "mesh/v1/core/\(coordinator)/"
        status = root + "status"
        info = root + "info"
        health = root + "health"
    }
}
