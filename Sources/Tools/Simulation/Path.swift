import SiteModel

/// A walk along straight lines at an even pace.
struct Path: Equatable, Sendable {
    /// How fast people walk, in metres a second.
    static let speed = 1.2

    /// The corners, and the moment each is reached.
    private let corners: [(at: Layout.Point, time: Timestamp)]

    /// The walk through `points`, of which there is at least one, from `start` on.
    init(through points: [Layout.Point], from start: Timestamp) {
        precondition(!points.isEmpty, "a walk begins somewhere")
        var corners = [(at: points[0], time: start)]
        for (from, to) in zip(points, points.dropFirst()) {
            let time = corners[corners.count - 1].time
            corners.append((to, time + .seconds(from.distance(to: to) / Self.speed)))
        }
        self.corners = corners
    }

    /// When the last corner is reached.
    var end: Timestamp { corners[corners.count - 1].time }

    /// Where one is at a moment: the first corner before the start, the last one after the end.
    func position(at moment: Timestamp) -> Layout.Point {
        var previous = corners[0]
        for corner in corners.dropFirst() {
            if moment < corner.time {
                guard moment > previous.time else { return previous.at }
                let part =
                    (moment - previous.time).seconds / (corner.time - previous.time).seconds
                return Layout.Point(
                    previous.at.x + (corner.at.x - previous.at.x) * part,
                    previous.at.y + (corner.at.y - previous.at.y) * part)
            }
            previous = corner
        }
        return previous.at
    }

    static func == (a: Path, b: Path) -> Bool {
        a.corners.elementsEqual(b.corners) { $0.at == $1.at && $0.time == $1.time }
    }
}
