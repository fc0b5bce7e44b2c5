import Testing

@testable import Basics
@testable import Simulation
@testable import Wire

/// The sites and people the simulator offers are sound.
struct SimLayoutTests {
    @Test(arguments: [Layout.gym, .small])
    func `a site's things have slugs and lie in their rooms`(layout: Layout) {
        let slugs = layout.rooms.map(\.slug) + layout.stations.map(\.slug)
        #expect((slugs + [layout.slug] + layout.nodes.map(\.slug)).allSatisfy { $0.isSlug })
        #expect(Set(slugs).count == slugs.count)
        #expect(Set(layout.nodes.map(\.slug)).count == layout.nodes.count)
        #expect(layout.stations.allSatisfy { layout.room(at: $0.position) == $0.room })
        #expect(layout.nodes.allSatisfy { layout.room(at: $0.position) == $0.room })
        #expect(
            layout.nodes.allSatisfy { node in
                node.station.map { layout.stations[$0].room == node.room } ?? true
            })
        for (index, room) in layout.rooms.enumerated() {
            #expect(layout.room(at: room.door) == index && layout.room(at: room.rest) == index)
        }
    }

    @Test func `the gym is what the demonstration promises`() {
        let gym = Layout.gym
        #expect(gym.slug == "demo-gym" && gym.rooms.count == 3 && gym.stations.count == 8)
        #expect((4...11).contains(gym.nodes.count))
        for (index, station) in gym.stations.enumerated() {
            #expect(gym.nodes[index].station == index)
            for other in gym.stations.dropFirst(index + 1) {
                #expect(station.position.distance(to: other.position) >= 4)
            }
        }
    }

    @Test func `people have slugs, names and tags of their own`() {
        let people = Layout.people(count: 300, seed: 3)
        #expect(Set(people.map(\.slug)).count == 300)
        #expect(Set(people.map(\.beaconSlug)).count == 300)
        #expect(Set(people.map(\.name)).count == 300)
        #expect(Set(people.map(\.identity)).count == 300)
        #expect(Set(people.map(\.address)).count == 300)
        #expect(people.allSatisfy { $0.slug.isSlug && $0.beaconSlug.isSlug })
        #expect(people.allSatisfy { $0.slug.hasPrefix("u-") && $0.slug.utf8.count == 8 })
        #expect(people.allSatisfy { $0.address >> 46 == 0b11 && $0.address >> 48 == 0 })
        #expect(people[0].beaconSlug == "b-anna" && people[0].minor == 1)
        #expect(Layout.people(count: 12, seed: 3) == Array(people.prefix(12)))
        #expect(Layout.people(count: 12, seed: 4).map(\.slug) != people.prefix(12).map(\.slug))
    }

    @Test func `the dice are even, bell-shaped and unrelated between streams`() {
        var random = SeededRandom(seed: 1)
        var (sum, squares) = (0.0, 0.0)
        var counts = Array(repeating: 0, count: 7)
        for _ in 0..<70_000 {
            let value = random.normal()
            #expect(abs(value) < 3.47)
            sum += value
            squares += value * value
            counts[random.index(below: 7)] += 1
            let unit = random.unit()
            #expect((0..<1).contains(unit))
        }
        #expect(abs(sum / 70_000) < 0.02)
        #expect(abs(squares / 70_000 - 1) < 0.03)
        #expect(counts.allSatisfy { (9_600...10_400).contains($0) })
        let streams = (UInt64(0)..<50).map { stream in
            var random = SeededRandom(seed: 1, stream: stream)
            return random.next()
        }
        #expect(Set(streams).count == 50)
    }
}
