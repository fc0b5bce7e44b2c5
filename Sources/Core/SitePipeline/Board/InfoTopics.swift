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
        [.retained(paths[.siteInfo], site.json)]
            + rooms + stations + beacons + configurations
    }

    private var site: SiteInfoPayload {
        SiteInfoPayload(
            name: names.siteName, tz: names.timeZone, demo: names.isDemo,
            rooms: plan.rooms.map { names.rooms.slug($0.id) },
            stations: plan.stations.map { names.stations.slug($0.id) },
            // Of those that people carry nobody is told that there are: they are called like people.
            nodes: plan.nodes.filter { !$0.isMobile }.map { names.nodes.slug($0.id) })
    }

    private var rooms: [Publication] {
        plan.rooms.map { room in
            let slug = names.rooms.slug(room.id)
            let name = names.rooms.entry(room.id)?.name ?? slug
            return .retained(paths[.roomInfo, slug], RoomInfoPayload(name: name).json)
        }
    }

    private var stations: [Publication] {
        let uses = Dictionary(names.uses.map { ($0.station, $0) }) { first, _ in first }
        return plan.stations.map { station in
            let slug = names.stations.slug(station.id)
            let use = uses[station.id]
            let payload = StationInfoPayload(
                name: names.stations.entry(station.id)?.name ?? slug,
                room: names.rooms.slug(station.room), slots: station.slots, kind: use?.kind,
                equipment: use?.equipment, location: use?.location,
                exercises: use?.exercises ?? [])
            return .retained(paths[.stationInfo, slug], payload.json)
        }
    }

    private var beacons: [Publication] {
        plan.beacons.map { beacon in
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
