import SiteModel
import SiteStore
import Wire
import Registry

/// What of a site's places works less well than its owner may think, and what to expect.
package enum SiteWarnings {
    /// A room with a side longer than this was hardly measured in metres.
    private static let longestSide = 100.0
    /// Places may be a little outside of what was measured, in metres.
    private static let tolerance = 0.5

    /// A line each. `learned`: slugs of rooms and stations that were learned.
    package static func of(_ site: SiteDocument, learned: Set<String> = []) -> [String] {
        coverage(site, learned) + coordinates(site) + distances(site)
    }

    private static func coverage(_ site: SiteDocument, _ learned: Set<String>) -> [String] {
        let fixed = site.nodes.filter { $0.carrier == nil }
        let anchors = site.beacons.filter { $0.room != nil || $0.station != nil }
        guard !fixed.isEmpty || !anchors.isEmpty else {
            return ["nodes: no node hangs anywhere and no beacon is fixed: nobody can be found"]
        }
        var lines: [String] = []
        let places = site.rooms.count + site.stations.count
        if fixed.count + anchors.count == 1, places > 1 {
            lines.append(
                "nodes: one alone tells who is at the site, hardly where: expect the right place "
                    + "little more often than by chance, calibrated or not")
        }
        let stationRooms = Dictionary(site.stations.map { ($0.slug, $0.room) }) { first, _ in first
        }
        let covered = Set(
            fixed.map(\.room) + anchors.compactMap(\.room)
                + anchors.compactMap { $0.station.flatMap { stationRooms[$0] } })
        for room in site.rooms where !covered.contains(room.slug) {
            let isLearned =
                learned.contains(room.slug)
                || site.stations.contains { $0.room == room.slug && learned.contains($0.slug) }
            guard !isLearned else { continue }
            lines.append(
                "room \(room.slug): no node covers it: people there are taken for where they are "
                    + "heard best, until it is calibrated")
        }
        let manned = Set(fixed.compactMap(\.station) + anchors.compactMap(\.station))
        let bare = site.stations.map(\.slug).filter {
            !manned.contains($0) && !learned.contains($0)
        }
        if !bare.isEmpty {
            lines.append(
                "stations \(Gathered.list(bare)): no node hangs there: nobody is found at them until "
                    + "they are calibrated")
        }
        return lines
    }

    private static func coordinates(_ site: SiteDocument) -> [String] {
        var lines: [String] = []
        let fixed = site.nodes.filter { $0.carrier == nil }
        for (kind, all) in [
            ("nodes", fixed.map { ($0.slug, $0.x != nil) }),
            ("stations", site.stations.map { ($0.slug, $0.x != nil) }),
            ("rooms", site.rooms.map { ($0.slug, $0.area != nil) }),
        ] {
            let without = all.filter { !$0.1 }.map(\.0)
            guard !without.isEmpty, without.count < all.count else { continue }
            let key = kind == "rooms" ? "area_m" : "x_m, y_m"
            lines.append(
                "\(kind) \(Gathered.list(without)): no \(key), which the others have: these are "
                    + "placed without geometry")
        }
        let areas = Dictionary(
            site.rooms.compactMap { room in room.area.map { (room.slug, $0) } }
        ) { first, _ in first }
        for (kind, slug, room, position) in fixed.map({
            ("node", $0.slug, $0.room, point($0.x, $0.y))
        })
            + site.stations.map({ ("station", $0.slug, $0.room, point($0.x, $0.y)) })
        {
            guard let position, let area = areas[room], !area.holds(position, within: tolerance)
            else { continue }
            let storey = site.rooms.first { $0.slug == room }?.storey
            let actual = site.rooms.first {
                $0.storey == storey && ($0.area?.holds(position, within: 0) ?? false)
            }
            let seen = actual.map { ", but in that of \($0.slug)" } ?? ""
            lines.append(
                "\(kind) \(slug): x_m, y_m are not in the area_m of its room \(room)\(seen)")
        }
        for (index, first) in site.rooms.enumerated() {
            guard let area = first.area else { continue }
            for second in site.rooms.dropFirst(index + 1) {
                guard second.storey == first.storey, let other = second.area,
                    area.overlaps(other, by: tolerance)
                else { continue }
                lines.append("rooms \(first.slug), \(second.slug): area_m of both overlap")
            }
        }
        return lines
    }

    private static func distances(_ site: SiteDocument) -> [String] {
        var lines: [String] = []
        for room in site.rooms {
            guard let area = room.area else { continue }
            let side = max(area.high.x - area.low.x, area.high.y - area.low.y)
            guard side > longestSide else { continue }
            lines.append(
                "room \(room.slug): area_m makes it \(Int(side)) m long: are these metres, not feet?"
            )
        }
        let nodes = site.nodes.filter { $0.carrier == nil }
        let points =
            (nodes.compactMap { point($0.x, $0.y) }
                + site.stations.compactMap { point($0.x, $0.y) })
        let spans = [points.map(\.x), points.map(\.y)].map { ($0.max() ?? 0) - ($0.min() ?? 0) }
        if let span = spans.max(), span > 3 * longestSide {
            lines.append("x_m, y_m span \(Int(span)) m: are these metres, of one building?")
        }
        for station in site.stations {
            guard let place = point(station.x, station.y) else { continue }
            var own: Double?
            var other: (slug: String, distance: Double)?
            for node in nodes {
                guard let at = point(node.x, node.y) else { continue }
                let distance = at.distance(to: place)
                if node.station == station.slug {
                    own = min(own ?? distance, distance)
                } else if node.station != nil, distance < other?.distance ?? .infinity {
                    other = (node.slug, distance)
                }
            }
            guard let own, let other, other.distance < own else { continue }
            lines.append(
                "station \(station.slug): by x_m, y_m it is nearer to \(other.slug) than to its own "
                    + "node: it will be taken for that node's station until it is calibrated")
        }
        return lines
    }

    private static func point(_ x: Double?, _ y: Double?) -> Position? {
        guard let x, let y else { return nil }
        return Position(x: x, y: y)
    }
}

extension Position {
    fileprivate func distance(to other: Position) -> Double {
        let (dx, dy) = (x - other.x, y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

extension Names {
    /// The slugs of the stations and rooms that a model knows.
    package func learned(in model: PlaceModel) -> Set<String> {
        Set(
            model.spots.map { spot in
                spot.place.station.map { stations.slug($0) } ?? rooms.slug(spot.place.room)
            })
    }
}
