import GRDB
import SiteModel

extension PlaceModel {
    /// The model in force, without places and ears that `plan` does not have any more, or `nil`.
    ///
    /// - Throws: A `DatabaseError` or a `DecodingError`: no row that this release wrote.
    static func inForce(for plan: Plan, _ db: Database) throws -> PlaceModel? {
        let query = "SELECT model FROM model WHERE state = 'applied'"
        guard let text = try String.fetchOne(db, sql: query) else { return nil }
        return try JSONText.value(PlaceModel.self, from: text).known(to: plan)
    }

    /// The part of it that a plan still has, or `nil` if nothing of it is left.
    private func known(to plan: Plan) -> PlaceModel? {
        let rooms = Set(plan.rooms.map(\.id))
        let stations = Dictionary(plan.stations.map { ($0.id, $0.room) }) { first, _ in first }
        let nodes = Set(plan.nodes.filter { !$0.isMobile }.map(\.id))
        let beacons = Set(plan.beacons.filter { $0.anchor != nil }.map(\.id))
        var model = self
        // What was tried at places that are gone says nothing of those that are left.
        model.trial?.results.removeAll { result in
            !rooms.contains(result.place.room)
                || result.place.station.map { stations[$0] != result.place.room } ?? false
        }
        model.spots = spots.compactMap { spot in
            guard rooms.contains(spot.place.room),
                spot.place.station.map({ stations[$0] == spot.place.room }) ?? true
            else { return nil }
            var spot = spot
            spot.levels = spot.levels.filter { level in
                switch level.ear {
                case .node(let node): nodes.contains(node)
                case .beacon(let beacon): beacons.contains(beacon)
                }
            }
            return spot.levels.isEmpty ? nil : spot
        }
        return model.spots.isEmpty ? nil : model
    }
}
