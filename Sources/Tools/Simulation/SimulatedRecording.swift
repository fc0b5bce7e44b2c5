import Basics

/// What the receivers of a floor plan recorded of people who stayed and walked there, and where
/// these truly were. The same arguments give the same bytes.
package struct SimulatedRecording: Equatable, Sendable {
    /// One packet at one receiver.
    package struct Reading: Equatable, Sendable {
        /// What the receiver's clock said, in ms from the start, at least 0.
        package var at: Int64
        /// An index into the plan's receivers.
        package var receiver: Int
        /// An index into `transmitters`.
        package var transmitter: Int
        /// In whole dBm.
        package var level: Double
        /// Where the transmitter truly was, an index into the plan's zones; `nil` on the way.
        package var zone: Int?

        package init(at: Int64, receiver: Int, transmitter: Int, level: Double, zone: Int? = nil) {
            self.at = at
            self.receiver = receiver
            self.transmitter = transmitter
            self.level = level
            self.zone = zone
        }
    }

    /// Time at a zone, in seconds: from `start` to before `end`.
    package struct Visit: Equatable, Sendable {
        /// When it began.
        package var start: Double
        package var end: Double
        /// An index into the plan's zones.
        package var zone: Int

        package init(start: Double, end: Double, zone: Int) {
            self.start = start
            self.end = end
            self.zone = zone
        }
    }

    /// Where a transmitter was at a moment.
    package struct Whereabouts: Equatable, Sendable {
        /// In seconds.
        package var at: Double
        /// An index into `transmitters`.
        package var transmitter: Int
        package var point: FloorPlan.Point

        package init(at: Double, transmitter: Int, point: FloorPlan.Point) {
            self.at = at
            self.transmitter = transmitter
            self.point = point
        }
    }

    /// What tags are called.
    package let transmitters: [String]
    /// In order of time.
    package private(set) var readings: [Reading] = []
    /// The truth by transmitter, in order of time.
    package let visits: [[Visit]]
    /// How long it is, in seconds.
    package let seconds: Double
    private let itineraries: [Itinerary]

    /// A recording of `people` who wander about.
    ///
    /// - Parameters:
    ///   - seconds: how long it is, above 0.
    ///   - seed: what receivers, reflections, people and radio follow from.
    ///   - day: another day differs in people, tags and a part of the reflections.
    package init(
        _ plan: FloorPlan, _ conditions: Conditions, people: Int, seconds: Double, seed: UInt64,
        day: UInt64 = 0
    ) {
        var steps = SeededRandom(seed: seed, stream: 300 + day)
        let itineraries = (0..<people).map { _ in
            Itinerary(wandering: plan, dwell: conditions.dwell, seconds: seconds, &steps)
        }
        self.init(
            plan, conditions, itineraries, names: (1...max(people, 1)).map { "tag\($0)" },
            seconds: seconds, seed: seed, day: day)
    }

    /// Somebody stands `seconds` at each spot in turn, on another day and with another tag than
    /// those who wander about. They do as one is told for calibrating: the tag sends at least once
    /// a second, they turn round while they stand, and every receiver is there.
    package init(
        standing plan: FloorPlan, _ conditions: Conditions, seconds: Double, seed: UInt64,
        day: UInt64 = 1
    ) {
        var steps = SeededRandom(seed: seed, stream: 300 + day)
        let itinerary = Itinerary(visiting: plan, seconds: seconds, &steps)
        var conditions = conditions
        conditions.interval = min(conditions.interval, 1)
        conditions.outages = []
        self.init(
            plan, conditions, [itinerary], names: ["calibration"],
            seconds: itinerary.legs.last?.to ?? 0, seed: seed, day: day)
    }

    private init(
        _ plan: FloorPlan, _ conditions: Conditions, _ itineraries: [Itinerary], names: [String],
        seconds: Double, seed: UInt64, day: UInt64
    ) {
        transmitters = Array(names.prefix(itineraries.count))
        self.itineraries = itineraries
        self.seconds = seconds
        visits = itineraries.map { $0.visits(in: plan, until: seconds) }
        transmit(plan, conditions, seed: seed, day: day)
    }

    /// Where everybody is at each whole second.
    package var positions: [Whereabouts] {
        var cursors = itineraries.map { _ in 0 }
        var list: [Whereabouts] = []
        for second in 0..<max(Int(seconds.rounded(.up)), 0) {
            for person in itineraries.indices {
                let leg = itineraries[person].leg(at: Double(second), from: &cursors[person])
                list.append(
                    Whereabouts(
                        at: Double(second), transmitter: person,
                        point: leg.position(at: Double(second))))
            }
        }
        return list
    }

    private mutating func transmit(
        _ plan: FloorPlan, _ conditions: Conditions, seed: UInt64, day: UInt64
    ) {
        guard !itineraries.isEmpty else { return }
        precondition(conditions.interval >= 0.02, "no tag advertises more often than every 20 ms")
        var random = SeededRandom(seed: seed, stream: 400 + day)
        var air = SimulatedAir(
            plan, conditions, people: itineraries.count, seed: seed, day: day)
        var next = itineraries.map { _ in random.number(in: 0...conditions.interval) }
        var last = next
        var cursors = itineraries.map { _ in 0 }
        var visited = itineraries.map { _ in 0 }
        var readings: [Reading] = []
        while true {
            var person = 0
            for index in next.indices where next[index] < next[person] { person = index }
            let now = next[person]
            guard now < seconds else { break }
            var others: [Layout.Point] = []
            for other in itineraries.indices where other != person {
                let leg = itineraries[other].leg(at: now, from: &cursors[other])
                others.append(leg.position(at: now))
            }
            let leg = itineraries[person].leg(at: now, from: &cursors[person])
            while visited[person] < visits[person].count,
                visits[person][visited[person]].end <= now
            {
                visited[person] += 1
            }
            let visit = visits[person].dropFirst(visited[person]).first
            let zone = visit.flatMap { $0.start <= now ? $0.zone : nil }
            var heard: [(receiver: Int, level: Double)] = []
            air.send(
                from: person, leg: (cursors[person], leg), others: others, at: now,
                elapsed: now - last[person]
            ) { heard.append(($0, $1)) }
            for (receiver, level) in heard {
                let reading = Reading(
                    at: Int64((max(now + air.skew(of: receiver), 0) * 1000).rounded()),
                    receiver: receiver, transmitter: person, level: level, zone: zone)
                readings.append(reading)
                if air.isTwice() { readings.append(reading) }
            }
            last[person] = now
            // Up to 10 ms later, as the specification asks (Core 5.4, Vol 6 Part B 4.4.2.2.1).
            next[person] = now + conditions.interval + random.number(in: 0...0.01)
        }
        self.readings = readings.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
    }
}

extension Itinerary {
    /// The leg of a moment; `cursor` goes along with it.
    func leg(at moment: Double, from cursor: inout Int) -> Leg {
        while cursor + 1 < legs.count, legs[cursor].to <= moment { cursor += 1 }
        return legs[cursor]
    }
}

/// What the air, the tags and the receivers of a simulated recording are like. Decibels unless said
/// otherwise; deviations are standard deviations.
package struct Conditions: Equatable, Sendable {
    /// Between two packets of a tag, in seconds, from 0.02.
    package var interval = 1.0
    /// The chance that a packet is lost whatever its level, 0 ... 1.
    package var loss = 0.15
    /// How level falls with distance: 10 · exponent · log10 of metres.
    package var exponent = 2.5
    /// How receivers differ.
    package var receiverOffset = 2.0
    /// How tags and their carriers differ from day to day.
    package var tagOffset = 2.0
    /// What the carrier's body takes where it is wholly in the way.
    package var body = 6.0
    /// What each other person takes who stands in the way.
    package var crowd = 3.0
    /// What reflections add at a spot for a receiver, the same each day.
    package var multipath = 3.0
    /// The same that differs from day to day.
    package var otherDay = 1.5
    /// What drifts on each link within seconds.
    package var shadow = 2.5
    /// How long it takes to drift, in seconds.
    package var shadowTime = 6.0
    /// How packets of one link scatter.
    package var fading = 2.5
    /// The chance that a link fades for half a minute to one and a half, in each minute.
    package var slowFades = 0.02
    /// How deep such a fade is.
    package var slowFade = 8.0
    /// How far receivers' clocks are off, in seconds.
    package var skew = 0.05
    /// The chance that a reading comes twice, 0 ... 1.
    package var duplication = 0.01
    /// The chance that a reading is 20 dB too strong, 0 ... 1.
    package var spikes = 0.002
    /// By receiver: the seconds in which it is dead. Shorter lists are filled up with none.
    package var outages: [[ClosedRange<Double>]] = []
    /// How long people stay at a spot, in seconds.
    package var dwell = 40.0...160.0

    /// Ordinary ones: a tag a second, good receivers.
    package init() {}
}
