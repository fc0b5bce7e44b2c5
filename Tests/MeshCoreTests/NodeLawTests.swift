import Testing

@testable import BeaconDecoding
@testable import NodeEngine
@testable import SiteModel

/// What must hold for any history of a node.
struct NodeLawTests {
    let start = Timestamp(milliseconds: 1_700_000_000_123)

    private enum Step {
        case packet([UInt8])
        case adapter(AdapterState)
        case policy(NodePolicy)
        case connected
    }

    /// A minute or two of packets good and bad, adapter changes and policies, in order of time.
    private func history(seed: UInt64) -> [(at: Timestamp, step: Step)] {
        var dice = Dice(seed: seed)
        var now = start
        return (0..<400).map { _ in
            now = now + .milliseconds(.random(in: 0...900, using: &dice))
            return (now, step(using: &dice))
        }
    }

    private func step(using dice: inout Dice) -> Step {
        let level = Int8.random(in: -100...20, using: &dice)
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<60: return .packet(Packet.iBeacon(.random(in: 0..<6, using: &dice), level))
        case 60..<80: return .packet(Packet.device(.random(in: 0..<4, using: &dice), level))
        case 80..<90:
            var packet = Packet.iBeacon(0, level)
            packet[.random(in: packet.indices, using: &dice)] = .random(in: 0...255, using: &dice)
            return .packet(Array(packet.prefix(.random(in: 0...packet.count, using: &dice))))
        case 90..<93:
            return .adapter([.up, .up, .down, .absent].randomElement(using: &dice) ?? .up)
        case 93..<97:
            return .policy(
                NodePolicy(
                    revision: 2,
                    profile: [.ranging, .sparse].randomElement(using: &dice) ?? .sparse,
                    publishesUnregistered: .random(using: &dice), maximumRange: 50,
                    known: (0..<UInt16.random(in: 0..<6, using: &dice)).map { Packet.identity($0) })
            )
        default: return .connected
        }
    }

    private func perform(_ step: Step, _ core: inout NodeCore, at now: Timestamp) -> [NodeCore
        .Effect]
    {
        switch step {
        case .packet(let packet):
            core.heard(packet, at: now)
            return []
        case .adapter(let state): return core.adapter(state, at: now)
        case .policy(let policy): return core.apply(policy, at: now)
        case .connected: return core.connected(at: now)
        }
    }

    @Test(arguments: UInt64(1)...200)
    func `ticking more often changes nothing`(seed: UInt64) {
        var dice = Dice(seed: ~seed)
        var lazy = NodeCore.listening(unregistered: true, at: start)
        var eager = lazy
        var told: (lazy: [NodeCore.Effect], eager: [NodeCore.Effect]) = ([], [])
        var now = start
        for (moment, step) in history(seed: seed) {
            while now < moment {
                now = min(moment, now + .milliseconds(.random(in: 1...300, using: &dice)))
                told.eager += eager.tick(at: now)
            }
            told.eager += perform(step, &eager, at: moment)
            told.lazy += perform(step, &lazy, at: moment)
        }
        let end = now + .seconds(3)
        told.eager += eager.tick(at: end)
        told.lazy += lazy.tick(at: end)
        let isEqual = told.lazy == told.eager
        #expect(isEqual)
        #expect(told.eager.beats.count > 30)
    }

    @Test(arguments: UInt64(1)...50)
    func `the same inputs have the same effects`(seed: UInt64) {
        let runs = (0..<2).map { _ in
            var core = NodeCore.listening(unregistered: true, at: start)
            return history(seed: seed).flatMap { perform($0.step, &core, at: $0.at) }
        }
        let isEqual = runs[0] == runs[1]
        #expect(isEqual)
    }

    @Test(arguments: UInt64(1)...50)
    func `numbers and times only grow, and entries are sorted`(seed: UInt64) {
        var core = NodeCore.listening(unregistered: true, at: start)
        let told = history(seed: seed).flatMap { perform($0.step, &core, at: $0.at) }
        #expect(told.frames.map(\.sequence) == told.frames.indices.map { Int64($0) + 1 })
        #expect(told.readings.map(\.sequence) == told.readings.indices.map { Int64($0) + 1 })
        #expect(zip(told.frames, told.frames.dropFirst()).allSatisfy { $0.at < $1.at })
        for frame in told.frames {
            let known: [Int] = frame.entries.compactMap {
                if case .known(let index) = $0.beacon { index } else { nil }
            }
            #expect(known == known.sorted())
            #expect(Set(frame.entries.map(\.beacon)).count == frame.entries.count)
            #expect(frame.entries.allSatisfy { $0.count > 0 && $0.median <= $0.strongest })
        }
    }
}
