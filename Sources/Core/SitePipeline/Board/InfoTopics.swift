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
        let uses = uses
        return [.retained(paths[.siteInfo], site.json)]
            + plan.rooms.map { info(of: $0) }
            + plan.stations.map { info(of: $0, uses[$0.id]) }
            + plan.beacons.map { info(of: $0) } + configurations
    }

    /// Those that may differ from what an older plan and older names say.
    func differing(from old: InfoTopics) -> [Publication] {
        let (uses, oldUses) = (uses, old.uses)
        let rooms = differing(plan.rooms, old.plan.rooms, by: \.id) {
            names.rooms.entry($0) == old.names.rooms.entry($0)
        }
        let stations = differing(plan.stations, old.plan.stations, by: \.id) {
            names.stations.entry($0) == old.names.stations.entry($0) && uses[$0] == oldUses[$0]
        }
        let beacons = differing(plan.beacons, old.plan.beacons, by: \.id) {
            names.beacons.entry($0) == old.names.beacons.entry($0)
        }
        var said: [Publication] = [.retained(paths[.siteInfo], site.json)]
        said += rooms.map { info(of: $0) }
        said += stations.map { info(of: $0, uses[$0.id]) }
        said += beacons.map { info(of: $0) }
        if plan.beacons != old.plan.beacons || plan.nodes != old.plan.nodes
            || plan.policy != old.plan.policy
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

    private func info(of station: Station, _ use: StationUse?) -> Publication {
        let slug = names.stations.slug(station.id)
        let payload = StationInfoPayload(
            name: names.stations.entry(station.id)?.name ?? slug,
            room: names.rooms.slug(station.room), slots: station.slots, kind: use?.kind,
            equipment: use?.equipment, location: use?.location, exercises: use?.exercises ?? [])
        return .retained(paths[.stationInfo, slug], payload.json)
    }

    private func info(of beacon: Beacon) -> Publication {
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
            kind: kind, title: names.beacons.entry(beacon.id)?.name ?? slug)
        return .retained(paths[.beaconInfo, slug], payload.json)
    }

    /// A fixed node gets all beacons of the site, so that it recognises everybody who comes by. A
    /// mobile node gets only the fixed ones: whom its user meets is private.
    private var configurations: [Publication] {
        let payload = configuration(of: plan.beacons).json
        let mobile = configuration(of: plan.beacons.filter { $0.anchor != nil }).json
        return plan.nodes.map {
            .retained(
                paths[.nodeConfiguration, names.nodes.slug($0.id)],
                $0.isMobile ? mobile : payload)
        }
    }

    private func configuration(of beacons: [Beacon]) -> NodeConfigurationPayload {
        var payload = NodeConfigurationPayload(
            rev: 1, profile: plan.policy.profile == .ranging ? .ranging : .sparse,
            publishUnregistered: plan.policy.publishesUnregistered, maxRangeM: plan.policy.range,
            floorDbm: plan.policy.siteFloor.dBm,
            beacons: beacons.map {
                NodeConfigurationPayload.Beacon(
                    id: names.beacons.slug($0.id), identity: $0.identity,
                    thresholdDBm: $0.threshold?.dBm)
            }, allow: plan.policy.allowed)
        // Its number is a digest of the rest, so that what is of no concern to a node changes nothing.
        payload.rev = max(1, Int64(fingerprint64(payload.json) >> 16))
        return payload
    }
}
