import SiteModel

/// A stay of somebody at a station.
package struct StationStay: Equatable, Sendable {
    package var from: Timestamp
    /// `nil`: they are still there.
    package var to: Timestamp?
    /// Where the station is; `nil`: nobody has said.
    package var position: Position?

    package init(from: Timestamp, to: Timestamp?, position: Position?) {
        self.from = from
        self.to = to
        self.position = position
    }
}

/// A way from one station to the next, as the mesh saw it.
package struct StationLeg: Equatable, Sendable {
    /// Who comes to the next one later than so was elsewhere in between.
    package static let longest = Timestamp.Span.seconds(600)

    /// When they came to the second.
    package var at: Timestamp
    /// In a straight line, in micrometres: at least so far they went.
    package var distance: Int64

    package init(at: Timestamp, distance: Int64) {
        self.at = at
        self.distance = distance
    }

    /// The ways between stays, which are in order. Where one has no position, no way is known.
    package static func all(between stays: [StationStay]) -> [StationLeg] {
        zip(stays, stays.dropFirst()).compactMap { before, after in
            guard let end = before.to, after.from - end <= longest, let from = before.position,
                let to = after.position
            else { return nil }
            let (x, y) = (to.x - from.x, to.y - from.y)
            return StationLeg(
                at: after.from, distance: Int64(((x * x + y * y).squareRoot() * 1e6).rounded()))
        }
    }
}
