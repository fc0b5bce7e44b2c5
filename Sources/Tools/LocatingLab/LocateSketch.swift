import Positioning
import SiteModel

/// Gathers what a picture of a run shows.
struct LocateSketch {
    /// How many transmitters one picture can tell apart.
    private static let most = 24

    private let site: RecordedSite
    private var zones: [String]
    private var panels: [LocatePlot.Panel]

    /// A picture of what will be said of these readings, beside the truth.
    init(_ readings: RecordedReadings, at site: RecordedSite, truth: RecordedTruth) {
        self.site = site
        var zones = site.zones.map(\.id)
        panels = readings.transmitters.prefix(Self.most).enumerated().map { who, name in
            var panel = LocatePlot.Panel(name: name, first: readings.firstSeconds[who])
            panel.truth = (truth.visits[name] ?? []).map { visit in
                // A zone that only the truth knows is drawn, too.
                let zone = zones.firstIndex(of: visit.zone) ?? zones.count
                if zone == zones.count { zones.append(visit.zone) }
                return (visit.start, visit.end, zone)
            }
            return panel
        }
        self.zones = zones
    }

    /// A row was written.
    mutating func add(_ row: LocateRun.Row, _ locating: Locating) {
        guard row.transmitter < panels.count else { return }
        panels[row.transmitter].zones.append(row.zone)
        panels[row.transmitter].posterior.append(
            site.zones.indices.map { zone in
                locating.probability(
                    user: row.transmitter, room: RecordedSite.place(of: zone).room, station: nil)
            })
    }

    /// The picture.
    func svg(method: LocatingPolicy.Method) -> String {
        LocatePlot(title: "\(site.name), \(method.rawValue)", zones: zones, panels: panels).svg
    }
}
