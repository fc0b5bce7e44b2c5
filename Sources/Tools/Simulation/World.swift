import Basics
import SiteModel

/// People walking about a site with tags, and what its nodes receive of them.
///
/// Everything follows from the arguments of `init`: the same seed gives the same people at the same
/// places and the same bytes, whether time is advanced in small steps or large ones, as packets or
/// as frames. Where people walk does not depend on the radio: neither the advertising interval nor
/// strays change `truth`.
package struct World: Equatable, Sendable {
    /// What a node heard of one person in one second.
    package struct Heard: Equatable, Sendable {
        /// The person, an index into `people`.
        package var person: Int
        /// The median level; between two packets, the mean of both.
        package var median: RSSI
        /// The number of packets, from 1.
        package var count: Int
        /// The strongest level.
        package var strongest: RSSI

        package init(person: Int, median: RSSI, count: Int, strongest: RSSI) {
            self.person = person
            self.median = median
            self.count = count
            self.strongest = strongest
        }
    }

    /// Where somebody really is.
    package struct Whereabouts: Equatable, Sendable {
        /// An index into the layout's rooms.
        package var room: Int
        /// An index into the layout's stations; `nil` when resting or on the way.
        package var station: Int?

        package init(room: Int, station: Int? = nil) {
            self.room = room
            self.station = station
        }
    }

    /// The site.
    package let layout: Layout
    /// Those who walk about.
    package let people: [Person]
    /// How long they stay.
    package let pace: Pace
    /// Everything before this moment has happened.
    package private(set) var now: Timestamp

    private let interval: Timestamp.Span
    private var walkers: [Walker]
    private let strays: [Stray]
    /// When each transmitter sends next, people first, then strays; `never` while out of hearing.
    private var adverts: [Timestamp]
    private var air: Air
    private var steps: SeededRandom
    private var waves: SeededRandom
    /// The levels of one second by node and person; kept to spare allocations.
    private var levels: [[Int8]]

    private static let never = Timestamp(milliseconds: .max)

    /// A world that starts at `start`.
    ///
    /// - Parameters:
    ///   - interval: the tags' advertising interval, at least 20 ms; each packet comes up to 10 ms
    ///     later, as the specification asks (Core 5.4, Vol 6 Part B 4.4.2.2.1).
    ///   - strays: transmitters nobody registered: phones, and from two on a machine with a public
    ///     address, from three on a source of broken events.
    ///   - nodeDeviation: how differently nodes hear, in dB (standard deviation).
    package init(
        _ layout: Layout, people: [Person], pace: Pace, seed: UInt64, from start: Timestamp,
        interval: Timestamp.Span = .milliseconds(250), strays count: Int = 0,
        nodeDeviation: Double = 1.5
    ) {
        precondition(interval >= .milliseconds(20), "no tag advertises more often than every 20 ms")
        self.layout = layout
        self.people = people
        self.pace = pace
        self.interval = interval
        now = start
        steps = SeededRandom(seed: seed, stream: 2)
        waves = SeededRandom(seed: seed, stream: 3)
        walkers = []
        for _ in people {
            let first = pace.firstVisit(from: start, ahead: layout.ahead, &steps)
            walkers.append(Walker(first: first, layout: layout))
        }
        var dice = SeededRandom(seed: seed, stream: 4)
        var strays: [Stray] = []
        for number in 0..<count { strays.append(Stray(number: number, in: layout, &dice)) }
        self.strays = strays
        air = Air(
            layout, transmitters: people.count + count, interval: interval,
            nodeDeviation: nodeDeviation, &waves)
        adverts = people.map { _ in Self.never }
        levels = Array(repeating: [], count: people.count * layout.nodes.count)
        for (index, stray) in strays.enumerated() {
            air.move(people.count + index, to: stray.position, in: layout)
            adverts.append(start + stray.pause(&waves))
        }
    }

    /// Lets time pass up to, but not including, `moment`, and tells each packet received on the
    /// way, in the order of time, then sender, then node. A moment in the past changes nothing.
    package mutating func advance(to moment: Timestamp, _ emit: (Emission) -> Void) {
        run(to: moment) { sender, node, at, level in
            emit(
                Emission(node: node, at: at, rssi: UInt8(bitPattern: level), sender: sender))
        }
    }

    /// Lets one whole second of Unix time pass, and says what each node heard of whom in it, by
    /// node, then person. The same levels as `advance` tells, without their packets.
    ///
    /// The second must not have passed yet; if time is still before it, what lies between is lost.
    package mutating func frames(second: Int64) -> [[Heard]] {
        let start = Timestamp(second: second)
        precondition(start >= now, "second \(second) has passed")
        run(to: start) { _, _, _, _ in }
        var levels: [[Int8]] = []
        swap(&levels, &self.levels)  // Out of `self`, so that the closure may fill them.
        defer { swap(&levels, &self.levels) }
        var isQuiet = true
        let count = people.count
        run(to: Timestamp(second: second + 1)) { sender, node, _, level in
            guard case .person(let person) = sender else { return }
            levels[node * count + person].append(level)
            isQuiet = false
        }
        var frames: [[Heard]] = Array(repeating: [], count: layout.nodes.count)
        if isQuiet { return frames }
        for node in layout.nodes.indices {
            for person in 0..<count {
                let pair = node * count + person
                guard let heard = Self.summary(of: &levels[pair], from: person) else { continue }
                frames[node].append(heard)
                levels[pair].removeAll(keepingCapacity: true)
            }
        }
        return frames
    }

    /// Where a person is at `now`, or `nil` when away from the site.
    package func truth(_ person: Int) -> Whereabouts? {
        switch walkers[person].activity {
        case .away, .outside: nil
        case .walking:
            Whereabouts(room: layout.room(at: walkers[person].position(at: now)), station: nil)
        case .training(let station):
            Whereabouts(room: layout.stations[station].room, station: station)
        case .resting(let room): Whereabouts(room: room, station: nil)
        }
    }

    /// Whether somebody stands about in a room.
    package func rests(_ person: Int) -> Bool {
        if case .resting = walkers[person].activity { true } else { false }
    }

    /// Has somebody who rests set out for a station now, because it is their turn. `false`: they do not rest.
    package mutating func call(_ person: Int, to station: Int) -> Bool {
        guard case .resting = walkers[person].activity else { return false }
        walkers[person].setOut(for: station, at: now, in: layout, &steps)
        return true
    }

    /// Nothing is sent before this moment, apart from `now` on: while nobody is at the site, when
    /// the next person comes in. Lets a caller skip the nights.
    package var quietUntil: Timestamp {
        var moment = adverts.min() ?? Self.never
        for walker in walkers { moment = min(moment, walker.until) }
        return max(moment, now)
    }

    /// Takes turns, earliest first; at the same moment people move before anything is sent.
    @inline(__always)
    private mutating func run(
        to end: Timestamp, _ heard: (Emission.Sender, Int, Timestamp, Int8) -> Void
    ) {
        while true {
            var due = end
            var mover: Int?
            var sender: Int?
            for index in walkers.indices where walkers[index].until < due {
                due = walkers[index].until
                mover = index
            }
            for index in adverts.indices where adverts[index] < due {
                due = adverts[index]
                sender = index
            }
            if let sender {
                send(from: sender, at: due, heard)
            } else if let mover {
                proceed(mover)
            } else {
                now = max(now, end)
                return
            }
        }
    }

    private mutating func proceed(_ person: Int) {
        var free = layout.stations.map(\.slots)
        for (index, walker) in walkers.enumerated() where index != person {
            if let station = walker.station { free[station] -= 1 }
        }
        let wasHere = walkers[person].isHere
        let moment = walkers[person].until
        walkers[person].proceed(in: layout, at: pace, free: free, &steps)
        guard walkers[person].isHere else {
            adverts[person] = Self.never
            return
        }
        air.move(person, to: walkers[person].position(at: moment), in: layout)
        if !wasHere {
            adverts[person] = moment + waves.span(seconds: 0...interval.seconds)
        }
    }

    @inline(__always)
    private mutating func send(
        from transmitter: Int, at moment: Timestamp,
        _ heard: (Emission.Sender, Int, Timestamp, Int8) -> Void
    ) {
        let sender: Emission.Sender
        if transmitter < people.count {
            sender = .person(transmitter)
            if case .walking = walkers[transmitter].activity {
                let position = walkers[transmitter].position(at: moment)
                air.move(transmitter, to: position, in: layout)
            }
            adverts[transmitter] = moment + interval + waves.span(seconds: 0...0.01)
        } else {
            let stray = strays[transmitter - people.count]
            sender = stray.sender(at: moment, &waves)
            adverts[transmitter] = moment + stray.pause(&waves)
        }
        air.send(from: transmitter, &waves) { node, level in heard(sender, node, moment, level) }
    }

    /// Sorts the levels of a second; `nil` if there are none.
    private static func summary(of levels: inout [Int8], from person: Int) -> Heard? {
        guard !levels.isEmpty else { return nil }
        levels.sort()
        let middle = levels.count / 2
        let upper = Double(levels[middle])
        let median =
            levels.count.isMultiple(of: 2) ? (upper + Double(levels[middle - 1])) / 2 : upper
        return Heard(
            person: person, median: RSSI(dBm: median), count: levels.count,
            strongest: RSSI(dBm: Double(levels[levels.count - 1])))
    }
}

/// What goes wrong in one simulated history.
///
/// Drawn swarm-style: each seed leaves about half of the kinds out altogether, because faults that
/// always come together hide each other.
package struct Faults: Equatable, Sendable {
    /// The chance that a message of quality 0 is lost on its way to one subscriber, 0 ... 1.
    package var loss = 0.0
    /// The chance that a message of quality 1 is delivered twice, 0 ... 1.
    package var duplication = 0.0
    /// The longest a message is under way. Messages to one client keep their order.
    package var delay = Timestamp.Span.milliseconds(0)
    /// By node: when its process is dead.
    package var outages: [[Interval]] = []
    /// By node: how far its clock is ahead.
    package var clockOffsets: [Timestamp.Span] = []
    /// When the coordinator dies without warning, earliest first.
    package var crashes: [Timestamp] = []
    /// When the broker dies and forgets everything, earliest first.
    package var brokerRestarts: [Timestamp] = []
    /// How many unregistered transmitters stand about, for `World.init`.
    package var strays = 0

    package init() {}

    /// The faults of a seed for `nodes` nodes during `period`. Loss up to 30 %, duplication up to
    /// 20 %, delay up to 3 s, one or two outages of 10 ... 120 s for a third of the nodes, clocks
    /// up to 5 s off for a third, one to three crashes, one broker restart, three to eight strays.
    package init(seed: UInt64, nodes: Int, during period: Interval) {
        var random = SeededRandom(seed: seed, stream: 5)
        if random.chance(0.5) { loss = random.number(in: 0.01...0.3) }
        if random.chance(0.5) { duplication = random.number(in: 0.01...0.2) }
        if random.chance(0.5) { delay = random.span(seconds: 0.1...3) }
        outages = Array(repeating: [], count: nodes)
        if random.chance(0.5) {
            for node in 0..<nodes where random.chance(1 / 3) {
                var set = IntervalSet(joining: .seconds(1))
                for _ in 0...random.index(below: 2) {
                    let from = Self.moment(in: period, &random)
                    set.insert(Interval(from: from, to: from + random.span(seconds: 10...120)))
                }
                outages[node] = set.intervals
            }
        }
        clockOffsets = Array(repeating: .milliseconds(0), count: nodes)
        if random.chance(0.5) {
            for node in 0..<nodes where random.chance(1 / 3) {
                clockOffsets[node] = random.span(seconds: -5...5)
            }
        }
        if random.chance(0.5) {
            for _ in 0...random.index(below: 3) { crashes.append(Self.moment(in: period, &random)) }
            crashes.sort()
        }
        if random.chance(0.5) { brokerRestarts = [Self.moment(in: period, &random)] }
        if random.chance(0.5) { strays = 3 + random.index(below: 6) }
    }

    /// Whether a node's process is dead at a moment.
    package func isOut(_ node: Int, at moment: Timestamp) -> Bool {
        guard outages.indices.contains(node) else { return false }
        return outages[node].contains { $0.from <= moment && moment < $0.to }
    }

    /// What a node's clock says at a moment.
    package func clock(of node: Int, at moment: Timestamp) -> Timestamp {
        clockOffsets.indices.contains(node) ? moment + clockOffsets[node] : moment
    }

    private static func moment(in period: Interval, _ random: inout SeededRandom) -> Timestamp {
        period.from + random.span(seconds: 0...period.length.seconds)
    }
}
