import Basics
import Registry
import Simulation
import SiteModel

/// A registered tag that nobody carries and that lies at a station as long as the demonstration runs.
///
/// People walk about and stay for a minute or two: whoever tries `calibrate stand` would have to find
/// one at the right place. This one can be followed at any time.
struct SurveyTag {
    /// Its slug, as on topics.
    static let slug = "b-survey"
    /// The index of the station it lies at: the rowing machine.
    private static let station = 1
    /// How far from that it lies, in metres.
    private static let aside = 0.5
    private static let interval = Timestamp.Span.milliseconds(250)
    /// What sends, as packets are made from. Its minor is above those of all people.
    private static let sender = Person(
        slug: "", name: "", beaconSlug: slug, minor: 60_000, address: 0xC000_5E00_5301)

    private var air: Air
    private var waves: SeededRandom
    private var next: Timestamp

    /// The tag as it is registered.
    static var beacon: SiteDocument.Beacon {
        SiteDocument.Beacon(
            slug: slug, title: "Survey tag at the rower", identity: sender.identity, user: nil)
    }

    /// A tag in the world of a seed that sends from `start` on.
    init(in layout: Layout, seed: UInt64, from start: Timestamp) {
        // The nodes hear it as they hear the people of this seed.
        var waves = SeededRandom(seed: seed, stream: 3)
        air = Air(
            layout, transmitters: 1, interval: Self.interval, nodeDeviation: 1.5, &waves)
        let place = layout.stations[Self.station].position
        air.move(0, to: Layout.Point(place.x + Self.aside, place.y), in: layout)
        self.waves = waves
        next = start
    }

    /// What it sends up to now: calls `heard` with the node, the packet, and when it came.
    mutating func send(until now: Timestamp, _ heard: (Int, [UInt8], Timestamp) -> Void) {
        while next <= now {
            let at = next
            air.send(from: 0, &waves) { node, level in
                let emission = Emission(
                    node: node, at: at, rssi: UInt8(bitPattern: level), sender: .person(0))
                heard(node, emission.packet(of: [Self.sender]), at)
            }
            next = at + Self.interval + waves.span(seconds: 0...0.01)
        }
    }
}
