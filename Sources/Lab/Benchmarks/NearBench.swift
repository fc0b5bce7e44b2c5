import Basics
import JSON
import Platform
import Positioning
import SiteModel
import Wire

/// `near-order`, `near-read`: how long a look at 10,000 beacons takes that are near one node: to rank them anew, and to read
/// before it what is told of each. It is read five times a second at most, however many look.
enum NearBench {
    static let figures = ["near-order", "near-read"]
    private static let beacons = 10_000

    static func run(_ context: BenchContext) throws -> [Figure] {
        var random = SplitMix64(seed: context.seed)
        var order = NearOrder()
        let states = (0..<beacons).map { place in
            BeaconStatePayload(
                tMs: BenchContext.start.milliseconds,
                nodes: [.init(node: "n-1", rssi: -40 - Double(place % 50), ageMs: 500)]
            ).json
        }
        var (ranked, read): ([Double], [Double]) = ([], [])
        for look in 0..<context.amount(quick: 10, full: 60) {
            let watch = Stopwatch()
            var levels: [NearOrder.Level] = []
            levels.reserveCapacity(states.count)
            for (place, json) in states.enumerated() {
                let state = try BeaconStatePayload(json: json.span)
                let noise = Double.random(in: -6...6, using: &random)
                levels.append(
                    NearOrder.Level(
                        beacon: "b-\(place)", rssi: (state.nodes.first?.rssi ?? -60) + noise))
            }
            read.append(watch.seconds * 1000)
            let ranking = Stopwatch()
            let items = order.update(levels, at: BenchContext.start + .seconds(Double(look)))
            ranked.append(ranking.seconds * 1000)
            guard items.count == beacons else {
                throw BenchFailure.failed("\(items.count) of \(beacons) are ranked")
            }
        }
        return [
            Figure("near-order", unit: "ms", Samples(rounds: ranked)),
            Figure("near-read", unit: "ms", Samples(rounds: read)),
        ]
    }
}
