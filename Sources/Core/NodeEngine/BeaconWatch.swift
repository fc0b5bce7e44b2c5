import BeaconDecoding
import SiteModel

/// Watches what the registered beacons say about themselves: batteries, and whether they are still the
/// same.
///
/// Nothing of it outlives the process. What a beacon looks like is learnt anew at the start, from
/// the first sender. A process reports no battery in its first ten minutes, so that one that
/// restarts often does not repeat itself.
struct BeaconWatch: Sendable {
    /// The uptime of the process before which no battery is reported.
    static let youth = Timestamp.Span.seconds(600)
    /// The shortest time between two reports of a changed fingerprint.
    static let pause = Timestamp.Span.seconds(24 * 3600)

    private struct Watched: Sendable {
        var fingerprint = Fingerprint()
        var uptime = UptimeWatch()
        var battery = BatteryWatch()
        var toldAt: Timestamp?
    }

    private var known: [Identity]
    /// By index in `known`; `nil` until first heard.
    private var watched: [Watched?]
    /// Rules that many transmitters fit have no fingerprint.
    private var isOne: [Bool]
    private let startedAt: Timestamp

    init(_ known: [Identity], at now: Timestamp) {
        self.known = known
        watched = Array(repeating: nil, count: known.count)
        isOne = known.map(\.isOfOneTransmitter)
        startedAt = now
    }

    /// Changes what is registered; what stays keeps its state.
    mutating func register(_ identities: [Identity]) {
        var old: [Identity: Watched] = [:]
        for (index, identity) in known.enumerated() where old[identity] == nil {
            old[identity] = watched[index]
        }
        known = identities
        watched = identities.map { old[$0] }
        isOne = identities.map(\.isOfOneTransmitter)
    }

    /// A registered beacon was heard, perhaps under a private address kept for longer than any before.
    /// Returns what is to be told.
    mutating func heard(
        _ index: Int, _ traits: Fingerprint.Traits, isAddressOld: Bool = false, at now: Timestamp
    ) -> BeaconNotice? {
        guard isOne[index] else { return nil }
        if watched[index] == nil { watched[index] = Watched() }
        if isAddressOld { return changed(index, "address kept", at: now) }
        guard let model = watched[index]?.fingerprint.heard(traits, at: now) else { return nil }
        return changed(index, model.difference(to: traits), at: now)
    }

    /// A registered beacon said something about itself. Returns what is to be told.
    mutating func heard(_ index: Int, _ telemetry: Telemetry, at now: Timestamp) -> BeaconNotice? {
        guard isOne[index] else { return nil }
        if watched[index] == nil { watched[index] = Watched() }
        if let uptime = telemetry.uptime, watched[index]?.uptime.heard(uptime, at: now) == true {
            return changed(index, "uptime of another", at: now)
        }
        guard let battery = telemetry.battery,
            watched[index]?.battery.heard(
                battery, isYoung: now - startedAt < Self.youth, at: now) == true
        else { return nil }
        switch battery {
        case .percent(let percent):
            return BeaconNotice(
                beacon: index, at: now, kind: .batteryLow, detail: "percent",
                value: Double(percent))
        case .millivolts(let millivolts):
            return BeaconNotice(
                beacon: index, at: now, kind: .batteryLow, detail: "volts",
                value: Double(millivolts) / 1000)
        case .flag:
            return BeaconNotice(beacon: index, at: now, kind: .batteryLow, detail: "flag")
        }
    }

    private mutating func changed(
        _ index: Int, _ detail: String, at now: Timestamp
    ) -> BeaconNotice? {
        if let toldAt = watched[index]?.toldAt, now - toldAt < Self.pause { return nil }
        watched[index]?.toldAt = now
        return BeaconNotice(beacon: index, at: now, kind: .fingerprintChanged, detail: detail)
    }
}

extension Identity {
    /// Whether one transmitter is meant, and not a rule that many may fit.
    fileprivate var isOfOneTransmitter: Bool {
        switch self {
        case .iBeaconRegion, .eddystoneNamespace: false
        case .name(let text): !text.hasWildcards
        case .iBeacon, .iBeaconAnyDigit, .iBeaconRolling, .altBeacon, .eddystoneUID,
            .eddystoneEID, .address, .irk:
            true
        }
    }
}

/// Something about a registered beacon that a person should know.
package struct BeaconNotice: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case batteryLow
        /// It is of another make than it was.
        case fingerprintChanged
    }

    /// Its index in `NodePolicy.known`.
    package var beacon: Int
    package var at: Timestamp
    package var kind: Kind
    /// More, for people: what the figure is in, or what has changed from what to what.
    package var detail: String
    /// Of a battery: per cent or volts; `nil` where it is only said to be low.
    package var value: Double?

    package init(
        beacon: Int, at moment: Timestamp, kind: Kind, detail: String, value: Double? = nil
    ) {
        self.beacon = beacon
        at = moment
        self.kind = kind
        self.detail = detail
        self.value = value
    }
}
