@testable import SiteEngine
@testable import SiteModel

/// What five nodes hear in five minutes, from a seed: people come and go, radios fail now and then,
/// every node has a clock of its own. It can be told as frames and as evidence.
struct EvidenceHistory {
    /// When something is told, and what.
    typealias Step = (at: Double, input: Input)

    static let seconds = 300

    /// By node and second: the levels of the beacons heard, or `nil` while the radio is off.
    private var heard: [[[Int64: Double]?]] = []
    /// By node: what our clock is ahead, in whole seconds.
    private let leads: [Int]
    /// By node: how much later than ours its seconds begin.
    private let phases: [Double]

    init(seed: UInt64) {
        var dice = Dice(seed: seed)
        var places: [Int64] = [0, 0, 0]
        leads = (0..<5).map { _ in .random(in: -100_000...100_000, using: &dice) }
        phases = (0..<5).map { _ in .random(in: -0.1...0.1, using: &dice) }
        heard = Array(repeating: [], count: 5)
        var isOff = Array(repeating: false, count: 5)
        for _ in 0..<Self.seconds {
            for user in 0..<3 where Int.random(in: 0..<15, using: &dice) == 0 {
                places[user] = .random(in: 0...5, using: &dice)
            }
            for node in 0..<5 {
                if Int.random(in: 0..<25, using: &dice) == 0 { isOff[node].toggle() }
                guard !isOff[node] else {
                    heard[node].append(nil)
                    continue
                }
                var levels: [Int64: Double] = [:]
                for user in 0..<3 where places[user] != 0 {
                    guard Int.random(in: 0..<3, using: &dice) > 0 else { continue }
                    let isNear = places[user] == Int64(node + 1)
                    levels[Int64(user + 1)] = isNear ? -55 : [-80, -97][Int(user % 2)]
                }
                heard[node].append(levels)
            }
        }
    }

    /// A whole second of the node's clock.
    private func clock(_ node: Int, _ second: Int) -> Timestamp {
        moment(Double(second - leads[node]))
    }

    /// When, in our time, it is told.
    private func arrival(_ node: Int, _ second: Int, _ dice: inout Dice) -> Double {
        Double(second) + phases[node] + .random(in: 0.005...0.3, using: &dice)
    }

    /// A frame for each second of listening, at most a third of a second under way.
    func frames(_ dice: inout Dice) -> [Step] {
        var steps: [Step] = []
        for node in 0..<5 {
            for second in 0..<Self.seconds {
                guard let levels = heard[node][second] else { continue }
                let entries = levels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
                let frame = MeshSite.frame(clock(node, second + 1), boot: 7, entries)
                steps.append(
                    (
                        arrival(node, second + 1, &dice),
                        .frame(frame, from: NodeID(Int64(node + 1)))
                    ))
            }
        }
        return steps
    }

    /// A beat every two seconds, also while the radio is off.
    func beats(_ dice: inout Dice) -> [Step] {
        (0..<5).flatMap { node in
            stride(from: 0, through: Self.seconds, by: 2).map { second in
                let beat = Input.beat(
                    boot: 7, told: clock(node, second), from: NodeID(Int64(node + 1)))
                return (arrival(node, second, &dice), beat)
            }
        }
    }

    /// The minutes of each node's own clock, each as soon as it is over.
    func evidence() -> [Step] {
        var steps: [Step] = []
        for node in 0..<5 {
            let start = moment(0).second - Int64(leads[node])
            var from = 0
            var sequence: Int64 = 0
            while from < Self.seconds {
                let minute = Int((start + Int64(from)) % 60)
                let to = min(Self.seconds, from + 60 - minute)
                sequence += 1
                let evidence = minuteOf(node, from..<to, start: start, sequence: sequence)
                steps.append((Double(to) + 0.7, .evidence(evidence, from: NodeID(Int64(node + 1)))))
                from = to
            }
        }
        return steps
    }

    private func minuteOf(
        _ node: Int, _ seconds: Range<Int>, start: Int64, sequence: Int64
    ) -> Evidence {
        var gaps: [ClosedRange<Int>] = []
        var runs: [Evidence.Run] = []
        for second in seconds {
            let offset = second - seconds.lowerBound
            guard let levels = heard[node][second] else {
                if let last = gaps.last, last.upperBound == offset - 1 {
                    gaps[gaps.count - 1] = last.lowerBound...offset
                } else {
                    gaps.append(offset...offset)
                }
                continue
            }
            for (beacon, level) in levels.sorted(by: { $0.key < $1.key }) where level >= -95 {
                let level = RSSI(dBm: level)
                if let run = runs.lastIndex(where: { $0.beacon.row == beacon }),
                    offset - runs[run].last <= 10
                {
                    runs[run].last = offset
                } else {
                    runs.append(
                        .init(
                            beacon: BeaconID(beacon), first: offset, last: offset, count: 1,
                            strongest: level, mean: level))
                }
            }
        }
        return Evidence(
            record: Record(log: UInt64(node), sequence: sequence, after: sequence - 1), boot: 7,
            from: Timestamp(second: start + Int64(seconds.lowerBound)),
            to: Timestamp(second: start + Int64(seconds.upperBound)),
            listened: .seconds(Double(seconds.count - gaps.reduce(0) { $0 + $1.count })),
            floor: RSSI(dBm: -95), isSynced: false, gaps: gaps, runs: runs)
    }
}
