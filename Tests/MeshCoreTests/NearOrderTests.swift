import Basics
import Testing

@testable import Positioning
@testable import SiteModel

/// The order of what is near: by zone, level, id; noise does not change it, moving does.
struct NearOrderTests {
    private func at(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_700_000_000_000 + Int64(seconds * 1000))
    }

    @Test func `the nearest is first, and of two alike the first by its id`() {
        var order = NearOrder()
        let heard = [("c", -80.0), ("b", -60), ("a", -60), ("d", -40)].map(NearOrder.Level.init)
        let items = order.update(heard, at: at(0))
        #expect(items.map(\.beacon) == ["d", "a", "b", "c"])
        #expect(items.map(\.zone) == [.immediate, .near, .near, .far])
        #expect(order.update([], at: at(1)).isEmpty)
    }

    /// Twelve beacons a decibel apart, each with a noise of 3 dB (normal), looked at every two seconds.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `an hour of noise changes nothing once it has settled`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func noise() -> Double {
            // The sum of twelve uniform numbers is nearly normal with a variance of one.
            3
                * ((0..<12).reduce(0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
                    - 6)
        }
        var order = NearOrder()
        var (before, changes, smooth): ([String], Int, Int) = ([], 0, 0)
        var raw: [String] = []
        for turn in 0..<1800 {
            let heard = (0..<12).map {
                NearOrder.Level(beacon: "b-\($0 + 10)", rssi: -60 - Double($0) + noise())
            }
            let now = order.update(heard, at: at(Double(turn) * 2)).map(\.beacon)
            let loudest = heard.sorted { ($0.rssi, $1.beacon) > ($1.rssi, $0.beacon) }.map(\.beacon)
            if turn > 15 {
                changes += now == before ? 0 : 1
                smooth += loudest == raw ? 0 : 1
            }
            (before, raw) = (now, loudest)
        }
        #expect(changes == 0)
        #expect(smooth > 1700, "by the level alone nearly every look has another order")
    }

    @Test func `what is carried past is first within ten seconds, and last again`() {
        var order = NearOrder()
        func look(_ second: Double, _ moving: Double) -> [String] {
            order.update(
                [.init(beacon: "a", rssi: -62), .init(beacon: "m", rssi: moving)], at: at(second)
            ).map(\.beacon)
        }
        for second in 0..<60 { #expect(look(Double(second), -80) == ["a", "m"]) }
        let came = (60..<90).first { look(Double($0), -48) == ["m", "a"] }
        #expect(came.map { $0 < 70 } == true, "\(came ?? -1)")
        let left = (90..<130).first { look(Double($0), -85) == ["a", "m"] }
        #expect(left.map { $0 < 100 } == true, "\(left ?? -1)")
    }

    @Test func `after a pause, and when a clock goes back, it begins anew`() {
        for later in [-5.0, 61] {
            var order = NearOrder()
            _ = order.update([.init(beacon: "a", rssi: -60)], at: at(0))
            #expect(
                order.update([.init(beacon: "a", rssi: -80)], at: at(later)).first?.level == -80)
        }
    }

    @Test func `a distance is a range, or an end of one`() {
        let near = DistanceRange(level: -45)
        #expect(near.least == nil && (near.most ?? 9) < 2)
        let some = DistanceRange(level: -70)
        #expect((1.2...1.6).contains(some.least ?? 0) && (7.5...8.5).contains(some.most ?? 0))
        let far = DistanceRange(level: -88)
        #expect((far.least ?? 0) > 4 && far.most == nil)
    }
}
