import Foundation
import Platform
import SurveyFiles

/// A folder of recordings at one place: `dataset.json`, for each sequence `ID.readings.csv.gz` and
/// `ID.truth.csv`, and perhaps `fingerprints….csv.gz`.
struct RecordedPlace: Sendable {
    let directory: URL
    let site: RecordedSite
    /// What was recorded there, with a truth to score against.
    let sequences: [RecordedSequence]
    /// Files of somebody standing still, by name.
    let fingerprints: [String]

    /// Reads a folder. Throws `Exit` with what is wrong.
    init(directory: URL) throws {
        let site = try RecordedSite(path: directory.appendingPathComponent("dataset.json").path)
        self.directory = directory.resolvingSymlinksInPath()
        self.site = site
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        sequences = try site.sequences.map { sequence in
            try RecordedSequence(sequence, at: site, in: directory, files: files)
        }
        fingerprints = files.filter { $0.hasPrefix("fingerprints") && $0.contains(".csv") }
            .map { directory.appendingPathComponent($0).path }
    }

    /// The place a folder is, or every place in the folders of it, by name. Throws `Exit` if there
    /// is none.
    static func all(in directory: String) throws -> [RecordedPlace] {
        let root = URL(fileURLWithPath: directory)
        if isPlace(root) { return [try RecordedPlace(directory: root)] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        } catch {
            throw Exit(code: 78, text: "cannot read \(directory): \(error.localizedDescription)")
        }
        let places = try names.map { root.appendingPathComponent($0) }.filter(isPlace)
            .map { try RecordedPlace(directory: $0) }
        guard !places.isEmpty else {
            throw Exit(code: 78, text: "\(directory): no dataset.json here or in any folder below")
        }
        return places
    }

    private static func isPlace(_ directory: URL) -> Bool {
        FileManager.default.fileExists(
            atPath: directory.appendingPathComponent("dataset.json").path)
    }
}

/// One recorded sequence.
struct RecordedSequence: Sendable {
    /// Its name.
    let id: String
    /// The sequences it is scored together with: the place, and how its own name begins.
    let group: String
    /// Whether it is there to learn from.
    let isForTraining: Bool
    /// Where its readings are.
    let path: String
    /// What was heard.
    let recording: RecordedReadings
    /// Where everybody was.
    let truth: RecordedTruth

    /// What was carried.
    var transmitters: [String] { recording.transmitters }

    /// Reads the files of a sequence.
    init(
        _ sequence: RecordedSite.Sequence, at site: RecordedSite, in directory: URL,
        files: [String]
    ) throws {
        id = sequence.id
        group = "\(site.name)/\(sequence.id.prefix { $0.isLetter })"
        isForTraining = sequence.role == "train"
        let plain = "\(sequence.id).readings.csv"
        let name = files.contains(plain) ? plain : plain + ".gz"
        path = directory.appendingPathComponent(name).path
        recording = try RecordedReadings(path: path, at: site)
        truth = try RecordedTruth(
            path: directory.appendingPathComponent("\(sequence.id).truth.csv").path)
    }
}

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
