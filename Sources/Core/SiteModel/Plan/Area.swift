/// The floor that a room covers: a rectangle along the axes, or a polygon without holes.
package struct Area: Hashable, Sendable, Codable {
    /// Why numbers are no area.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        /// Neither two corners nor 3 to 32 of them.
        case count(Int)
        /// It has no extent, or less than a hundredth of a square metre.
        case flat
        /// Two of its sides meet, counted from 1, that are not next to each other.
        case crossing(Int, Int)

        package var description: String {
            switch self {
            case .count(let count):
                """
                \(count) numbers, expected two opposite corners [x0, y0, x1, y1], or 3 to \(Area.mostCorners) \
                corners in turn [x0, y0, x1, y1, x2, y2, …]
                """
            case .flat: "has no extent"
            case .crossing(let first, let second): "its sides \(first) and \(second) cross"
            }
        }
    }

    /// The most corners of a polygon.
    package static let mostCorners = 32
    /// The least area, in square metres.
    private static let least = 0.01

    /// The least x and y of it, in metres from the site's origin.
    package let low: Position
    /// The largest ones.
    package let high: Position
    /// The corners of a polygon in turn; of a rectangle none.
    package let corners: [Position]

    /// A rectangle.
    package init(low: Position, high: Position) {
        self.low = low
        self.high = high
        corners = []
    }

    /// What `numbers` says: two opposite corners of a rectangle, in any order, or three and more of a polygon in turn, x
    /// before y, in metres.
    package init(numbers: [Double]) throws(Fault) {
        let corners = stride(from: 0, to: numbers.count - 1, by: 2).map {
            Position(x: numbers[$0], y: numbers[$0 + 1])
        }
        guard numbers.count % 2 == 0, (2...Self.mostCorners).contains(corners.count) else {
            throw .count(numbers.count)
        }
        low = Position(x: corners.map(\.x).min() ?? 0, y: corners.map(\.y).min() ?? 0)
        high = Position(x: corners.map(\.x).max() ?? 0, y: corners.map(\.y).max() ?? 0)
        guard corners.count > 2 else {
            guard low.x < high.x, low.y < high.y else { throw .flat }
            self.corners = []
            return
        }
        self.corners = corners
        let sides = outline.indices.map { (outline[$0], outline[($0 + 1) % outline.count]) }
        for first in sides.indices {
            guard sides[first].0 != sides[first].1 else { throw .flat }
            for second in sides.indices.dropFirst(first + 1) {
                let isNext = second == first + 1 || (first == 0 && second == sides.count - 1)
                if isNext
                    ? Self.turnsBack(sides[first], sides[second])
                    : Self.meet(sides[first], sides[second])
                {
                    throw .crossing(first + 1, second + 1)
                }
            }
        }
        guard abs(Self.twice(outline)) >= 2 * Self.least else { throw .flat }
    }

    /// What `init(numbers:)` takes.
    package var numbers: [Double] {
        (corners.isEmpty ? [low, high] : corners).flatMap { [$0.x, $0.y] }
    }

    /// All corners in turn, of a rectangle, too.
    package var outline: [Position] {
        guard corners.isEmpty else { return corners }
        return [
            low, Position(x: high.x, y: low.y), high, Position(x: low.x, y: high.y),
        ]
    }

    /// Whether a point is in it, or at most so many metres beside it.
    package func holds(_ point: Position, within tolerance: Double) -> Bool {
        guard point.x >= low.x - tolerance, point.x <= high.x + tolerance,
            point.y >= low.y - tolerance, point.y <= high.y + tolerance
        else { return false }
        guard !corners.isEmpty else { return true }
        var isInside = false
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            if Self.distance(from: point, toSide: a, b) <= tolerance { return true }
            if (a.y > point.y) != (b.y > point.y),
                point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)
            {
                isInside.toggle()
            }
        }
        return isInside
    }

    /// Whether both lie on each other by more than so many metres.
    package func overlaps(_ other: Area, by tolerance: Double) -> Bool {
        guard min(high.x, other.high.x) - max(low.x, other.low.x) > tolerance,
            min(high.y, other.high.y) - max(low.y, other.low.y) > tolerance
        else { return false }
        let theirs = other.convexParts
        return convexParts.contains { part in
            theirs.contains { Self.depth(part, $0) > tolerance }
        }
    }

    /// Convex parts that cover it: itself if it is a rectangle, else triangles, made by cutting off ears.
    private var convexParts: [[Position]] {
        guard corners.count > 3 else { return [outline] }
        var left = Self.twice(corners) < 0 ? corners.reversed() : corners
        var parts: [[Position]] = []
        while left.count > 3 {
            // A simple polygon has two ears at least; rounding may hide both.
            let ear = left.indices.first { Self.isEar($0, of: left) } ?? 0
            parts.append(Self.ear(ear, of: left))
            left.remove(at: ear)
        }
        return parts + [left]
    }

    private static func ear(_ index: Int, of corners: [Position]) -> [Position] {
        let count = corners.count
        return [corners[(index + count - 1) % count], corners[index], corners[(index + 1) % count]]
    }

    private static func isEar(_ index: Int, of corners: [Position]) -> Bool {
        let ear = ear(index, of: corners)
        guard twice(ear) > 0 else { return false }
        return corners.allSatisfy { corner in
            ear.contains(corner)
                || (0..<3).contains { twice([ear[$0], ear[($0 + 1) % 3], corner]) < 0 }
        }
    }

    /// By how many metres two convex polygons lie on each other at most along any normal of their sides, which is as
    /// far as one has to be moved to be free; negative if they do not.
    private static func depth(_ first: [Position], _ second: [Position]) -> Double {
        var least = Double.infinity
        for part in [first, second] {
            for index in part.indices {
                let (a, b) = (part[index], part[(index + 1) % part.count])
                let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
                guard length > 0 else { continue }
                let normal = Position(x: (a.y - b.y) / length, y: (b.x - a.x) / length)
                let spans = [first, second].map { corners in
                    let along = corners.map { $0.x * normal.x + $0.y * normal.y }
                    return (low: along.min() ?? 0, high: along.max() ?? 0)
                }
                least = min(
                    least, min(spans[0].high - spans[1].low, spans[1].high - spans[0].low))
            }
        }
        return least
    }

    /// Twice the area, positive if the corners go from x to y.
    private static func twice(_ corners: [Position]) -> Double {
        corners.indices.reduce(0) { sum, index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return sum + a.x * b.y - b.x * a.y
        }
    }

    private static func distance(
        from point: Position, toSide a: Position, _ b: Position
    ) -> Double {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy)
        let share = min(max(along, 0), 1)
        let (x, y) = (a.x + share * dx - point.x, a.y + share * dy - point.y)
        return (x * x + y * y).squareRoot()
    }

    private typealias Side = (Position, Position)

    /// Whether two sides have a point in common.
    private static func meet(_ first: Side, _ second: Side) -> Bool {
        func side(_ a: Position, _ b: Position, _ c: Position) -> Double { twice([a, b, c]) }
        func isBetween(_ a: Position, _ b: Position, _ c: Position) -> Bool {
            (min(a.x, b.x)...max(a.x, b.x)).contains(c.x)
                && (min(a.y, b.y)...max(a.y, b.y)).contains(c.y)
        }
        let (a, b) = first
        let (c, d) = second
        let sides = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)]
        if sides[0] * sides[1] < 0, sides[2] * sides[3] < 0 { return true }
        return (sides[0] == 0 && isBetween(a, b, c)) || (sides[1] == 0 && isBetween(a, b, d))
            || (sides[2] == 0 && isBetween(c, d, a)) || (sides[3] == 0 && isBetween(c, d, b))
    }

    /// Whether the second of two sides that follow each other lies on the first.
    private static func turnsBack(_ first: Side, _ second: Side) -> Bool {
        let (a, shared, c) =
            first.1 == second.0
            ? (first.0, first.1, second.1) : (first.1, first.0, second.0)
        guard twice([a, shared, c]) == 0 else { return false }
        return (a.x - shared.x) * (c.x - shared.x) + (a.y - shared.y) * (c.y - shared.y) > 0
    }
}
