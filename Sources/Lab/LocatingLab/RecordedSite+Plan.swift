import SiteModel
import SurveyFiles

/// A recorded place as a site with a coordinator.
extension RecordedSite {
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

    /// The place a receiver hangs at, by its ear; `nil` if it stands for no zone.
    package func home(of ear: Ear) -> Place? {
        guard case .node(let node) = ear, receivers.indices.contains(Int(node.row) - 1) else {
            return nil
        }
        return receivers[Int(node.row) - 1].zone.map(Self.place)
    }

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
