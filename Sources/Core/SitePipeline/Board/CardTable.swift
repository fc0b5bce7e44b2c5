import SiteModel
import Wire

/// Which cards are shown of what, and which groups a beacon is in.
struct CardTable {
    /// So many cards at most are shown of one thing, so that they fit its payload.
    private static let most = 6

    private let groups: [BeaconGroup]
    private var ofStation: [StationID: [CardPayload]] = [:]
    private var ofBeacon: [BeaconID: [CardPayload]] = [:]
    private var ofGroup: [String: [CardPayload]] = [:]
    private var ofMinor: [UInt16: [(group: String?, card: CardPayload)]] = [:]

    init(_ names: Names) {
        groups = names.groups
        for card in names.cards {
            let payload = CardPayload(card)
            switch card.subject {
            case .station(let station): ofStation[station, default: []].append(payload)
            case .beacon(let beacon): ofBeacon[beacon, default: []].append(payload)
            case .group(let group): ofGroup[group, default: []].append(payload)
            case .minor(let minor, let group):
                ofMinor[minor, default: []].append((group, payload))
            }
        }
    }

    func cards(of station: StationID) -> [CardPayload] {
        Array((ofStation[station] ?? []).prefix(Self.most))
    }

    /// Its own, else those of its minor in its first group that has some, of its minor, of its first group that has some.
    func cards(of beacon: Beacon) -> [CardPayload] {
        if let own = ofBeacon[beacon.id] { return Array(own.prefix(Self.most)) }
        let minor = beacon.identity.minor.flatMap { ofMinor[$0] } ?? []
        guard !minor.isEmpty || !ofGroup.isEmpty else { return [] }
        let groups = groups(of: beacon)
        let found =
            groups.lazy.map { group in minor.filter { $0.group == group }.map(\.card) }
            .first { !$0.isEmpty }
            ?? minor.filter { $0.group == nil }.map(\.card)
        if !found.isEmpty { return Array(found.prefix(Self.most)) }
        return Array((groups.lazy.compactMap { ofGroup[$0] }.first ?? []).prefix(Self.most))
    }

    /// The slugs of its groups.
    func groups(of beacon: Beacon) -> [String] {
        groups.filter { $0.rule.covers(beacon.identity) }.map(\.slug)
    }
}
