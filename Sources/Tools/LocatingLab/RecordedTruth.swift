import Foundation

/// Where transmitters truly were: `t_start,t_end,transmitter_id,zone`.
package struct RecordedTruth: Sendable {
    /// From `start` to before `end`, in seconds.
    package struct Visit: Equatable, Sendable {
        package var start: Double
        package var end: Double
        package var zone: String

        package init(start: Double, end: Double, zone: String) {
            self.start = start
            self.end = end
            self.zone = zone
        }
    }

    /// By transmitter, in order of time.
    package private(set) var visits: [String: [Visit]] = [:]
    /// The transmitters, in order of the file.
    package private(set) var transmitters: [String] = []

    /// What the labels of readings tell: who was labelled was there until the next label.
    package init(labels: [(name: String, at: Double, zone: String)]) {
        for (name, at, zone) in labels {
            if visits[name] == nil {
                transmitters.append(name)
                visits[name] = []
            }
            let last = (visits[name]?.count ?? 0) - 1
            if last >= 0 { visits[name]?[last].end = at }
            if last < 0 || visits[name]?[last].zone != zone {
                visits[name]?.append(Visit(start: at, end: at, zone: zone))
            }
        }
        for name in transmitters { visits[name]?.removeAll { $0.zone.isEmpty } }
    }

    /// Reads a file. Faults are an `Exit` with code 78 that names the line.
    package init(path: String) throws {
        var table = try CSVReader.open(path)
        let columns = (
            start: try table.index(of: "t_start"), end: try table.index(of: "t_end"),
            transmitter: try table.index(of: "transmitter_id"), zone: try table.index(of: "zone")
        )
        while try table.next() {
            let visit = Visit(
                start: try table.number(columns.start), end: try table.number(columns.end),
                zone: table.text(columns.zone))
            guard visit.start <= visit.end, ReadingReader.times.contains(visit.start),
                ReadingReader.times.contains(visit.end)
            else {
                throw table.fault("t_start to t_end is no stretch of time")
            }
            let name = table.text(columns.transmitter)
            if visits[name] == nil { transmitters.append(name) }
            visits[name, default: []].append(visit)
        }
        for name in transmitters {
            visits[name]?.sort { ($0.start, $0.end, $0.zone) < ($1.start, $1.end, $1.zone) }
        }
    }
}
