import Basics
import SiteModel

/// What one person does: away → walking → training, resting or outside → walking → … → away.
///
/// Holds neither clock nor dice. `proceed` is to be called at `until`, in the order of time among
/// all people, because they choose stations by what the others left free.
struct Walker: Equatable, Sendable {
    enum Activity: Equatable, Sendable {
        /// At home.
        case away
        /// Out of hearing for a short while in the middle of a visit.
        case outside
        /// On the way. A station is taken from here on, so that nobody else heads for it.
        case walking(Path, to: Goal)
        /// At the station of this index.
        case training(Int)
        /// Standing about in the room of this index.
        case resting(Int)
    }

    enum Goal: Equatable, Sendable {
        case station(Int)
        case room(Int)
        case open
        case home
    }

    private(set) var activity = Activity.away
    /// When the activity ends.
    private(set) var until: Timestamp
    /// Where the person stands, or began to walk.
    private(set) var spot: Layout.Point
    private var visitEnd: Timestamp

    /// Somebody at home whose first visit begins at `first`.
    init(first: Timestamp, layout: Layout) {
        until = first
        spot = layout.entrance
        visitEnd = first
    }

    /// The station in use or headed for.
    var station: Int? {
        switch activity {
        case .training(let station), .walking(_, to: .station(let station)): station
        case .away, .outside, .walking, .resting: nil
        }
    }

    /// Whether the tag can be heard at all.
    var isHere: Bool {
        switch activity {
        case .away, .outside: false
        case .walking, .training, .resting: true
        }
    }

    /// Where the person is at a moment of the present activity.
    func position(at moment: Timestamp) -> Layout.Point {
        if case .walking(let path, _) = activity { path.position(at: moment) } else { spot }
    }

    /// Ends the present activity and begins the next one at `until`.
    ///
    /// - Parameter free: the number of slots left at each station, this person's own included.
    mutating func proceed(
        in layout: Layout, at pace: Pace, free: [Int], _ random: inout SeededRandom
    ) {
        let now = until
        switch activity {
        case .away:
            visitEnd = now + random.span(seconds: pace.visit)
            spot = layout.entrance
            setOut(in: layout, at: pace, free: free, &random)
        case .outside, .training, .resting:
            setOut(in: layout, at: pace, free: free, &random)
        case .walking(let path, let goal):
            spot = path.position(at: now)
            switch goal {
            case .station(let station):
                activity = .training(station)
                // Who came late stays beyond the visit's end rather than for no time at all.
                let least = now + .seconds(pace.training.lowerBound / 2)
                until = min(now + random.span(seconds: pace.training), max(visitEnd, least))
            case .room(let room):
                activity = .resting(room)
                until = now + random.span(seconds: pace.resting)
            case .open:
                activity = .outside
                until = now + random.span(seconds: pace.outside)
            case .home:
                activity = .away
                until = pace.nextVisit(after: now, ahead: layout.ahead, &random)
            }
        }
    }

    /// Ends a rest at `now`, and sets out for a station.
    mutating func setOut(
        for station: Int, at now: Timestamp, in layout: Layout, _ random: inout SeededRandom
    ) {
        until = now
        walk(to: .station(station), in: layout, &random)
    }

    /// Chooses where to go next, and starts walking.
    private mutating func setOut(
        in layout: Layout, at pace: Pace, free: [Int], _ random: inout SeededRandom
    ) {
        walk(to: choice(in: layout, at: pace, free: free, &random), in: layout, &random)
    }

    private mutating func walk(
        to goal: Goal, in layout: Layout, _ random: inout SeededRandom
    ) {
        let target =
            switch goal {
            case .station(let station):
                near(layout.stations[station].position, within: 0.4, &random)
            case .room(let room): near(layout.rooms[room].rest, within: 1, &random)
            case .open, .home: layout.entrance
            }
        let (from, to) = (layout.room(at: spot), layout.room(at: target))
        let doors = from == to ? [] : [layout.rooms[from].door, layout.rooms[to].door]
        let path = Path(through: [spot] + doors + [target], from: until)
        activity = .walking(path, to: goal)
        until = path.end
    }

    private func choice(
        in layout: Layout, at pace: Pace, free: [Int], _ random: inout SeededRandom
    ) -> Goal {
        // Who would train for less than half a shortest stay goes home instead.
        if until + .seconds(pace.training.lowerBound / 2) > visitEnd { return .home }
        let isBreak: Bool
        switch activity {
        case .training: isBreak = true
        case .away, .outside, .walking, .resting: isBreak = false
        }
        if isBreak, random.chance(0.05) { return .open }
        let mayRest = isBreak && random.chance(0.25)
        // A station of several slots that is in use is half as welcome as an empty one.
        let weights = layout.stations.indices.map { index in
            if free[index] <= 0 || index == station {
                0
            } else if free[index] < layout.stations[index].slots {
                1
            } else {
                2
            }
        }
        var left = weights.reduce(0, +)
        guard !mayRest, left > 0 else {
            return .room(random.index(below: layout.rooms.count))
        }
        left = random.index(below: left)
        for (index, weight) in weights.enumerated() {
            if left < weight { return .station(index) }
            left -= weight
        }
        preconditionFailure("weights add up to their sum")
    }

    private func near(
        _ point: Layout.Point, within metres: Double, _ random: inout SeededRandom
    ) -> Layout.Point {
        Layout.Point(
            point.x + random.number(in: -metres...metres),
            point.y + random.number(in: -metres...metres))
    }
}

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
