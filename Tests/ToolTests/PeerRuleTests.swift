import Testing

@testable import LocatingLab

/// The rules of others, each against figures worked out by hand. Receiver 0 stands for zone 0,
/// receivers 1 and 2 for zone 1.
struct PeerRuleTests {
    private static let zones = [0, 1, 1]

    private func rule(_ peer: PeerRule) -> any ZoneRule { peer.make(zoneOfReceiver: Self.zones) }

    /// The zones said at whole seconds 1 ... `seconds`; `levels` gives what receivers hear in
    /// the middle of each second.
    private func zones(
        _ peer: PeerRule, seconds: Int, levels: (Int) -> [(receiver: Int, level: Double)]
    ) -> [Int?] {
        var rule = rule(peer)
        return (1...seconds).map { second in
            for (receiver, level) in levels(second) {
                rule.heard(receiver: receiver, level: level, at: Double(second) - 0.5)
            }
            return rule.zone(at: Double(second))?.zone
        }
    }

    @Test(arguments: PeerRule.allCases)
    func `nothing is said before anything was heard`(peer: PeerRule) {
        var rule = rule(peer)
        #expect(rule.zone(at: 1) == nil)
        rule.heard(receiver: 2, level: .nan, at: 1.5)
        #expect(rule.zone(at: 2) == nil)
        rule.heard(receiver: 2, level: -60, at: 2.5)
        #expect(rule.zone(at: 3)?.zone == 1)
    }

    @Test(arguments: PeerRule.allCases)
    func `impossible levels are survived`(peer: PeerRule) {
        var rule = rule(peer)
        for (second, level) in [42, 1e300, -1e300, 0, -.infinity, .nan].enumerated() {
            rule.heard(receiver: second % 3, level: level, at: Double(second))
            _ = rule.zone(at: Double(second))
        }
        rule.heard(receiver: 0, level: -50, at: 3)  // Time runs backwards.
        _ = rule.zone(at: 2)
    }

    @Test func `nearest follows each reading and forgets after ten seconds`() {
        var rule = rule(.nearest)
        rule.heard(receiver: 0, level: -60, at: 0)
        rule.heard(receiver: 1, level: -61, at: 1)
        #expect(rule.zone(at: 1)?.zone == 0)
        #expect(rule.zone(at: 10)?.zone == 0)
        #expect(rule.zone(at: 11)?.zone == 1)
        #expect(rule.zone(at: 12) == nil)
    }

    /// The mean of 1 goes from -70 towards -50 by 1 - e^(-1/4) a second: -65.6, -62.1, -59.4,
    /// -57.4, -55.7, -54.5; 5 dB above -60 is passed at the sixth.
    @Test func `a margin of five decibels holds the place`() {
        let said = zones(.ewmaMargin, seconds: 8) { second in
            [(0, -60), (1, second == 1 ? -70 : -50)]
        }
        #expect(said == [0, 0, 0, 0, 0, 0, 1, 1])
    }

    /// At -55 dBm 1 m, at -70 dBm 10^0.5 = 3.16 m, at -76 dBm 5.01 m, at -97 dBm 25 m.
    @Test func `Bermuda comes near at once`() {
        let said = zones(.bermuda, seconds: 4) { second in
            [(0, -70), (1, second < 3 ? -76 : -55)]
        }
        #expect(said == [0, 0, 1, 1])
    }

    /// Receiver 0 falls from 1 m to 5.01 m after the third second. That is 4 m/s and refused, so
    /// four cycles have 1 m; the next comes 2 s after the last reading of 1 m and is taken. The
    /// running minimum makes k cycles of 5.01 m (5.01 k + 4) / (k + 4). Receiver 1 at -71 dBm, 3.41
    /// m, is steadily nearer than the last five and wins by 15 % of the mean, from 3.97 m on: k =
    /// 12, at second 16.
    @Test func `Bermuda goes away slowly`() {
        let said = zones(.bermuda, seconds: 20) { second in
            [(0, second <= 3 ? -55 : -76), (1, -71)]
        }
        #expect(said == Array(repeating: 0, count: 15) + Array(repeating: 1, count: 5))
    }

    /// 3.41 m against 5.01 m is 38 % of the mean: with 30 % nothing need be steady.
    @Test func `Bermuda gives way at once to what is far nearer`() {
        let said = zones(.bermuda, seconds: 3) { second in
            second == 1 ? [(0, -76)] : [(0, -76), (1, -71)]
        }
        #expect(said == [0, 1, 1])
    }

    @Test func `Bermuda knows no area beyond twenty metres`() {
        #expect(zones(.bermuda, seconds: 3) { _ in [(0, -97)] } == [nil, nil, nil])
        #expect(zones(.bermuda, seconds: 3) { _ in [(0, -94)] } == [0, 0, 0])
    }

    @Test func `Bermuda drops the area after thirty seconds`() {
        let said = zones(.bermuda, seconds: 33) { second in second == 1 ? [(0, -60)] : [] }
        #expect(said.firstIndex(of: nil) == 30)
    }

    /// -59 dBm is 1.0 m by either branch: 0.89976 + 0.111 = 1.01, rounded. -80 dBm: 1.356^7.7095
    /// = 10.46, times 0.89976, plus 0.111: 9.5 m. -40 dBm: 0.678^10 = 0.0205, rounded 0.
    @Test func `room-assistant's curve of distances`() {
        #expect(RoomAssistantRule.distance(-59) == 1.0)
        #expect(RoomAssistantRule.distance(-80) == 9.5)
        #expect(RoomAssistantRule.distance(-40) == 0)
        #expect(RoomAssistantRule.distance(3) == 0)
    }

    /// Gains 0.5, 0.335, 0.252, …: after a jump of 20 dB the mean of n readings moves as slowly as
    /// their number; settled, the gain is 0.044.
    @Test func `room-assistant lags by readings, not by seconds`() {
        func seconds(rate: Int) -> Int? {
            var rule = rule(.roomAssistant)
            for second in 1...200 {
                for part in 0..<rate {
                    let at = Double(second) - 1 + (Double(part) + 0.5) / Double(rate)
                    rule.heard(receiver: 0, level: -70, at: at)
                    rule.heard(receiver: 1, level: second <= 100 ? -80 : -60, at: at)
                }
                if rule.zone(at: Double(second))?.zone == 1 { return second - 100 }
            }
            return nil
        }
        // ln 0.5 / ln (1 - 0.044) = 15.4 readings.
        #expect(seconds(rate: 1) == 16)
        #expect(seconds(rate: 8) == 2)
    }

    @Test func `room-assistant forgets after a minute`() {
        let said = zones(.roomAssistant, seconds: 62) { second in second == 1 ? [(0, -60)] : [] }
        #expect(said.firstIndex(of: nil) == 60)
    }

    /// From -75 by 0.3 a reading towards -50: -67.5, -62.3, -58.6, -56.0; above -60 + 16 never.
    @Test func `habluetooth sticks to its owner`() {
        let said = zones(.habluetooth, seconds: 60) { second in
            [(0, -60), (1, second == 1 ? -75 : -50)]
        }
        #expect(said.allSatisfy { $0 == 0 })
    }

    /// Towards -40 from -75: -64.5, -57.2, -52.0, -48.4, -45.9, -44.1, -42.9; above -44 at the
    /// seventh. Back again 0 needs 22 dB more than the owner, within the minute.
    @Test func `habluetooth asks more of who lost it lately`() {
        let said = zones(.habluetooth, seconds: 60) { second in
            [(0, second < 12 ? -60 : -50), (1, second == 1 ? -75 : second < 12 ? -40 : -69)]
        }
        #expect(said.firstIndex(of: 1) == 7)
        #expect(said.last == 1)
        let later = zones(.habluetooth, seconds: 100) { second in
            [(0, second < 80 ? -60 : -50), (1, second == 1 ? -75 : second < 80 ? -40 : -69)]
        }
        #expect(later[60] == 1)
        #expect(later.last == 0)
    }

    /// The longest gap is 1 s, with the wobble 6 s: after 9 s a challenger may take over from a
    /// weak owner, after 15 s from any.
    @Test(arguments: [(-72.0, 10), (-62.0, 16)])
    func `habluetooth waits for a silent owner`(level: Double, seconds: Int) {
        let said = zones(.habluetooth, seconds: 60) { second in
            second <= 20 ? [(0, level)] : [(1, -75)]
        }
        #expect(said.firstIndex(of: 1) == 19 + seconds)
    }
}
