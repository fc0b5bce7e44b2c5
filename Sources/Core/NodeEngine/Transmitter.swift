import SiteModel

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
