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

/// The state that a node keeps for one transmitter: its levels of this second and its smoothed
/// level.
package struct Transmitter: Sendable {
    package let identity: Identity
    package private(set) var smoother = Smoother()
    package private(set) var second = SecondOfLevels()
    package private(set) var rhythm = Rhythm()
    package private(set) var heardAt: Timestamp
    package private(set) var measuredPower: RSSI?
    /// The last reading told, and when; `nil` before the first.
    private var told: (level: RSSI, at: Timestamp)?
    private var hasNews = false

    /// A smaller change is noise, in dB.
    private static let change = 3.0
    /// How often to tell at least, while heard.
    private static let refresh = Timestamp.Span.seconds(10)
    /// How often to tell in profile `sparse`.
    private static let sparse = Timestamp.Span.seconds(30)

    package init(_ identity: Identity, at now: Timestamp) {
        self.identity = identity
        heardAt = now
    }

    package mutating func heard(_ level: RSSI, power: RSSI?, at now: Timestamp) {
        smoother.heard(level, at: now)
        second.heard(level)
        rhythm.heard(at: now)
        heardAt = max(heardAt, now)
        if let power { measuredPower = power }
        hasNews = true
    }

    /// What there is to say at the end of a second, if anything: told at once the first time, then
    /// on change, and from time to time while it is heard. The caller gives it a number.
    package mutating func reading(
        of beacon: BeaconReference, in profile: NodePolicy.Profile, at now: Timestamp
    ) -> NodeReading? {
        let refresh = profile == .ranging ? Self.refresh : Self.sparse
        // News older than that can be left over from a time when nobody wanted it.
        guard hasNews, now - heardAt <= refresh, let level = smoother.level,
            let raw = smoother.newest
        else { return nil }
        if let told {
            let hasChanged = abs(level.dBm - told.level.dBm) >= Self.change
            guard now - told.at >= refresh || (hasChanged && profile == .ranging) else {
                return nil
            }
        }
        told = (level, now)
        hasNews = false
        defer { smoother.beginCount() }
        return NodeReading(
            beacon: beacon, sequence: 0, at: heardAt, level: level, raw: raw,
            count: smoother.count, spread: smoother.spread, measuredPower: measuredPower,
            interval: rhythm.interval)
    }

    /// What a frame says of it, or `nil` if it was not heard in the second.
    package func entry(of beacon: BeaconReference) -> NodeFrame.Entry? {
        guard second.count > 0 else { return nil }
        return NodeFrame.Entry(
            beacon: beacon, median: second.median, count: second.count,
            strongest: second.strongest)
    }

    /// Begins the next second.
    mutating func clearSecond() { second.clear() }
}
