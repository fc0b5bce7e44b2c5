import TestSupport
import Testing

@testable import Simulation
@testable import SiteModel

/// Honest people are left in peace, and cheats are found, on simulated radio.
struct DoubtsTests {
    typealias Site = (layout: Layout, people: Int, interval: Int64, isMeasured: Bool)

    /// Layout, people, interval in ms, whether somebody measured where the nodes are.
    static let sites: [Site] = [
        (.small, 20, 1000, true), (.small, 20, 300, false), (.gym, 40, 1000, true),
        (.gym, 40, 1000, false), (.gym, 40, 300, true),
    ]
    /// The gym with a packet a second, where everything can be found.
    static let gym = 2

    private func gym(_ site: Int, seed: Int, hours: Int) -> HonestGym {
        let (layout, people, interval, isMeasured) = Self.sites[site]
        var gym = HonestGym(
            layout, people: people, seed: UInt64(100 * site + seed),
            interval: .milliseconds(interval), isMeasured: isMeasured)
        gym.run(seconds: hours * 3600)
        return gym
    }

    /// The bar: one false alarm in a thousand check-ins, over all rules.
    @Test(arguments: sites.indices) func `honest people are left in peace`(site: Int) {
        let (seeds, hours) = TestLength.isLong ? (3, 24) : (1, 2)
        var checkIns = 0
        var told: [Doubt] = []
        for seed in 1...seeds {
            let gym = gym(site, seed: seed, hours: hours)
            checkIns += gym.checkIns
            told += gym.told
        }
        #expect(checkIns > seeds * hours * Self.sites[site].people)
        #expect(told.count <= checkIns / 1000, "site \(site), \(checkIns) check-ins: \(told)")
    }

    /// What is doubted of somebody while `cheat` happens, after some hours of honest people.
    private func found(
        seeds: ClosedRange<Int>, _ cheat: (inout HonestGym) -> Int?
    ) -> [Set<Review>] {
        seeds.map { seed in
            var gym = gym(Self.gym, seed: 500 + seed, hours: TestLength.isLong ? 8 : 4)
            let before = gym.told.count
            guard let person = cheat(&gym) else { return [] }
            let news = gym.told.dropFirst(before).filter { $0.user.row == Int64(person + 1) }
            return Set(news.map(\.kind))
        }
    }

    private static var seeds: ClosedRange<Int> { 1...(TestLength.isLong ? 10 : 2) }

    /// Lets time pass until somebody is at a station.
    private func waitForSomebody(_ gym: inout HonestGym) -> (person: Int, station: Int)? {
        for _ in 0..<7200 {
            for person in 0..<Self.sites[Self.gym].people {
                if let station = gym.truth(person)?.station { return (person, station) }
            }
            gym.run(seconds: 1)
        }
        return nil
    }

    private func point(_ gym: HonestGym, beside station: Int) -> Layout.Point {
        let position = gym.layout.stations[station].position
        return Layout.Point(position.x + 0.5, position.y - 1)
    }

    @Test func `a clone at the other end of the building is found within five minutes`() {
        let found = found(seeds: Self.seeds) { gym in
            guard let (person, station) = waitForSomebody(&gym) else { return nil }
            let own = gym.layout.stations[station].position
            let far = gym.layout.stations.indices.max { a, b in
                own.distance(to: gym.layout.stations[a].position)
                    < own.distance(to: gym.layout.stations[b].position)
            }
            gym.clone = HonestGym.Clone(
                person: person, at: point(gym, beside: far ?? 0), perSecond: 1)
            gym.run(seconds: 300)
            return person
        }
        let kinds: Set<Review> = [.twoPlaces, .speed, .rate]
        #expect(found.count { !$0.isDisjoint(with: kinds) } * 10 >= 9 * found.count, "\(found)")
    }

    /// Two tags in one bag: nothing but the rate shows it, and only near a node long enough.
    @Test func `a clone in the same bag is found by its rate`() {
        let found = found(seeds: Self.seeds) { gym in
            guard let (person, _) = waitForSomebody(&gym) else { return nil }
            for _ in 0..<900 {
                let station = gym.truth(person)?.station
                gym.clone = station.map {
                    HonestGym.Clone(person: person, at: point(gym, beside: $0), perSecond: 1)
                }
                gym.run(seconds: 1)
            }
            return person
        }
        #expect(found.count { $0.contains(.rate) } * 2 >= found.count, "\(found)")
    }

    @Test func `a relay far from the door is found as soon as it sends`() {
        let found = found(seeds: Self.seeds) { gym in
            var away = Array(repeating: 0, count: Self.sites[Self.gym].people)
            while !away.contains(where: { $0 > 660 }) {
                for person in away.indices {
                    away[person] = gym.truth(person) == nil ? away[person] + 1 : 0
                }
                gym.run(seconds: 1)
            }
            guard let person = away.firstIndex(where: { $0 > 660 }) else { return nil }
            let far = gym.layout.stations.indices.max { a, b in
                gym.layout.entrance.distance(to: gym.layout.stations[a].position)
                    < gym.layout.entrance.distance(to: gym.layout.stations[b].position)
            }
            gym.clone = HonestGym.Clone(
                person: person, at: point(gym, beside: far ?? 0), perSecond: 1, replaces: true)
            gym.run(seconds: 60)
            return person
        }
        #expect(found.count { $0.contains(.teleport) } * 2 >= found.count, "\(found)")
    }

    @Test func `who is never at a station is found after an hour`() {
        let found = found(seeds: Self.seeds) { gym in
            gym.idler = 3
            gym.run(seconds: 5400)
            return 3
        }
        #expect(found.allSatisfy { $0.contains(.inactive) }, "\(found)")
    }
}
