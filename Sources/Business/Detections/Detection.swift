import SiteModel

/// One visit of a stranger's device, or what an external detector says of one.
package struct Detection: Equatable, Sendable {
    /// What a node heard of it.
    package struct Hearer: Equatable, Sendable {
        package var node: String
        /// The strongest level, in dBm.
        package var rssi: Double
        /// How many advertisements.
        package var hits: Int64
        package var first: Timestamp
        package var last: Timestamp

        package init(node: String, rssi: Double, hits: Int64, first: Timestamp, last: Timestamp) {
            self.node = node
            self.rssi = rssi
            self.hits = hits
            self.first = first
            self.last = last
        }
    }

    /// What our own nodes found is of this source.
    package static let mesh = "mesh"

    /// Its row; 0 where it has none yet.
    package var id: Int64 = 0
    package var source = Detection.mesh
    /// What the source calls it.
    package var sourceID: String?
    /// The slug of its device type.
    package var type: String?
    /// What the source says that it is. This and all other texts are hostile.
    package var said: String?
    /// 12 hexadecimal digits, or `x-` and a digest once they are forgotten.
    package var address: String?
    package var name: String?
    /// The name of a Wi-Fi network.
    package var ssid: String?
    /// The strongest level, in dBm.
    package var rssi: Double?
    /// 0 ... 1.
    package var confidence: Double?
    /// In degrees, both or neither.
    package var latitude: Double?
    package var longitude: Double?
    package var speed: Double?
    /// In degrees, clockwise from north.
    package var heading: Double?
    package var activity: String?
    /// How long before it was found the position was measured, in ms, of one that is not the detector's own.
    package var positionAge: Int64?
    /// The slug of the person who carries the detector, of one that is to be stored.
    package var carrier: String?
    package var first = Timestamp(milliseconds: 0)
    package var last = Timestamp(milliseconds: 0)
    package var hits: Int64 = 1
    /// The node that heard it best, and its room.
    package var node: String?
    package var room: String?

    package init() {}
}

/// Which detections, and in which order.
package struct DetectionFilter: Equatable, Sendable {
    package enum Order: String, CaseIterable, Sendable {
        case newest
        case oldest
        case strongest
        case surest
        /// As they were found. While devices are near it is the only order that stands still.
        case stored
    }

    /// Where a list goes on: behind a row, by what it is ordered by.
    package struct Place: Equatable, Sendable {
        package var key: Double
        package var id: Int64

        package init?(_ text: String) {
            let parts = text.split(separator: "_")
            guard parts.count == 2, let key = Double(parts[0]), key.isFinite,
                let id = Int64(parts[1])
            else { return nil }
            (self.key, self.id) = (key, id)
        }

        init(key: Double, id: Int64) {
            self.key = key
            self.id = id
        }

        package var text: String { "\(key)_\(id)" }
    }

    /// The shortest text that is looked for: the index has groups of three.
    package static let shortest = 3

    /// A text in the name, network, address or what is said of it, in either case.
    package var text: String?
    package var type: String?
    package var node: String?
    package var room: String?
    package var source: String?
    /// Last heard then or later, and before then.
    package var from: Timestamp?
    package var until: Timestamp?
    package var order = Order.newest
    package var after: Place?

    package init() {}
}
