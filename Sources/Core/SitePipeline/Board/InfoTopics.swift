import Basics
import SiteModel
import Wire

/// The retained topics that come from the plan alone: what there is and how it is called, and
/// what each node is to do. Names of people are not among them.
struct InfoTopics {
    let plan: Plan
    let names: Names
    let paths: SiteTopics

    var all: [Publication] {
        let (uses, cards) = (uses, CardTable(names))
        return [.retained(paths[.siteInfo], site.json)]
            + plan.rooms.map { info(of: $0) }
            + plan.stations.map { info(of: $0, uses[$0.id], cards) }
            + plan.beacons.map { info(of: $0, cards) } + configurations
    }

    /// Those that may differ from what an older plan and older names say.
    func differing(from old: InfoTopics) -> [Publication] {
        let (uses, oldUses) = (uses, old.uses)
        let (cards, oldCards) = (CardTable(names), CardTable(old.names))
        let isShownSo = names.cards == old.names.cards && names.groups == old.names.groups
        let rooms = differing(plan.rooms, old.plan.rooms, by: \.id) {
            names.rooms.entry($0) == old.names.rooms.entry($0)
        }
        let stations = differing(plan.stations, old.plan.stations, by: \.id) {
            names.stations.entry($0) == old.names.stations.entry($0) && uses[$0] == oldUses[$0]
                && (isShownSo || cards.cards(of: $0) == oldCards.cards(of: $0))
        }
        var beacons = differing(plan.beacons, old.plan.beacons, by: \.id) {
            names.beacons.entry($0) == old.names.beacons.entry($0)
        }
        if !isShownSo {
            let said = Set(beacons.map(\.id))
            beacons += plan.beacons.filter {
                !said.contains($0.id)
                    && (cards.cards(of: $0) != oldCards.cards(of: $0)
                        || cards.groups(of: $0) != oldCards.groups(of: $0))
            }
        }
        var said: [Publication] = [.retained(paths[.siteInfo], site.json)]
        said += rooms.map { info(of: $0) }
        said += stations.map { info(of: $0, uses[$0.id], cards) }
        said += beacons.map { info(of: $0, cards) }
        if plan.beacons != old.plan.beacons || plan.nodes != old.plan.nodes
            || plan.policy != old.plan.policy || names.practices != old.names.practices
            || names.hour != old.names.hour || names.groups != old.names.groups
            || names.deviceRules != old.names.deviceRules
        {
            said += configurations
        }
        return said
    }

    private func differing<Row: Equatable, Of>(
        _ new: [Row], _ old: [Row], by id: (Row) -> ID<Of>, isCalledSo: (ID<Of>) -> Bool
    ) -> [Row] {
        let places = RowIndex(old.map(id))
        return new.filter { row in
            guard let place = places[id(row)] else { return true }
            return old[place] != row || !isCalledSo(id(row))
        }
    }

    private var uses: [StationID: StationUse] {
        Dictionary(names.uses.map { ($0.station, $0) }) { first, _ in first }
    }

    private var site: SiteInfoPayload {
        SiteInfoPayload(
            name: names.siteName, tz: names.timeZone, demo: names.isDemo,
            rooms: plan.rooms.map { names.rooms.slug($0.id) },
            stations: plan.stations.map { names.stations.slug($0.id) },
            // Of those that people carry nobody is told that there are: they are called like people.
            nodes: plan.nodes.filter { !$0.isMobile }.map { names.nodes.slug($0.id) })
    }

    private func info(of room: Room) -> Publication {
        let slug = names.rooms.slug(room.id)
        let name = names.rooms.entry(room.id)?.name ?? slug
        return .retained(paths[.roomInfo, slug], RoomInfoPayload(name: name).json)
    }

    private func info(
        of station: Station, _ use: StationUse?, _ cards: CardTable
    ) -> Publication {
        let slug = names.stations.slug(station.id)
        let payload = StationInfoPayload(
            name: names.stations.entry(station.id)?.name ?? slug,
            room: names.rooms.slug(station.room), slots: station.slots, kind: use?.kind,
            equipment: use?.equipment, location: use?.location, exercises: use?.exercises ?? [],
            cards: cards.cards(of: station.id))
        return .retained(paths[.stationInfo, slug], payload.json)
    }

    private func info(of beacon: Beacon, _ cards: CardTable) -> Publication {
        let slug = names.beacons.slug(beacon.id)
        let kind: BeaconInfoPayload.Kind =
            switch beacon.identity {
            case .iBeacon, .iBeaconAnyDigit, .iBeaconRolling, .iBeaconRegion: .iBeacon
            case .altBeacon: .altBeacon
            case .eddystoneUID, .eddystoneNamespace: .eddystoneUID
            case .eddystoneEID: .eddystoneEID
            case .address: .address
            case .irk: .irk
            case .name: .name
            }
        let payload = BeaconInfoPayload(
            kind: kind, title: names.beacons.entry(beacon.id)?.name ?? slug,
            groups: cards.groups(of: beacon), cards: cards.cards(of: beacon))
        return .retained(paths[.beaconInfo, slug], payload.json)
    }

    /// A fixed node gets all beacons of the site, so that it recognises everybody who comes by. A
    /// mobile node gets only the fixed ones: whom its user meets is private.
    private var configurations: [Publication] {
        struct Kind: Hashable {
            var isMobile: Bool
            var profile: NodePolicy.Profile
        }
        let rules = plan.policy.practice?.detects == true ? names.deviceRules : []
        var payloads: [Kind: [UInt8]] = [:]
        return plan.nodes.map { node in
            let kind = Kind(
                isMobile: node.isMobile, profile: names.profile(of: node.id, in: plan.policy))
            let payload =
                payloads[kind]
                ?? configuration(
                    of: node.isMobile ? plan.beacons.filter { $0.anchor != nil } : plan.beacons,
                    in: kind.profile,
                    // A node that somebody carries knows no tags of people, and would take them for strangers'.
                    detecting: node.isMobile ? [] : rules
                ).json
            payloads[kind] = payload
            return .retained(paths[.nodeConfiguration, names.nodes.slug(node.id)], payload)
        }
    }

    /// What nodes regard beside registered beacons; `nil` for everything. A rule that another one takes all of is left out, as
    /// nodes refuse it.
    private var allowed: [Identity]? {
        var rules = plan.policy.allowed ?? []
        for group in names.groups where group.isAllowed {
            guard !rules.contains(where: { $0.covers(group.rule) }) else { continue }
            rules.removeAll { group.rule.covers($0) }
            rules.append(group.rule)
        }
        return rules.isEmpty ? nil : rules
    }

    private func configuration(
        of beacons: [Beacon], in profile: NodePolicy.Profile,
        detecting rules: [NodeConfigurationPayload.Rule]
    ) -> NodeConfigurationPayload {
        var payload = NodeConfigurationPayload(
            rev: 1, profile: profile == .ranging ? .ranging : .sparse,
            publishUnregistered: plan.policy.publishesUnregistered,
            maxRangeM: plan.policy.range(in: profile),
            floorDbm: plan.policy.siteFloor.dBm,
            beacons: beacons.map {
                NodeConfigurationPayload.Beacon(
                    id: names.beacons.slug($0.id), identity: $0.identity,
                    thresholdDBm: $0.threshold?.dBm)
            }, allow: allowed,
            detect: rules.isEmpty ? nil : rules)
        // Its number is a digest of the rest, so that what is of no concern to a node changes nothing.
        payload.rev = max(1, Int64(fingerprint64(payload.json) >> 16))
        return payload
    }
}
