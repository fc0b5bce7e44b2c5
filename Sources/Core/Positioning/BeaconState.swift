import SiteModel

/// Who hears a beacon, strongest first.
package struct BeaconState: Equatable, Sendable, Codable {
    /// What one node hears.
    package struct Hearing: Equatable, Sendable, Codable {
        package var node: NodeID
        /// The smoothed level.
        package var level: RSSI
        /// How long ago the last advertisement was, at the state's moment.
        package var age: Timestamp.Span

        package init(node: NodeID, level: RSSI, age: Timestamp.Span) {
            self.node = node
            self.level = level
            self.age = age
        }
    }

    package var beacon: BeaconID
    /// The moment this was so.
    package var at: Timestamp
    /// The nodes that hear it, strongest first.
    package var hearings: [Hearing]
    /// How often the decided place of its user changed within the last hour, `nil` if nobody does.
    package var lastHour: ChangeCounts?

    package init(
        beacon: BeaconID, at: Timestamp, hearings: [Hearing], lastHour: ChangeCounts? = nil
    ) {
        self.beacon = beacon
        self.at = at
        self.hearings = hearings
        self.lastHour = lastHour
    }
}

extension BeaconState {
    /// By how much another node must be louder to come before one it came after, in dB.
    static let reordering = 3.0

    /// Hearings, strongest first, in the order they had before as long as none is clearly louder
    /// than the one before it. New ones go where their level puts them.
    package static func ordered(_ hearings: [Hearing], after old: [Hearing]) -> [Hearing] {
        var list = old.compactMap { known in hearings.first { $0.node == known.node } }
        for index in list.indices {
            var place = index
            while place > 0,
                list[place].level.dBm >= list[place - 1].level.dBm + Self.reordering
            {
                list.swapAt(place, place - 1)
                place -= 1
            }
        }
        for hearing in hearings where !old.contains(where: { $0.node == hearing.node }) {
            let place = list.firstIndex { $0.level < hearing.level } ?? list.count
            list.insert(hearing, at: place)
        }
        return list
    }
}

/// What is believed of one user at the end of each of the last seconds, so that a reading that comes late
/// can be fused where it belongs: belief goes back to the second before and comes forward again.
package struct BeliefLog: Sendable {
    /// A reading may come ten seconds late, and a second is decided after it has ended.
    static let length = 12

    /// How the filter stands at the end of a second.
    package struct Belief: Equatable {
        /// By zone, adding up to 1.
        var probabilities: [Double]
        /// How far levels have been from the best spot lately, summed, in what is usual; and over
        /// how many ears.
        var residual = 0.0
        var ears = 0.0
        /// How many ears heard the devices in a second, and how many should have, lately.
        var heard = 0.0
        var expected = 0.0
        /// How many seconds that was learned from.
        var seconds = 0.0
        /// Of the latest weighing, how much the spots counted, 0 ... 1.
        var spotWeight = 0.0
        /// The same of how little the spots fitted, 0 ... 1.
        var strangeness = 0.0
    }

    private static let extras = 7

    private let zones: Int
    /// By slot: the probabilities, then the other numbers. Four bytes each, for there are many.
    private var numbers: [Float] = []
    /// The newest second, `nil` before the first.
    private(set) var newest: Int64?
    private var oldest: Int64 = 0

    /// Nothing is believed of a user who may be in any of `zones` zones.
    init(zones: Int) { self.zones = zones }

    /// Every zone alike.
    var even: Belief {
        Belief(probabilities: Array(repeating: 1 / Double(max(zones, 1)), count: zones))
    }

    /// What was believed at the end of a second that is still known.
    func belief(at second: Int64) -> Belief? {
        guard let newest, second <= newest, second >= oldest else { return nil }
        let first = Self.slot(of: second) * (zones + Self.extras)
        func number(_ index: Int) -> Double { Double(numbers[first + index]) }
        return Belief(
            probabilities: (0..<zones).map(number), residual: number(zones),
            ears: number(zones + 1), heard: number(zones + 2), expected: number(zones + 3),
            seconds: number(zones + 4), spotWeight: number(zones + 5),
            strangeness: number(zones + 6))
    }

    var latest: Belief? { newest.flatMap { belief(at: $0) } }

    /// The earliest second from which on it can be believed anew.
    func earliest(from second: Int64) -> Int64 { max(second, oldest + 1) }

    /// Believes `belief` at the end of `second`, and nothing of any later one.
    mutating func put(_ belief: Belief, at second: Int64) {
        let stride = zones + Self.extras
        if numbers.isEmpty { numbers = Array(repeating: 0, count: stride * Self.length) }
        if let newest, second <= newest + 1, second > oldest {
            oldest = max(oldest, second - Int64(Self.length) + 1)
        } else {
            oldest = second
        }
        newest = second
        let first = Self.slot(of: second) * stride
        for zone in 0..<zones { numbers[first + zone] = Float(belief.probabilities[zone]) }
        numbers[first + zones] = Float(belief.residual)
        numbers[first + zones + 1] = Float(belief.ears)
        numbers[first + zones + 2] = Float(belief.heard)
        numbers[first + zones + 3] = Float(belief.expected)
        numbers[first + zones + 4] = Float(belief.seconds)
        numbers[first + zones + 5] = Float(belief.spotWeight)
        numbers[first + zones + 6] = Float(belief.strangeness)
    }

    /// Believes nothing any more.
    mutating func clear() {
        newest = nil
        numbers = []
    }

    /// The bytes it takes.
    var bytes: Int { numbers.count * 4 }

    private static func slot(of second: Int64) -> Int {
        let length = Int64(length)
        return Int(((second % length) + length) % length)
    }
}
