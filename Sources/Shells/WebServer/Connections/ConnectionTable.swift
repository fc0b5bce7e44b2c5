/// Who is connected. Decides who is let in and who gives way; knows no sockets.
///
/// A connection *waits* while no request of its is being answered. When places run out, the one that
/// has waited longest gives way, so that silent connections keep nobody out.
struct ConnectionTable<Key: Hashable & Sendable>: Sendable {
    /// What becomes of a new connection.
    enum Verdict: Equatable {
        /// It has a place.
        case welcome
        /// It has the place of this one, which is to be closed.
        case instead(of: Key)
        /// Everybody else is being answered.
        case full
    }

    private struct Guest {
        /// `nil` for one of this machine.
        var address: String?
        /// When it began to wait, as a number that grows; `nil` while it is being answered.
        var waiting: Int?
    }

    let total: Int
    let perAddress: Int
    private var guests: [Key: Guest] = [:]
    private var time = 0

    init(total: Int, perAddress: Int) {
        self.total = total
        self.perAddress = perAddress
    }

    var count: Int { guests.count }

    /// A connection was made.
    mutating func open(_ key: Key, from address: String?) -> Verdict {
        let neighbours = address.map { address in guests.filter { $0.value.address == address } }
        let crowd: [Key: Guest]
        if let neighbours, neighbours.count >= perAddress {
            crowd = neighbours
        } else if guests.count >= total {
            crowd = guests
        } else {
            seat(key, address)
            return .welcome
        }
        let idle = crowd.compactMap { key, guest in guest.waiting.map { (key: key, since: $0) } }
        guard let oldest = idle.min(by: { $0.since < $1.since }) else { return .full }
        guests[oldest.key] = nil
        seat(key, address)
        return .instead(of: oldest.key)
    }

    /// It is gone.
    mutating func close(_ key: Key) { guests[key] = nil }

    /// The head of a request came.
    mutating func begin(_ key: Key) { guests[key]?.waiting = nil }

    /// All its requests are answered.
    mutating func end(_ key: Key) {
        guard guests[key] != nil else { return }
        time += 1
        guests[key]?.waiting = time
    }

    private mutating func seat(_ key: Key, _ address: String?) {
        time += 1
        guests[key] = Guest(address: address, waiting: time)
    }
}
