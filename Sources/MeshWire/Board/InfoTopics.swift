import MeshCore

/// The retained topics that come from the plan alone: what there is and how it is called, and
/// what each node is to do. Names of people are not among them.
struct InfoTopics {
    let plan: Plan
    let names: Names
    let paths: SiteTopics

    var all: [Publication] {
        [retained(paths.info, site.json)]
            + names.rooms.entries.map {
                retained(paths.roomInfo($0.slug), RoomInfoPayload(name: $0.name).json)
            } + stations + beacons + configurations
    }

    private var site: SiteInfoPayload {
        SiteInfoPayload(
            name: names.siteName, tz: names.timeZone, demo: names.isDemo,
            rooms: names.rooms.entries.map(\.slug), stations: names.stations.entries.map(\.slug),
            nodes: names.nodes.entries.map(\.slug))
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

    /// Every node is told all beacons of the site: whoever comes by must be recognised.
    private var configurations: [Publication] {
        let payload = NodeConfigurationPayload(
            rev: plan.revision, profile: .ranging,
            publishUnregistered: plan.policy.publishesUnregistered, maxRangeM: 20,
            beacons: plan.beacons.map {
                NodeConfigurationPayload.Beacon(
                    id: names.beacons.slug($0.id), identity: $0.identity)
            }
        ).json
        return names.nodes.entries.map {
            retained(paths.nodeConfigurationDesired($0.slug), payload)
        }
    }

    private func retained(_ topic: String, _ payload: [UInt8]) -> Publication {
        Publication(topic: topic, payload: payload, quality: 1, isRetained: true)
    }
}
