import Basics
import Foundation

/// What `calibrate show` prints.
extension CalibrationReport {
    /// Two tables and the warnings, for a terminal.
    package var text: String {
        guard !learned.isEmpty else {
            return "nothing is learned yet: beaconmesh calibrate stand PLACE --beacon BEACON"
                + warnings.map { "\n! \($0)" }.joined()
        }
        var table = TextTable(["place", "seconds", "stands", "spots", "right", "taken for"])
        for place in learned {
            table.add([
                place.name, "\(place.seconds)", "\(place.stretches)", "\(place.spots)",
                place.right.map(Self.percent) ?? "–",
                place.takenFor.map { "\($0.name) \(Self.percent($0.share))" } ?? "–",
            ])
        }
        var parts = [table.text]
        if !names.isEmpty { parts.append(matrix) }
        if let accuracy {
            parts.append(
                "expect the right place \(Self.percent(accuracy)) of the time"
            )
        }
        if !missing.isEmpty { parts.append("not learned: \(Gathered.list(missing, most: 20))") }
        if !warnings.isEmpty {
            parts.append(warnings.map { "! \($0)" }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    /// Held-back seconds, by true place and the place said, in percent of the row.
    private var matrix: String {
        let letters = names.indices.map { "\($0 + 1)" }
        var table = TextTable(["true, said in %:"] + letters)
        for (index, name) in names.enumerated() {
            let total = confusion.total(index)
            table.add(
                ["\(letters[index]) \(name)"]
                    + confusion.seconds[index].map { count in
                        guard count > 0 else { return "·" }
                        return "\(Int((Double(count) / Double(total) * 100).rounded()))"
                    })
        }
        return table.text
    }

    /// The same as JSON.
    package var json: String {
        get throws {
            struct Line: Encodable {
                var place: String
                var seconds: Int
                var stands: Int
                var spots: Int
                var carriers: [String]
                var right: Double?
                var taken_for: String?
            }
            struct Matrix: Encodable {
                var places: [String]
                var seconds: [[Int]]
            }
            struct Whole: Encodable {
                var places: [Line]
                var not_learned: [String]
                var expected_accuracy: Double?
                var confusion: Matrix
                var warnings: [String]
            }
            let whole = Whole(
                places: learned.map {
                    Line(
                        place: $0.name, seconds: $0.seconds, stands: $0.stretches, spots: $0.spots,
                        carriers: $0.carriers, right: $0.right, taken_for: $0.takenFor?.name)
                }, not_learned: missing, expected_accuracy: accuracy,
                confusion: Matrix(places: names, seconds: confusion.seconds), warnings: warnings)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(whole), as: UTF8.self)
        }
    }
}
