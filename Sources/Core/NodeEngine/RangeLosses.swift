import SiteModel

/// What the range of the policy kept out: how often, and of which registered beacons.
struct RangeLosses: Sendable {
    /// So recently, a beacon counts as kept out.
    private static let presence = Timestamp.Span.seconds(60)

    /// Advertisements kept out since the start of the process, also of transmitters that nobody
    /// registered.
    private(set) var total = 0
    /// By index in the policy; `nil` where none was kept out.
    private var beacons: [NodeHealth.OutOfRange?]

    /// A state for `known` registered beacons, none kept out.
    init(known count: Int) { beacons = Array(repeating: nil, count: count) }

    /// Other beacons are registered.
    mutating func register(known count: Int) { beacons = Array(repeating: nil, count: count) }

    /// An advertisement was kept out.
    mutating func add(
        _ beacon: BeaconReference, _ level: RSSI, power: RSSI?, at now: Timestamp
    ) {
        total += 1
        guard case .known(let index) = beacon, beacons.indices.contains(index) else { return }
        beacons[index] = NodeHealth.OutOfRange(
            beacon: index, count: (beacons[index]?.count ?? 0) + 1, level: level, power: power,
            at: now)
    }

    /// The beacons kept out of late, the loudest first.
    func present(at now: Timestamp) -> [NodeHealth.OutOfRange] {
        let late = beacons.compactMap(\.self).filter { now - $0.at <= Self.presence }
        let sorted = late.sorted { ($1.level.dBm, $0.beacon) < ($0.level.dBm, $1.beacon) }
        return Array(sorted.prefix(NodeHealth.mostOutOfRange))
    }
}
