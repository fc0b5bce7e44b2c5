/// What all nodes heard of single beacons in single windows of four seconds, thinned so that the
/// latest four hours always fit: at most 64 samples of each five minutes.
///
/// Which samples are kept follows from their number alone, so that every run keeps the same.
package struct OffsetSamples: Equatable, Sendable {
    /// In a sample, the level of a node that heard nothing.
    static let unheard = Int8.min
    /// The length of a bucket in seconds.
    static let bucketSeconds: Int64 = 300
    /// How many buckets are kept.
    static let most = 48
    /// How many samples of each bucket are kept.
    static let depth = 64

    /// Samples with one level for each node, one after the other.
    struct Table: Equatable, Sendable {
        var nodes: Int
        var levels: [Int8] = []
        var beacons: [Int] = []

        var count: Int { beacons.count }
    }

    struct Bucket: Equatable, Sendable {
        var number: Int64
        var table: Table
        /// The numbers of its samples among all that were offered.
        var marks: [UInt64] = []
        var offered: UInt64 = 0
        /// One sample of this many is kept, a power of two.
        var stride: UInt64 = 1
    }

    private let nodes: Int
    private var buckets: [Bucket] = []

    init(nodes: Int) { self.nodes = nodes }

    /// Takes in a sample; one older than the newest bucket goes into the newest.
    mutating func add(beacon: Int, levels: ArraySlice<Int8>, second: Int64) {
        let number = second / Self.bucketSeconds
        if buckets.last.map({ $0.number < number }) ?? true {
            buckets.append(Bucket(number: number, table: Table(nodes: nodes)))
            buckets.removeAll { $0.number <= number - Int64(Self.most) }
        }
        buckets[buckets.count - 1].add(beacon: beacon, levels: levels)
    }

    /// The samples of the buckets whose number `wanted` says yes to.
    func table(where wanted: (Int64) -> Bool) -> Table {
        var all = Table(nodes: nodes)
        for bucket in buckets where wanted(bucket.number) {
            all.levels += bucket.table.levels
            all.beacons += bucket.table.beacons
        }
        return all
    }

    /// How many samples there are in the buckets whose number `wanted` says yes to.
    func count(where wanted: (Int64) -> Bool) -> Int {
        buckets.reduce(0) { wanted($1.number) ? $0 + $1.table.count : $0 }
    }

    /// How many buckets hold samples.
    var span: Int { buckets.count }

    /// Forgets what is older than the given number of buckets before `second`.
    mutating func forget(buckets count: Int64, before second: Int64) {
        let number = second / Self.bucketSeconds
        buckets.removeAll { $0.number <= number - count }
    }
}

extension OffsetSamples.Bucket {
    mutating func add(beacon: Int, levels: ArraySlice<Int8>) {
        let mark = offered
        offered += 1
        guard isKept(mark) else { return }
        table.levels += levels
        table.beacons.append(beacon)
        marks.append(mark)
        while marks.count > OffsetSamples.depth { thin() }
    }

    /// Keeps about every other sample.
    private mutating func thin() {
        stride *= 2
        var thinned = OffsetSamples.Table(nodes: table.nodes)
        var kept: [UInt64] = []
        for index in marks.indices where isKept(marks[index]) {
            let first = index * table.nodes
            thinned.levels += table.levels[first..<first + table.nodes]
            thinned.beacons.append(table.beacons[index])
            kept.append(marks[index])
        }
        (table, marks) = (thinned, kept)
    }

    /// Mixed, because beacons send in turns: every other sample could be all of one beacon.
    private func isKept(_ mark: UInt64) -> Bool {
        (((mark &+ 1) &* 0x9E37_79B9_7F4A_7C15) >> 40) & (stride - 1) == 0
    }
}
