import Basics
import SiteModel

extension Array {
    /// The places of what came with one request, in the order in which it is taken in: so the same is stored in
    /// whatever order a phone writes its records. Of samples of one source that overlap, those are taken that have
    /// most steps together.
    package func intakeOrder<Sample: Measured>() -> [Int] where Element == Sent<Sample> {
        Dictionary(grouping: indices, by: { self[$0].source }).sorted { $0.key < $1.key }
            .flatMap { IntakeOrder(self, of: $0.value).places }
    }
}

/// The order of samples of one source that came together.
private struct IntakeOrder<Sample: Measured> {
    /// First those that are to stand, each behind the others with its beginning, whose place it takes; then the rest,
    /// by beginning.
    let places: [Int]

    init(_ all: [Sent<Sample>], of source: [Int]) {
        // Nothing of this order depends on where a sample stood.
        let sorted = source.sorted { one, other in
            let (a, b) = (all[one], all[other])
            let left = (a.sample.beginning, a.sample.ending)
            let right = (b.sample.beginning, b.sample.ending)
            return left != right
                ? left < right : (a.sample.weight, a.id) < (b.sample.weight, b.id)
        }
        let standing = Self.heaviest(sorted, all)
        var others: [Timestamp: [Int]] = [:]
        for place in sorted where !standing.contains(place) {
            others[all[place].sample.beginning, default: []].append(place)
        }
        var first: [Int] = []
        for place in sorted where standing.contains(place) {
            first += others.removeValue(forKey: all[place].sample.beginning) ?? []
            first.append(place)
        }
        places =
            first
            + sorted.filter { others[all[$0].sample.beginning] != nil && !standing.contains($0) }
    }

    /// Those that weigh most together, of which none overlap (weighted interval scheduling): the best of the first
    /// that end is the best without the last of them, or with it and what ends before it begins.
    private static func heaviest(_ sorted: [Int], _ all: [Sent<Sample>]) -> Set<Int> {
        let byEnd = sorted.enumerated().sorted { one, other in
            (all[one.element].sample.ending, one.offset)
                < (all[other.element].sample.ending, other.offset)
        }.map(\.element)
        var best: [(steps: Int64, length: Int64)] = [(0, 0)]
        var before: [Int] = []
        for (count, place) in byEnd.enumerated() {
            let sample = all[place].sample
            let ended = byEnd[..<count].partitioningIndex {
                all[$0].sample.ending > sample.beginning
            }
            before.append(ended)
            // What ends before it begins is refused later.
            let length = max(0, (sample.ending - sample.beginning).milliseconds)
            let with = (best[ended].steps + sample.weight, best[ended].length + length)
            best.append(best[count] < with ? with : best[count])
        }
        var standing: Set<Int> = []
        var count = byEnd.count
        while count > 0 {
            if best[count] == best[count - 1] {
                count -= 1
            } else {
                standing.insert(byEnd[count - 1])
                count = before[count - 1]
            }
        }
        return standing
    }
}
