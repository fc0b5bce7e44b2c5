/// A room of a site.
package struct Room: Hashable, Sendable, Codable {
    package var id: RoomID
    /// The floor it covers, if that was measured.
    package var area: Area?
    /// Which storey it is on: 0 is that of the entrance, 1 the one above it.
    package var storey: Int

    package init(id: RoomID, area: Area? = nil, storey: Int = 0) {
        self.id = id
        self.area = area
        self.storey = storey
    }
}

/// A place in a room where one or more people train.
package struct Station: Hashable, Sendable, Codable {
    /// When workouts begin, pause and are offered there by themselves, in seconds.
    package struct Timing: Hashable, Sendable, Codable {
        /// So long somebody is there before a workout begins or moves there; `nil`: none does.
        package var autoStart: Int?
        /// So long somebody is away before their workout is paused; `nil`: it is not.
        package var autoPause: Int?
        /// So long a slot is kept for whoever it was offered to.
        package var claimGrace: Int

        package init(autoStart: Int? = nil, autoPause: Int? = 120, claimGrace: Int = 120) {
            self.autoStart = autoStart
            self.autoPause = autoPause
            self.claimGrace = claimGrace
        }
    }

    package var id: StationID
    /// The room it stands in.
    package var room: RoomID
    /// How many people can use it at once, from 1.
    package var slots: Int
    /// Where it stands, if that was measured.
    package var position: Position?
    /// `nil` in a plan that was recorded before stations had one.
    private var times: Timing?

    package init(
        id: StationID, room: RoomID, slots: Int, position: Position? = nil,
        timing: Timing = Timing()
    ) {
        self.id = id
        self.room = room
        self.slots = slots
        self.position = position
        times = timing
    }

    package var timing: Timing {
        get { times ?? Timing() }
        set { times = newValue }
    }
}

/// A scanner. A fixed one stands for a place and hears who comes by; a mobile one is carried by a
/// user and hears the beacons that are fixed at places.
package struct Node: Hashable, Sendable, Codable {
    package var id: NodeID
    /// The room it hangs in. Of a mobile node the room it is kept in, which decides nothing.
    package var room: RoomID
    /// The station it hangs at, or `nil` if it stands for the rest of the room.
    package var station: StationID?
    /// Who carries it, or `nil` for a fixed node.
    package var carrier: UserID?
    /// Where it hangs, if that was measured.
    package var position: Position?

    /// A node; with a carrier a mobile one.
    package init(
        id: NodeID, room: RoomID, station: StationID?, carrier: UserID? = nil,
        position: Position? = nil
    ) {
        self.id = id
        self.room = room
        self.station = station
        self.carrier = carrier
        self.position = position
    }

    /// The place it stands for.
    package var place: Place { Place(room: room, station: station) }

    /// Whether somebody carries it.
    package var isMobile: Bool { carrier != nil }

    /// Under which number its listening and what it hears are kept in coverage and ledgers: its
    /// room. A mobile node has a number of its own, below zero, wherever it is: only the listening
    /// of that very node tells whether its user was silent, so that a phone with an empty battery
    /// checks nobody out, and one that hears no beacon of the site any more does.
    package var ear: RoomID { isMobile ? RoomID(-id.row) : room }
}

/// Where somebody or something can be: at a station, or in a room but at none of its stations.
package struct Place: Hashable, Comparable, Sendable, Codable {
    package var room: RoomID
    /// The station, or `nil` for the rest of the room.
    package var station: StationID?

    package init(room: RoomID, station: StationID?) {
        self.room = room
        self.station = station
    }

    /// By room, the rest of the room before its stations.
    package static func < (a: Place, b: Place) -> Bool {
        (a.room.row, a.station?.row ?? 0) < (b.room.row, b.station?.row ?? 0)
    }
}

/// A point in metres from the site's origin.
package struct Position: Hashable, Sendable, Codable {
    /// To the right.
    package var x: Double
    /// Up on the floor plan.
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The end of a link whose place is known: a fixed node that hears people's beacons, or a fixed beacon
/// that people's nodes hear.
package enum Ear: Hashable, Comparable, Sendable {
    /// A fixed node.
    case node(NodeID)
    /// A fixed beacon.
    case beacon(BeaconID)
}

extension Ear: Codable {
    /// Reads `{"node": 3}` or `{"beacon": 7}`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let node = try container.decodeIfPresent(NodeID.self, forKey: .node) {
            self = .node(node)
        } else {
            self = .beacon(try container.decode(BeaconID.self, forKey: .beacon))
        }
    }

    /// Writes `{"node": 3}` or `{"beacon": 7}`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .node(let node): try container.encode(node, forKey: .node)
        case .beacon(let beacon): try container.encode(beacon, forKey: .beacon)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case node, beacon
    }
}
