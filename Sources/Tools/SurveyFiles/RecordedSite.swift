import SiteModel

/// A place where radio was recorded: what its receivers and zones are called.
package struct RecordedSite: Sendable {
    /// A receiver, and the zone it stands for.
    package struct Receiver: Sendable {
        /// What readings call it.
        package var id: String
        /// An index into the zones, or `nil` if it stands for none.
        package var zone: Int?
        /// Where it hangs, in metres, if known.
        package var position: Position?

        package init(id: String, zone: Int? = nil, position: Position? = nil) {
            self.id = id
            self.zone = zone
            self.position = position
        }
    }

    /// What somebody can be in.
    package struct Zone: Sendable {
        /// What labels call it.
        package var id: String
        /// The floor it covers, if known.
        package var area: Area?

        package init(id: String, area: Area? = nil) {
            self.id = id
            self.area = area
        }
    }

    /// Something that was recorded there.
    package struct Sequence: Sendable {
        /// How its files begin.
        package var id: String
        /// What it is for: `train` if it is there to learn from.
        package var role: String?

        package init(id: String, role: String? = nil) {
            self.id = id
            self.role = role
        }
    }

    /// What the place is called.
    package let name: String
    /// Its receivers; readings name them by index.
    package var receivers: [Receiver]
    /// Its zones in the order of the file, then those that only receivers name.
    package var zones: [Zone]
    package let sequences: [Sequence]
    /// What the list of neighbours names that is no zone.
    package let strangeNeighbours: [String]

    package init(
        name: String, receivers: [Receiver], zones: [Zone], sequences: [Sequence],
        strangeNeighbours: [String]
    ) {
        self.name = name
        self.receivers = receivers
        self.zones = zones
        self.sequences = sequences
        self.strangeNeighbours = strangeNeighbours
    }

    /// The zone of this name, added if it is new.
    package mutating func zone(named id: String) -> (index: Int, isNew: Bool) {
        if let index = zones.firstIndex(where: { $0.id == id }) { return (index, false) }
        zones.append(Zone(id: id, area: nil))
        return (zones.count - 1, true)
    }

    /// The name of a place, or `nil` for one that is no zone.
    package func zone(of place: Place) -> Int? {
        let index = Int(place.room.row) - 1
        return zones.indices.contains(index) ? index : nil
    }

    package static func place(of zone: Int) -> Place {
        Place(room: RoomID(Int64(zone) + 1), station: nil)
    }

    /// The end of the links of a receiver.
    package static func ear(of receiver: Int) -> Ear { .node(NodeID(Int64(receiver) + 1)) }

    /// Second 0 of every recording, so that no time comes near the limits of numbers.
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)

    /// The moment at which a second of a recording ends.
    package static func moment(_ second: Int) -> Timestamp {
        Timestamp(milliseconds: start.milliseconds + Int64(second) * 1000)
    }
}
