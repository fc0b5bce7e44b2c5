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
