/// How the rates of several beacons at one node compare with the usual ones: when all rise, it is the
/// node that hears better, and nobody is doubted.
struct NodeRates: Sendable {
    private static let kept = 8
    /// What was said longer ago does not count, in seconds.
    private static let memory: Int64 = 120
    /// From this mean ratio of the others on the node has changed.
    private static let lift = 1.3

    private var newest: [(beacon: Int, ratio: Double, second: Int64)] = []

    /// A stretch of a beacon has ended.
    mutating func add(_ ratio: Double, of beacon: Int, at second: Int64) {
        if newest.count == Self.kept { newest.removeFirst() }
        newest.append((beacon, ratio, second))
    }

    /// Whether the other beacons have risen, too.
    func haveRisen(without beacon: Int, at second: Int64) -> Bool {
        var (sum, count) = (0.0, 0)
        for entry in newest where entry.beacon != beacon && second - entry.second <= Self.memory {
            sum += entry.ratio
            count += 1
        }
        return count > 0 && sum > Self.lift * Double(count)
    }
}
