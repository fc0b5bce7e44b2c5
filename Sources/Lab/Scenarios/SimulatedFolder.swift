import CZlib
import Foundation
import Glibc
import JSON
import Platform
import Simulation
import Wire

/// Writes a simulated recording as a folder that `mesh-lab locate --compare` reads:
/// `dataset.json`, for the sequence its readings, truth and positions, and fingerprints of standing
/// a minute at each spot on another day.
struct SimulatedFolder {
    /// How its sequence is called.
    static let sequence = "walk"
    /// The file of the fingerprints.
    static let fingerprints = "fingerprints_station.csv.gz"

    private let plan: FloorPlan
    private let folder: URL

    /// A folder for a site, made if it is not there.
    init(_ plan: FloorPlan, at path: String) throws {
        self.plan = plan
        folder = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
        } catch {
            throw Exit(code: 73, text: "cannot make \(path): \(error.localizedDescription)")
        }
    }

    /// Writes everything.
    ///
    /// - Parameters:
    ///   - walk: people who wander about.
    ///   - stand: somebody who stands `seconds` at each spot, one after the other.
    ///   - rate: packets a second of a tag.
    func write(
        _ walk: SimulatedRecording, standing stand: SimulatedRecording, seconds: Double,
        rate: Double
    ) throws {
        let path = { folder.appendingPathComponent($0).path }
        try readings(walk, to: path("\(Self.sequence).readings.csv.gz"))
        try positions(walk, to: path("\(Self.sequence).positions.csv.gz"))
        try fingerprints(stand, seconds: seconds, to: path(Self.fingerprints))
        try text(truth(walk), to: path("\(Self.sequence).truth.csv"))
        // Last: a folder that has it is whole.
        try text(description(walk, rate: rate), to: path("dataset.json"))
    }

    private func readings(_ walk: SimulatedRecording, to path: String) throws {
        var file = try CompressingFile(path: path)
        try file.add("t_seconds,receiver_id,transmitter_id,rssi_dbm,true_zone\n")
        for reading in walk.readings {
            let zone = reading.zone.map { plan.zones[$0].id } ?? ""
            try file.add(
                "\(Self.seconds(reading.at)),\(plan.receivers[reading.receiver].id),"
                    + "\(walk.transmitters[reading.transmitter]),\(Int(reading.level)),\(zone)\n")
        }
        try file.finish()
    }

    private func positions(_ walk: SimulatedRecording, to path: String) throws {
        var file = try CompressingFile(path: path)
        try file.add("t_seconds,transmitter_id,x_m,y_m\n")
        for place in walk.positions {
            try file.add(
                "\(Self.seconds(place.at)),\(walk.transmitters[place.transmitter]),"
                    + "\(Self.metres(place.point.x)),\(Self.metres(place.point.y))\n")
        }
        try file.finish()
    }

    private func fingerprints(
        _ stand: SimulatedRecording, seconds: Double, to path: String
    ) throws {
        let spots = plan.zones.flatMap { zone in zone.spots.map { (zone.id, $0) } }
        var file = try CompressingFile(path: path)
        try file.add("point_id,x_m,y_m,zone,t_seconds,receiver_id,transmitter_id,rssi_dbm\n")
        for reading in stand.readings {
            let point = min(Int(Double(reading.at) / 1000 / seconds), spots.count - 1)
            let since = reading.at - Int64(Double(point) * seconds * 1000)
            let (zone, spot) = spots[point]
            try file.add(
                "q\(point + 1),\(Self.metres(spot.x)),\(Self.metres(spot.y)),\(zone),"
                    + "\(Self.seconds(since)),\(plan.receivers[reading.receiver].id),"
                    + "\(stand.transmitters[reading.transmitter]),\(Int(reading.level))\n")
        }
        try file.finish()
    }

    private func truth(_ walk: SimulatedRecording) -> String {
        var text = "t_start,t_end,transmitter_id,zone\n"
        for (who, visits) in walk.visits.enumerated() {
            for visit in visits {
                text +=
                    "\(Self.seconds(visit.start)),\(Self.seconds(visit.end)),"
                    + "\(walk.transmitters[who]),\(plan.zones[visit.zone].id)\n"
            }
        }
        return text
    }

    private func description(_ walk: SimulatedRecording, rate: Double) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.field("name", plan.name)
        json.field("title", plan.title)
        json.field("source", "mesh-lab simulate")
        json.key("receivers")
        json.beginArray()
        for receiver in plan.receivers {
            json.beginObject()
            json.field("id", receiver.id)
            json.field("x", receiver.position.x)
            json.field("y", receiver.position.y)
            if let zone = receiver.zone { json.field("zone", plan.zones[zone].id) }
            json.endObject()
        }
        json.endArray()
        json.key("zones")
        json.beginArray()
        for zone in plan.zones {
            json.beginObject()
            json.field("id", zone.id)
            if zone.coversRoom {
                let room = plan.rooms[zone.room]
                json.field("rect", [room.low.x, room.low.y, room.high.x, room.high.y])
            }
            json.endObject()
        }
        json.endArray()
        json.key("adjacency")
        json.beginArray()
        for (from, to) in adjacency { json.texts([from, to]) }
        json.endArray()
        json.key("sequences")
        json.beginArray()
        json.beginObject()
        json.field("id", Self.sequence)
        json.key("readings")
        json.integer(walk.readings.count)
        json.field("duration_s", walk.seconds)
        let visits = walk.visits.map(\.count)
        json.key("visits")
        json.integer(visits.reduce(0, +))
        json.key("transitions")
        json.integer(visits.reduce(0) { $0 + max($1 - 1, 0) })
        json.key("transmitters")
        json.texts(walk.transmitters)
        json.field("role", "test")
        json.endObject()
        json.endArray()
        json.field("fingerprints", Self.fingerprints)
        json.field("rate_hz", rate)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// The zones between whose rooms there is an opening.
    private var adjacency: [(String, String)] {
        plan.passages.compactMap { passage in
            let zones = [passage.from, passage.to].compactMap { room in
                plan.zones.first { $0.coversRoom && $0.room == room }?.id
            }
            return zones.count == 2 ? (zones[0], zones[1]) : nil
        }
    }

    private func text(_ text: String, to path: String) throws {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw Exit(code: 73, text: "cannot write \(path): \(error.localizedDescription)")
        }
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    private static func seconds(_ seconds: Double) -> String {
        Self.seconds(Int64((seconds * 1000).rounded()))
    }

    private static func metres(_ metres: Double) -> String { String(format: "%.2f", metres) }
}

extension JSONWriter {
    fileprivate mutating func field(_ key: String, _ text: String) {
        self.key(key)
        string(text)
    }

    fileprivate mutating func field(_ key: String, _ value: Double) {
        self.key(key)
        number(value)
    }

    fileprivate mutating func field(_ key: String, _ values: [Double]) {
        self.key(key)
        beginArray()
        for value in values { number(value) }
        endArray()
    }

    fileprivate mutating func texts(_ values: [String]) {
        beginArray()
        for value in values { string(value) }
        endArray()
    }
}

/// A file that is written compressed with gzip. The same bytes give the same file: it carries
/// neither a name nor a time.
struct CompressingFile: ~Copyable {
    private static let enough = 1 << 16

    private let path: String
    private let handle: gzFile
    private var bytes: [UInt8] = []
    private var isOpen = true

    /// A new file, in place of what was there. Throws an `Exit` if it cannot be.
    init(path: String) throws {
        guard let handle = gzopen(path, "wb9") else {
            throw Exit(code: 73, text: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
        self.handle = handle
    }

    deinit { if isOpen { gzclose(handle) } }

    mutating func add(_ text: String) throws {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= Self.enough { try flush() }
    }

    /// Writes what is left and closes the file: only after this it is whole.
    mutating func finish() throws {
        try flush()
        isOpen = false
        guard gzclose(handle) == Z_OK else { throw failure }
    }

    private mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        guard gzwrite(handle, bytes, UInt32(bytes.count)) == bytes.count else { throw failure }
        bytes.removeAll(keepingCapacity: true)
    }

    private var failure: Exit {
        Exit(code: 74, text: "\(path): \(String(cString: strerror(errno)))")
    }
}
