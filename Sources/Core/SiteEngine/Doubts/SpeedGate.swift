/// Notices a beacon that is near one node, and too soon near another one far away.
///
/// The limit is 3 m/s between rooms. What is near is within `reach` of a node, whatever the
/// transmitter's power, so that only the rest of the way must be walked. After a doubt the new
/// place is believed (Traccar's skip limit), so that no error lasts.
struct SpeedGate: Sendable {
    /// A mean level over five seconds that means near: within 4 m of a common tag (−59 dBm at 1 m,
    /// falling with the power 2.2), within `reach` of one that is 8 dB louder.
    static let near = -65.0
    /// In metres.
    static let reach = 10.0
    /// In metres a second.
    static let fastest = 3.0
    /// The seconds for which it must be near the other node.
    static let confirmations = 3

    private var node: Int?
    private var second: Int64 = 0
    private var other: (node: Int, count: Int)?

    /// The loudest node of a second, near which the beacon is. Returns where it was before if it
    /// cannot have come from there. `distance` is that of two nodes in metres, `nil` if unknown.
    mutating func near(
        _ new: Int, in now: Int64, distance: (Int, Int) -> Double?
    ) -> Int? {
        guard let old = node, old != new, let way = distance(old, new),
            Double(now - second) < (way - 2 * Self.reach) / Self.fastest
        else {
            (node, second, other) = (new, now, nil)
            return nil
        }
        let count = (other?.node == new ? other?.count ?? 0 : 0) + 1
        other = (new, count)
        guard count >= Self.confirmations else { return nil }
        (node, second, other) = (new, now, nil)
        return old
    }
}
