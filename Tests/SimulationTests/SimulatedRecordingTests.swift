import Testing

@testable import Simulation

/// Simulated recordings follow from their arguments, keep their truth, and each condition does what
/// it says.
struct SimulatedRecordingTests {
    private func recording(
        _ plan: FloorPlan = .hall, people: Int = 3, seconds: Double = 300, seed: UInt64 = 5,
        day: UInt64 = 0, _ change: (inout Conditions) -> Void = { _ in }
    ) -> SimulatedRecording {
        var conditions = Conditions()
        change(&conditions)
        return SimulatedRecording(
            plan, conditions, people: people, seconds: seconds, seed: seed, day: day)
    }

    private func mean(_ levels: [Double]) -> Double {
        levels.reduce(0, +) / Double(max(levels.count, 1))
    }

    private func deviation(_ numbers: [Double]) -> Double {
        let middle = mean(numbers)
        return mean(numbers.map { ($0 - middle) * ($0 - middle) }).squareRoot()
    }

    @Test(arguments: FloorPlan.all)
    func `the same arguments give the same recording`(plan: FloorPlan) {
        #expect(recording(plan) == recording(plan))
        #expect(recording(plan).readings != recording(plan, seed: 6).readings)
        #expect(recording(plan).readings != recording(plan, day: 1).readings)
    }

    @Test(arguments: FloorPlan.all)
    func `the radio changes nothing about where people are`(plan: FloorPlan) {
        let other = recording(plan) { ($0.interval, $0.loss, $0.body) = (0.3, 0.6, 20) }
        #expect(recording(plan).visits == other.visits)
        #expect(recording(plan).positions == other.positions)
    }

    @Test(arguments: FloorPlan.all)
    func `people are where the truth says`(plan: FloorPlan) {
        let walk = recording(plan, seconds: 1200)
        let positions = walk.positions
        for (person, visits) in walk.visits.enumerated() {
            #expect(visits.count > 3)
            for (visit, next) in zip(visits, visits.dropFirst()) {
                #expect(visit.end <= next.start && visit.zone != next.zone)
            }
            for visit in visits {
                #expect(visit.start >= 0 && visit.end <= 1200 && visit.end - visit.start >= 2)
                let zone = plan.zones[visit.zone]
                for place in positions
                where place.transmitter == person && place.at >= visit.start
                    && place.at < visit.end
                {
                    let nearest = zone.spots.map { $0.distance(to: place.point) }.min()
                    let room = plan.rooms[zone.room]
                    let isInside =
                        room.low.x <= place.point.x && place.point.x <= room.high.x
                        && room.low.y <= place.point.y && place.point.y <= room.high.y
                    // An excursion of less than two seconds across a border belongs to the visit.
                    #expect(
                        zone.coversRoom
                            ? isInside || nearest.map { $0 < 8 } == true
                            : nearest.map { $0 <= 0.5 } == true)
                }
            }
        }
    }

    @Test func `readings come in order and say where their sender was`() {
        let walk = recording(.flat) { $0.skew = 0 }
        #expect(zip(walk.readings, walk.readings.dropFirst()).allSatisfy { $0.at <= $1.at })
        #expect(walk.readings.count > 1000)
        for reading in walk.readings {
            let at = Double(reading.at) / 1000
            let visit = walk.visits[reading.transmitter].first {
                $0.start - 0.001 <= at && at <= $0.end + 0.001
            }
            #expect(reading.zone == visit?.zone || visit.map { at - $0.start < 0.001 } == true)
        }
    }

    @Test func `a sparse tag and a lossy air give fewer readings`() {
        let count = recording { ($0.loss, $0.duplication) = (0, 0) }.readings.count
        let sparse = recording { ($0.loss, $0.duplication, $0.interval) = (0, 0, 5) }.readings.count
        let lossy = recording { ($0.loss, $0.duplication) = (0.5, 0) }.readings.count
        #expect(abs(Double(sparse) / Double(count) - 0.2) < 0.02)
        #expect(abs(Double(lossy) / Double(count) - 0.5) < 0.03)
        #expect(recording { $0.loss = 1 }.readings.isEmpty)
    }

    /// With bodies of 20 dB, who faces away loses them all and who faces the receiver none: 10 dB
    /// in the mean, near the receiver, where the weakest are received, too.
    @Test func `bodies take levels`() {
        func mean(_ body: Double) -> Double {
            let walk = recording(people: 6, seconds: 1200) { ($0.body, $0.crowd) = (body, 0) }
            return self.mean(
                walk.readings.filter { $0.zone == $0.receiver }.map(\.level))
        }
        let taken = mean(0) - mean(20)
        #expect(taken > 7 && taken < 13)
    }

    @Test func `walls take levels`() {
        var open = FloorPlan.office
        open.walls = []
        /// What the corridor's receiver hears of those who are not in the corridor.
        func heard(_ plan: FloorPlan) -> Int {
            recording(plan, seconds: 900).readings.filter {
                $0.receiver == 0 && $0.zone.map { $0 != 0 } == true
            }.count
        }
        #expect(heard(.office) > 0)
        #expect(heard(open) * 4 > heard(.office) * 5)
    }

    /// Everybody stands at every receiver's station alike: what is left of the means is the offset.
    @Test func `receivers differ by their offsets`() {
        func means(_ offset: Double) -> [Double] {
            let readings = recording(people: 6, seconds: 1200) {
                ($0.receiverOffset, $0.multipath) = (offset, 0)
            }.readings
            return FloorPlan.hall.receivers.indices.map { receiver in
                mean(
                    readings.filter { $0.receiver == receiver && $0.zone == receiver }.map(\.level))
            }
        }
        #expect(deviation(means(0)) < 2)
        #expect(deviation(means(6)) > 3.5)
    }

    @Test func `a dead receiver hears nothing while it is dead`() {
        let walk = recording { ($0.outages, $0.skew) = ([[], [100...200]], 0) }
        let heard = walk.readings.filter { $0.receiver == 1 }.map { Double($0.at) / 1000 }
        #expect(heard.contains { $0 < 100 } && heard.contains { $0 > 200 })
        #expect(!heard.contains { $0 > 100 && $0 < 200 })
    }

    @Test func `readings come twice, and too strong, as often as told`() {
        let walk = recording { ($0.duplication, $0.spikes) = (0.2, 0.05) }
        let plain = recording { ($0.duplication, $0.spikes) = (0, 0) }
        #expect(abs(Double(walk.readings.count) / Double(plain.readings.count) - 1.2) < 0.04)
        let strong = { (walk: SimulatedRecording) in walk.readings.filter { $0.level > -48 }.count }
        #expect(strong(walk) > 3 * max(strong(plain), 1))
    }

    @Test func `receivers' clocks are off by a constant`() {
        let (exact, skewed) = (recording { $0.skew = 0 }, recording { $0.skew = 2 })
        var constants: Set<Int64> = []
        for receiver in FloorPlan.hall.receivers.indices {
            func times(_ walk: SimulatedRecording) -> [Int64] {
                walk.readings.filter { $0.receiver == receiver }.map(\.at)
            }
            let (one, other) = (times(exact), times(skewed))
            #expect(one.count == other.count)
            // Nothing is told before the start of a recording.
            let skews = zip(one, other).filter { $0 > 20_000 && $1 > 0 }.map { $1 - $0 }
            guard let least = skews.min(), let most = skews.max() else { continue }
            #expect(most - least <= 1)  // Both are rounded.
            constants.insert(least)
        }
        #expect(constants.count > 6)
    }

    @Test func `slow fades take levels for a while`() {
        func mean(_ fades: Double) -> Double {
            self.mean(recording { ($0.slowFades, $0.slowFade) = (fades, 15) }.readings.map(\.level))
        }
        #expect(mean(0) > mean(2))
    }

    @Test(arguments: FloorPlan.all)
    func `somebody stands at each spot in turn`(plan: FloorPlan) {
        let stand = SimulatedRecording(standing: plan, Conditions(), seconds: 60, seed: 5)
        let spots = plan.zones.map(\.spots.count).reduce(0, +)
        #expect(stand.seconds == 60 * Double(spots))
        #expect(stand.visits[0].map(\.zone) == Array(plan.zones.indices))
        #expect(stand.readings.allSatisfy { $0.zone != nil })
        #expect(Set(stand.readings.compactMap(\.zone)).count == plan.zones.count)
    }
}
