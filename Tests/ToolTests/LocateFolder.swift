import Foundation

@testable import LocatingLab
@testable import Platform

/// A folder of a small recorded site: three rooms, of which the shed has no receiver.
struct LocateFolder {
    static let site = """
        {"name": "farm", "extra": [1], "adjacency": [["barn", "dairy"]],
         "zones": [{"id": "barn", "rect": [0, 0, 5, 5]}, {"id": "dairy", "rect": [5, 0, 9, 5]},
                   {"id": "shed", "rect": null}],
         "receivers": [{"id": "r1", "zone": "barn", "x": 1, "y": 1, "z": 2},
                       {"id": "r2", "zone": "dairy", "x": 8, "y": 1},
                       {"id": "r3", "zone": null}],
         "sequences": [{"id": "walk_1"}, {"id": "walk_2", "role": null}]}
        """
    static let heading = "t_seconds,receiver_id,transmitter_id,rssi_dbm,true_zone"

    let path: String

    /// Runs a test in a folder that is removed afterwards.
    static func with<Result>(_ body: (LocateFolder) throws -> Result) throws -> Result {
        let folder = LocateFolder(
            path: NSTemporaryDirectory() + "beaconmesh-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.write("dataset.json", site)
        return try body(folder)
    }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ name: String, _ text: String, isCompressed: Bool = false) throws -> String {
        let bytes = Array(text.utf8)
        return try write(name, isCompressed ? CompressedFileTests.gzip(bytes) : bytes)
    }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    /// What `locate` writes and tells for these readings.
    func locate(
        _ readings: String, calibration: [String] = [], method: String = "auto",
        thin: Double? = nil, drop: [String] = [], dead: [String] = []
    ) throws -> (output: String, told: [String]) {
        let request = try LocateRequest(
            site: "\(path)/dataset.json", readings: readings, calibration: calibration,
            method: method, thin: thin, drop: drop, dead: dead)
        var output: [UInt8] = []
        var told: [String] = []
        try request.run(tell: { told.append($0) }) { output += $0 }
        return (String(decoding: output, as: UTF8.self), told)
    }

    /// The same for readings given as text.
    func locate(text: String) throws -> (output: String, told: [String]) {
        try locate(try write("readings.csv", text))
    }

    /// Somebody who stands in the barn for a minute and in the dairy for another, five packets a
    /// second, 20 dB apart; in the second minute r2 hears another one, too.
    static func walk(label: (Int) -> String = { $0 < 300 ? "barn" : "dairy" }) -> [String] {
        var rows: [String] = []
        for step in 0..<600 {
            let (near, far) = step < 300 ? ("r1", "r2") : ("r2", "r1")
            let time = "\(Double(step) / 5)"
            rows.append("\(time),\(near),tag,\(-60 - step % 3),\(label(step))")
            rows.append("\(time),\(far),tag,\(-80 - step % 3),\(label(step))")
            if step > 300, step % 5 == 2 { rows.append("\(time),r2,Tag2,-70,\(label(step))") }
        }
        return rows
    }

    /// A file of such rows.
    static func text(_ rows: [String], end: String = "\n") -> String {
        ([heading] + rows).joined(separator: end) + end
    }

    /// The fault that `body` ends with.
    static func fault(_ body: () throws -> Void) -> Exit? {
        do {
            try body()
            return nil
        } catch {
            return error as? Exit
        }
    }
}
