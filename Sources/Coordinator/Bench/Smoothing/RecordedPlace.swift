import Foundation
import MeshCore

/// A place whose radio was recorded together with where the transmitter truly was: a directory with
/// `dataset.json`, and for each sequence `ID.readings.csv.gz` and `ID.truth.csv`.
struct RecordedPlace: Sendable {
    /// A receiver and the zone it stands for.
    struct Receiver: Decodable, Sendable {
        var id: String
        var zone: String
    }

    private struct Description: Decodable {
        struct Sequence: Decodable {
            var id: String
        }

        var name: String
        var receivers: [Receiver]
        var sequences: [Sequence]
    }

    /// What the place is called.
    let name: String
    /// Its receivers; readings name them by index.
    let receivers: [Receiver]
    /// The zones of the receivers, each once, in their order.
    let zones: [String]
    /// What was recorded there.
    let sequences: [RecordedSequence]

    /// Reads a directory. Throws `Exit` with what is wrong.
    init(directory: URL) throws {
        let file = directory.appendingPathComponent("dataset.json")
        let description: Description
        do {
            description = try JSONDecoder().decode(Description.self, from: Data(contentsOf: file))
        } catch {
            throw Exit(code: 1, text: "\(file.path): \(error)")
        }
        name = description.name
        receivers = description.receivers
        var zones: [String] = []
        for receiver in receivers where !zones.contains(receiver.zone) {
            zones.append(receiver.zone)
        }
        self.zones = zones
        sequences = try description.sequences.map { [name, receivers] sequence in
            try RecordedSequence(sequence.id, of: name, receivers, in: directory)
        }
    }

    /// Every place in the directories of `directory`, by name.
    static func all(in directory: String) throws -> [RecordedPlace] {
        let root = URL(fileURLWithPath: directory)
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        return try names.map { root.appendingPathComponent($0) }
            .filter {
                FileManager.default.fileExists(
                    atPath: $0.appendingPathComponent("dataset.json").path)
            }
            .map { try RecordedPlace(directory: $0) }
    }

    /// The plan a coordinator would have: a room a zone, a node a receiver, a user a transmitter.
    func plan(transmitters: Int) -> Plan {
        Plan(
            revision: 1, site: SiteID(1),
            rooms: zones.indices.map { Room(id: RoomID(Int64($0) + 1)) }, stations: [],
            nodes: receivers.enumerated().map { index, receiver in
                let zone = zones.firstIndex(of: receiver.zone) ?? 0
                return Node(
                    id: NodeID(Int64(index) + 1), room: RoomID(Int64(zone) + 1), station: nil)
            },
            users: (0..<transmitters).map { User(id: UserID(Int64($0) + 1)) },
            beacons: (0..<transmitters).map {
                Beacon(id: BeaconID(Int64($0) + 1), identity: .address(UInt64($0)))
            },
            bindings: [], policy: Policy())
    }
}

/// One recorded sequence.
struct RecordedSequence: Sendable {
    /// One packet at one receiver.
    struct Reading: Sendable {
        /// In ms from the start of the sequence.
        var at: Int64
        /// An index into the receivers of the place.
        var receiver: Int
        /// An index into `transmitters`.
        var transmitter: Int
        /// In dBm, as recorded: it may be impossible.
        var level: Double
    }

    /// Where a transmitter truly was: from `start` to before `end`, in seconds.
    struct Visit: Sendable {
        var start: Double
        var end: Double
        var zone: String
    }

    /// Its name.
    let id: String
    /// The sequences it is scored together with: the place, and how its own name begins.
    let group: String
    /// What was carried.
    let transmitters: [String]
    /// In order of time.
    let readings: [Reading]
    /// The truth by transmitter, in order of time.
    let visits: [[Visit]]

    /// Reads the files of a sequence.
    init(
        _ id: String, of place: String, _ receivers: [RecordedPlace.Receiver], in directory: URL
    ) throws {
        self.id = id
        group = "\(place)/\(id.prefix { $0.isLetter })"
        let path = directory.appendingPathComponent(id).path
        var transmitters: [String] = []
        var readings: [Reading] = []
        try Self.rows(of: path + ".readings.csv.gz", columns: 4) { fields in
            guard let time = Double(fields[0]), (0...1e9).contains(time),
                let level = Double(fields[3]),
                let receiver = receivers.firstIndex(where: { $0.id == fields[1] })
            else { return false }
            let name = String(fields[2])
            let known = transmitters.firstIndex(of: name)
            if known == nil { transmitters.append(name) }
            readings.append(
                Reading(
                    at: Int64((time * 1000).rounded()), receiver: receiver,
                    transmitter: known ?? transmitters.count - 1, level: level))
            return true
        }
        var visits: [[Visit]] = transmitters.map { _ in [] }
        try Self.rows(of: path + ".truth.csv", columns: 4) { fields in
            guard let start = Double(fields[0]), let end = Double(fields[1]), start <= end
            else { return false }
            guard let who = transmitters.firstIndex(of: String(fields[2])) else { return true }
            visits[who].append(Visit(start: start, end: end, zone: String(fields[3])))
            return true
        }
        self.transmitters = transmitters
        self.readings = readings.sorted { $0.at < $1.at }
        self.visits = visits.map { $0.sorted { $0.start < $1.start } }
    }

    /// Gives each row after the heading to `take`, which says whether it makes sense.
    private static func rows(
        of path: String, columns: Int, take: ([Substring]) -> Bool
    ) throws {
        let file = try CompressedFile(path: path)
        var bytes: [UInt8] = []
        while let piece = try file.read() { bytes += piece }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        for (index, line) in lines.enumerated().dropFirst() {
            let end = line.last == "\r" ? line.dropLast() : line
            let fields = end.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count >= columns, take(fields) else {
                throw Exit(code: 1, text: "\(path): line \(index + 1) makes no sense")
            }
        }
    }
}
