import Simulation
import SiteModel
import SiteStore
import Registry

/// The demonstration gym as a document to import, and the rows its parts got.
package struct DemoSite {
    package let layout = Layout.gym
    package let people: [Person]
    package let document: SiteDocument

    /// The node that plays a recorded log, if one was asked for.
    static let captureNode = "n-capture"

    /// A gym with so many people. With `hasCapture` it has one node more, and publishes what is
    /// not registered.
    package init(people count: Int, seed: UInt64, hasCapture: Bool) {
        let layout = Layout.gym
        let people = Layout.people(count: count, seed: seed)
        self.people = people
        var nodes = layout.nodes.map { node in
            SiteDocument.Node(
                slug: node.slug, name: node.name, room: layout.rooms[node.room].slug,
                station: node.station.map { layout.stations[$0].slug }, x: node.position.x,
                y: node.position.y)
        }
        if hasCapture {
            nodes.append(
                SiteDocument.Node(
                    slug: Self.captureNode, name: "Recorded log", room: layout.rooms[0].slug))
        }
        document = SiteDocument(
            slug: layout.slug, name: layout.name, timeZone: layout.timeZone, isDemo: true,
            rooms: layout.rooms.map {
                SiteDocument.Room(
                    slug: $0.slug, name: $0.name,
                    area: Area(
                        low: Position(x: $0.low.x, y: $0.low.y),
                        high: Position(x: $0.high.x, y: $0.high.y)))
            },
            stations: layout.stations.map {
                SiteDocument.Station(
                    slug: $0.slug, name: $0.name, room: layout.rooms[$0.room].slug,
                    slots: $0.slots, x: $0.position.x, y: $0.position.y)
            },
            nodes: nodes,
            users: people.map { SiteDocument.User(slug: $0.slug, name: $0.name) },
            beacons: people.map {
                SiteDocument.Beacon(
                    slug: $0.beaconSlug, title: "Tag \($0.minor)", identity: $0.identity,
                    user: $0.slug)
            },
            policy: Policy(publishesUnregistered: hasCapture))
    }
}
