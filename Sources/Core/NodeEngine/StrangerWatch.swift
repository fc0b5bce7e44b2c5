import BeaconDecoding
import SiteModel

/// A device of a known type that nobody registered, while it is near.
package struct NodeSighting: Equatable, Sendable {
    /// Its address, in the low 48 bits, and of which kind that is.
    package var address: UInt64
    package var kind: AdvertisingReport.AddressKind
    /// The place of the surest rule among those in force.
    package var rule: Int
    /// What it calls itself. Hostile text.
    package var name: String?
    package var first: Timestamp
    package var last: Timestamp
    /// Advertisements since `first`.
    package var hits: Int
    /// The strongest level since then.
    package var strongest: RSSI
}

/// Tells what sort of devices strangers have, by rules; without rules nothing. A device is told once it was heard for two
/// seconds, then each half minute while it is there, and once more when it has gone. A rotating address is another device
/// each time: nothing in the air says that it is not.
struct StrangerWatch: Sendable {
    /// So many devices of a known type are followed; others are left out and counted.
    static let capacity = 512
    /// So many addresses of no known type are remembered.
    private static let mostStrange = 4096
    /// A device that is no known one may send its name in another packet: so many are looked at.
    private static let tries: UInt8 = 4
    private static let settling = Timestamp.Span.seconds(2)
    private static let repetition = Timestamp.Span.seconds(30)
    /// After so long a silence it has gone.
    static let silence = Timestamp.Span.seconds(120)
    /// Nobody's keys: what is private stays so.
    private static let noKeys = DecodingKeys(
        cryptography: Cryptography(encrypt: { block, _ in block }, open: { _, _ in nil }))

    private struct Track {
        var sighting: NodeSighting
        var told: Timestamp?
        /// How many packets more may tell it better.
        var left = StrangerWatch.tries
    }

    private(set) var rules: [DeviceRule] = []
    private var tracks: [UInt64: Track] = [:]
    /// Addresses of which nothing is known yet or ever, with how many packets may still tell.
    private var strange: [UInt64: UInt8] = [:]
    /// Addresses of something registered.
    private var registered: Set<UInt64> = []
    private var clearedAt: Timestamp?
    /// Devices of a known type that were not followed.
    private(set) var leftOut = 0

    /// Other rules are in force: everything is found out anew.
    mutating func apply(_ rules: [DeviceRule]) {
        guard rules != self.rules else { return }
        let leftOut = leftOut
        self = StrangerWatch()
        (self.rules, self.leftOut) = (rules, leftOut)
    }

    /// Other beacons are registered.
    mutating func forgetRegistered() { registered.removeAll() }

    /// One of those addresses is of something registered.
    mutating func exclude(_ report: AdvertisingReport) {
        guard !rules.isEmpty else { return }
        let key = Self.key(report)
        tracks[key] = nil
        if registered.count >= Self.mostStrange { registered.removeAll(keepingCapacity: true) }
        registered.insert(key)
    }

    mutating func heard(
        _ report: AdvertisingReport, _ data: Span<UInt8>, _ level: RSSI, at now: Timestamp
    ) {
        guard !rules.isEmpty, report.addressKind != .anonymous else { return }
        let key = Self.key(report)
        if var track = tracks[key] {
            track.sighting.last = now
            track.sighting.hits += 1
            track.sighting.strongest = max(track.sighting.strongest, level)
            if track.left > 0 {
                // Another of its packets may say more.
                track.left -= 1
                let (rule, name) = look(report, data)
                if let rule, rules[rule].confidence > rules[track.sighting.rule].confidence {
                    track.sighting.rule = rule
                }
                track.sighting.name = track.sighting.name ?? name
            }
            tracks[key] = track
            return
        }
        let left = strange[key] ?? Self.tries
        guard left > 0, !registered.contains(key) else { return }
        let (rule, name) = look(report, data)
        guard let rule else { return note(key, left - 1) }
        guard tracks.count < Self.capacity else {
            leftOut += 1
            return note(key, 0)
        }
        strange[key] = nil
        tracks[key] = Track(
            sighting: NodeSighting(
                address: report.address, kind: report.addressKind, rule: rule,
                name: name, first: now, last: now, hits: 1, strongest: level))
    }

    /// The surest rule that fits a packet, and the name in it.
    private func look(
        _ report: AdvertisingReport, _ data: Span<UInt8>
    ) -> (rule: Int?, name: String?) {
        let contents = AdvertisingContents(data, sender: nil, keys: Self.noKeys)
        let isPublic = report.addressKind == .public || report.addressKind == .publicIdentity
        return (
            DeviceRule.surest(
                of: rules, for: contents, publicAddress: isPublic ? report.address : nil),
            contents.name?.text
        )
    }

    /// What there is to tell, by address.
    mutating func due(at now: Timestamp) -> [NodeSighting] {
        guard !rules.isEmpty else { return [] }
        if clearedAt.map({ now - $0 >= .seconds(60) }) ?? true {
            strange.removeAll(keepingCapacity: true)
            clearedAt = now
        }
        var due: [NodeSighting] = []
        for key in tracks.keys.sorted() {
            guard let track = tracks[key] else { continue }
            let isGone = now - track.sighting.last >= Self.silence
            let isTime =
                track.told.map { now - $0 >= Self.repetition && track.sighting.last > $0 }
                ?? (track.sighting.last - track.sighting.first >= Self.settling)
            if isTime || isGone && (track.told.map { track.sighting.last > $0 } ?? false) {
                due.append(track.sighting)
                tracks[key]?.told = now
            }
            if isGone { tracks[key] = nil }
        }
        return due
    }

    private mutating func note(_ key: UInt64, _ left: UInt8) {
        if strange.count >= Self.mostStrange, strange[key] == nil {
            strange.removeAll(keepingCapacity: true)
        }
        strange[key] = left
    }

    private static func key(_ report: AdvertisingReport) -> UInt64 {
        let isPublic = report.addressKind == .public || report.addressKind == .publicIdentity
        return report.address | (isPublic ? 0 : 1 << 48)
    }
}
