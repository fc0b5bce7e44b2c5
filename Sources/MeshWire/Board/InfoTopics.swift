import MeshCore

/// The retained topics that come from the plan alone: what there is and how it is called, and
/// what each node is to do. Names of people are not among them.
struct InfoTopics {
    let plan: Plan
    let names: Names
    let paths: SiteTopics

    var all: [Publication] {
        [retained(paths.info, site.json)]
            + rooms + stations + beacons + configurations
    }

    private var site: SiteInfoPayload {
        SiteInfoPayload(
            name: names.siteName, tz: names.timeZone, demo: names.isDemo,
            rooms: plan.rooms.map { names.rooms.slug($0.id) },
            stations: plan.stations.map { names.stations.slug($0.id) },
            nodes: plan.nodes.map { names.nodes.slug($0.id) })
    }

    private var rooms: [Publication] {
        plan.rooms.map { room in
            let slug = names.rooms.slug(room.id)
            let name = names.rooms.entry(room.id)?.name ?? slug
            return retained(paths.roomInfo(slug), RoomInfoPayload(name: name).json)
        }
    }

    private var stations: [Publication] {
        plan.stations.map { station in
            let slug = names.stations.slug(station.id)
            let payload = StationInfoPayload(
                name: names.stations.entry(station.id)?.name ?? slug,
                room: names.rooms.slug(station.room), slots: station.slots)
            return retained(paths.stationInfo(slug), payload.json)
        }
    }

    private var beacons: [Publication] {
        plan.beacons.map { beacon in
            let slug = names.beacons.slug(beacon.id)
            let kind: BeaconInfoPayload.Kind =
                switch beacon.identity {
                case .iBeacon, .iBeaconRolling: .iBeacon
                case .altBeacon: .altBeacon
                case .eddystoneUID: .eddystoneUID
                case .address: .address
                }
            let payload = BeaconInfoPayload(
                kind: kind, title: names.beacons.entry(beacon.id)?.name ?? slug)
            return retained(paths.beaconInfo(slug), payload.json)
        }
    }

    /// How far away a beacon may seem, in metres: 20, so that the neighbours' tags do not count; but
    /// a site that wants to see whatever there is sees it.
    private var range: Double { plan.policy.publishesUnregistered ? 1000 : 20 }

    /// Every node is told all beacons of the site: whoever comes by must be recognised.
    private var configurations: [Publication] {
        let payload = NodeConfigurationPayload(
            rev: plan.revision, profile: .ranging,
            publishUnregistered: plan.policy.publishesUnregistered, maxRangeM: range,
            floorDbm: plan.policy.siteFloor.dBm,
            beacons: plan.beacons.map {
                NodeConfigurationPayload.Beacon(
                    id: names.beacons.slug($0.id), identity: $0.identity)
            }
        ).json
        return plan.nodes.map {
            retained(paths.nodeConfigurationDesired(names.nodes.slug($0.id)), payload)
        }
    }

    private func retained(_ topic: String, _ payload: [UInt8]) -> Publication {
        Publication(topic: topic, payload: payload, quality: 1, isRetained: true)
    }
}
