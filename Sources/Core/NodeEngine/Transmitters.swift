import SiteModel

/// The state of every transmitter that a node hears: registered ones by index, the others by
/// identity. Bounded: a flood of made-up addresses pushes out those longest unheard, never a
/// registered beacon.
struct Transmitters: Sendable {
    /// The most transmitters nobody registered.
    static let capacity = 4096
    /// The silence after which an unregistered transmitter is forgotten.
    private static let memory = Timestamp.Span.seconds(60)
    /// What is pushed out at once when the table is full, so that it is not searched each time.
    private static let batch = 256

    /// By index in the policy; `nil` until first heard.
    private var known: [Transmitter?]
    private var places: [Identity: Int] = [:]
    private var others: [Transmitter] = []
    /// Transmitters pushed out because there were too many.
    private(set) var dropped = 0

    /// A state for `known` registered beacons, none heard yet.
    init(known count: Int) { known = Array(repeating: nil, count: count) }

    /// Changes what is registered. What was and stays registered keeps its state, and so does what
    /// was not and, as `isRegistered` says, is not; the rest starts over.
    mutating func register(
        _ identities: [Identity], isRegistered: (Identity) -> Bool
    ) {
        let before = known.compactMap { $0 }
        let indices = Dictionary(
            identities.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a }
        )
        known = Array(repeating: nil, count: identities.count)
        for transmitter in before {
            if let index = indices[transmitter.identity] { known[index] = transmitter }
        }
        keep(others.filter { !isRegistered($0.identity) })
    }

    /// A registered beacon was heard.
    mutating func heard(
        known index: Int, as identity: Identity, _ level: RSSI, power: RSSI?, at now: Timestamp
    ) {
        if known[index] == nil { known[index] = Transmitter(identity, at: now) }
        known[index]?.heard(level, power: power, at: now)
    }

    /// Another transmitter was heard.
    mutating func heard(
        stranger identity: Identity, _ level: RSSI, power: RSSI?, at now: Timestamp
    ) {
        if let place = places[identity] {
            others[place].heard(level, power: power, at: now)
            return
        }
        if others.count == Self.capacity { pushOut() }
        places[identity] = others.count
        var transmitter = Transmitter(identity, at: now)
        transmitter.heard(level, power: power, at: now)
        others.append(transmitter)
    }

    /// What a frame says: registered beacons by index, then the others by identity if asked for.
    func entries(includingUnregistered: Bool) -> [NodeFrame.Entry] {
        let registered = known.enumerated().compactMap { index, transmitter in
            transmitter?.entry(of: .known(index))
        }
        guard includingUnregistered else { return registered }
        return registered
            + others.filter { $0.second.count > 0 }
            .sorted { Identity.precedes($0.identity, $1.identity) }
            .compactMap { $0.entry(of: .unregistered($0.identity)) }
    }

    /// The readings to be told at the end of a second, in the order of `entries`.
    mutating func readings(for policy: NodePolicy, at now: Timestamp) -> [NodeReading] {
        var readings: [NodeReading] = []
        for index in known.indices {
            if let reading = known[index]?.reading(
                of: .known(index), in: policy.profile, at: now)
            {
                readings.append(reading)
            }
        }
        guard policy.publishesUnregistered else { return readings }
        var strangers: [(identity: Identity, reading: NodeReading)] = []
        for place in others.indices {
            let identity = others[place].identity
            if let reading = others[place].reading(
                of: .unregistered(identity), in: policy.profile, at: now)
            {
                strangers.append((identity, reading))
            }
        }
        strangers.sort { Identity.precedes($0.identity, $1.identity) }
        return readings + strangers.map(\.reading)
    }

    /// Begins the next second, and forgets who has not been heard for long.
    mutating func clearSecond(at now: Timestamp) {
        for index in known.indices { known[index]?.clearSecond() }
        for place in others.indices { others[place].clearSecond() }
        if others.contains(where: { now - $0.heardAt > Self.memory }) {
            keep(others.filter { now - $0.heardAt <= Self.memory })
        }
    }

    /// Registered beacons and others heard since `moment`.
    func heardCount(since moment: Timestamp) -> (registered: Int, unregistered: Int) {
        (
            known.count { ($0?.heardAt).map { $0 >= moment } ?? false },
            others.count { $0.heardAt >= moment }
        )
    }

    private mutating func pushOut() {
        let oldest = others.indices.sorted { a, b in
            (others[a].heardAt, a) < (others[b].heardAt, b)
        }
        let gone = Set(oldest.prefix(Self.batch))
        dropped += gone.count
        keep(others.indices.filter { !gone.contains($0) }.map { others[$0] })
    }

    private mutating func keep(_ transmitters: [Transmitter]) {
        others = transmitters
        places = Dictionary(
            uniqueKeysWithValues: transmitters.enumerated().map { ($0.element.identity, $0.offset) }
        )
    }
}
