import Foundation
import Platform
import SiteModel

/// A place where radio was recorded, as its `dataset.json` says it.
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

    /// Gives each receiver that stands for no zone the one it speaks for most: where it was heard
    /// loudest, else on whose floor it hangs. Returns those for which there is none; they must not
    /// be listened to.
    package mutating func settle(with model: PlaceModel?) -> Set<Int> {
        var deaf: Set<Int> = []
        // A zone that has another receiver does not look covered because of one that is left out.
        let spare = receivers.lazy.compactMap(\.zone).first ?? 0
        if zones.isEmpty { zones.append(Zone(id: "", area: nil)) }
        for index in receivers.indices where receivers[index].zone == nil {
            if let zone = loudest(index, in: model) ?? floor(under: receivers[index].position) {
                receivers[index].zone = zone
            } else {
                receivers[index].zone = spare
                deaf.insert(index)
            }
        }
        return deaf
    }

    private func loudest(_ receiver: Int, in model: PlaceModel?) -> Int? {
        var best: (zone: Int, level: Double)?
        for spot in model?.spots ?? [] {
            for level in spot.levels where level.ear == Self.ear(of: receiver) {
                guard let zone = zone(of: spot.place), level.median > best?.level ?? -.infinity
                else { continue }
                best = (zone, level.median)
            }
        }
        return best?.zone
    }

    private func floor(under position: Position?) -> Int? {
        guard let position else { return nil }
        return zones.firstIndex { zone in
            guard let area = zone.area else { return false }
            return (area.low.x...area.high.x).contains(position.x)
                && (area.low.y...area.high.y).contains(position.y)
        }
    }

    /// The receiver of this name.
    package func receiver(named id: String) -> Int? { receivers.firstIndex { $0.id == id } }

    /// The name of a place, or `nil` for one that is no zone.
    package func zone(of place: Place) -> Int? {
        let index = Int(place.room.row) - 1
        return zones.indices.contains(index) ? index : nil
    }

    /// The place a receiver hangs at, by its ear; `nil` if it stands for no zone.
    package func home(of ear: Ear) -> Place? {
        guard case .node(let node) = ear, receivers.indices.contains(Int(node.row) - 1) else {
            return nil
        }
        return receivers[Int(node.row) - 1].zone.map(Self.place)
    }

    package static func place(of zone: Int) -> Place {
        Place(room: RoomID(Int64(zone) + 1), station: nil)
    }

    /// The end of the links of a receiver.
    package static func ear(of receiver: Int) -> Ear { .node(NodeID(Int64(receiver) + 1)) }

    /// The plan a coordinator would have: a room a zone, a node a receiver, a user and a beacon a
    /// transmitter, all in order, rows from 1. Receivers of no zone are to be settled before.
    package func plan(
        transmitters: Int, model: PlaceModel? = nil, policy: LocatingPolicy? = nil
    ) -> Plan {
        var rules = Policy()
        rules.locating = policy
        return Plan(
            revision: 1, site: SiteID(1),
            rooms: zones.enumerated().map { index, zone in
                Room(id: Self.place(of: index).room, area: zone.area)
            }, stations: [],
            nodes: receivers.enumerated().map { index, receiver in
                Node(
                    id: NodeID(Int64(index) + 1),
                    room: Self.place(of: receiver.zone ?? 0).room,
                    station: nil, position: receiver.position)
            },
            users: (0..<transmitters).map { User(id: UserID(Int64($0) + 1)) },
            beacons: (0..<transmitters).map {
                Beacon(id: BeaconID(Int64($0) + 1), identity: .address(UInt64($0)))
            },
            bindings: [], policy: rules, model: model)
    }
}

extension RecordedSite {
    /// Reads `dataset.json`. Unknown keys are ignored; a fault is an `Exit` with code 78 that names
    /// the file and the key.
    package init(path: String) throws {
        let text: Data
        do {
            text = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Exit(code: 78, text: "cannot read \(path): \(error.localizedDescription)")
        }
        do {
            try self.init(
                JSONDecoder().decode(Description.self, from: text),
                fallback: URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent)
        } catch let error as DecodingError {
            throw Exit(code: 78, text: "\(path): \(Self.words(error))")
        } catch let fault as Fault {
            throw Exit(code: 78, text: "\(path): \(fault.words)")
        }
    }

    /// Where anything can be, in metres from the site's origin.
    private static let metres = -1e6...1e6

    private struct Fault: Error {
        var words: String
    }

    private struct Description: Decodable {
        struct Receiver: Decodable {
            var id: Name
            var zone: Name?
            var x: Double?
            var y: Double?
        }

        struct Zone: Decodable {
            var id: Name
            var rect: [Double]?

            init(from decoder: any Decoder) throws {
                if let name = try? decoder.singleValueContainer().decode(Name.self) {
                    id = name
                    return
                }
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(Name.self, forKey: .id)
                rect = try container.decodeIfPresent([Double].self, forKey: .rect)
            }

            private enum CodingKeys: String, CodingKey {
                case id, rect
            }
        }

        struct Sequence: Decodable {
            var id: Name
            var role: String?
        }

        var name: String?
        var receivers: [Receiver]?
        var zones: [Zone]?
        var sequences: [Sequence]?
        var adjacency: [[Name]]?
    }

    /// A name, which some files write as a number.
    private struct Name: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self).trimmingCharacters(in: .whitespaces)
            }
        }
    }

    private init(_ description: Description, fallback: String) throws {
        name = description.name ?? fallback
        guard let listed = description.receivers, !listed.isEmpty else {
            throw Fault(words: "receivers: there must be at least one")
        }
        var zones: [Zone] = []
        for (index, zone) in (description.zones ?? []).enumerated() {
            let key = "zones[\(index)]"
            guard !zone.id.text.isEmpty else { throw Fault(words: "\(key).id: empty") }
            guard !zones.contains(where: { $0.id == zone.id.text }) else {
                throw Fault(words: "\(key).id: \(zone.id.text) is there twice")
            }
            zones.append(Zone(id: zone.id.text, area: try Self.area(zone.rect, key: key)))
        }
        var receivers: [Receiver] = []
        for (index, receiver) in listed.enumerated() {
            let key = "receivers[\(index)]"
            guard !receiver.id.text.isEmpty else { throw Fault(words: "\(key).id: empty") }
            guard !receivers.contains(where: { $0.id == receiver.id.text }) else {
                throw Fault(words: "\(key).id: \(receiver.id.text) is there twice")
            }
            var zone: Int?
            if let name = receiver.zone?.text, !name.isEmpty {
                zone = zones.firstIndex { $0.id == name }
                if zone == nil {
                    zones.append(Zone(id: name, area: nil))
                    zone = zones.count - 1
                }
            }
            var position: Position?
            if let x = receiver.x, let y = receiver.y {
                guard [x, y].allSatisfy(Self.metres.contains) else {
                    throw Fault(words: "\(key): x and y are no metres of a building")
                }
                position = Position(x: x, y: y)
            }
            receivers.append(Receiver(id: receiver.id.text, zone: zone, position: position))
        }
        self.zones = zones
        self.receivers = receivers
        strangeNeighbours = (description.adjacency ?? []).joined().map(\.text).reduce(into: []) {
            strange, name in
            guard !strange.contains(name), !zones.contains(where: { $0.id == name }) else { return }
            strange.append(name)
        }
        sequences = (description.sequences ?? []).map { Sequence(id: $0.id.text, role: $0.role) }
    }

    private static func area(_ rect: [Double]?, key: String) throws -> Area? {
        guard let rect else { return nil }
        guard rect.count == 4 else {
            throw Fault(words: "\(key).rect: \(rect.count) numbers instead of 4")
        }
        guard rect.allSatisfy(metres.contains) else {
            throw Fault(words: "\(key).rect: no metres of a building")
        }
        return Area(
            low: Position(x: min(rect[0], rect[2]), y: min(rect[1], rect[3])),
            high: Position(x: max(rect[0], rect[2]), y: max(rect[1], rect[3])))
    }

    private static func words(_ error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let told), .valueNotFound(_, let told), .dataCorrupted(let told):
            context = told
        case .keyNotFound(let key, let told):
            return "\(path(told.codingPath + [key])): missing"
        @unknown default: return "\(error)"
        }
        guard !context.codingPath.isEmpty else { return "no JSON: \(context.debugDescription)" }
        return "\(path(context.codingPath)): \(context.debugDescription)"
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
