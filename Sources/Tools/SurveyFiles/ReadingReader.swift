import Foundation
import Platform

/// Reads packets at receivers, row by row, from either kind of file: a recording
/// (`t_seconds,receiver_id,transmitter_id,rssi_dbm,true_zone`) or fingerprints
/// (`point_id,…,zone,t_seconds,receiver_id,transmitter_id,rssi_dbm`). Columns are found by name.
package struct ReadingReader: ~Copyable {
    /// One packet at one receiver.
    package struct Row {
        /// In seconds, within ten thousand million.
        package var at: Double
        /// An index into the receivers of the site.
        package var receiver: Int
        /// An index into `transmitters`.
        package var transmitter: Int
        /// In dBm, −120 ... +20.
        package var level: Double
        /// An index into `labels`, or `nil` where nothing is said.
        package var label: Int?
        /// An index into `points`, or `nil` in a recording.
        var point: Int?
    }

    /// What is to be done with labels.
    package enum Labels {
        /// They are not looked at.
        case ignored
        /// They are read if their column is there.
        case ifPresent
        /// Their column must be there.
        case required
    }

    /// What was passed over, and where first.
    struct Oddities {
        var rows = 0
        var unknown = (count: 0, first: "")
        var impossible = (count: 0, first: "")
        var endless = (count: 0, first: "")
    }

    /// Levels no radio reports are not taken.
    static let possible = -120.0...20.0
    /// Times beyond are no seconds; milliseconds of the epoch are refused, too.
    package static let times = -1e10...1e10

    private var table: CSVReader
    private let receivers: [String: Int]
    private let columns: (at: Int, receiver: Int, transmitter: Int, level: Int)
    private let label: Int?
    private let point: Int?
    /// The names met so far.
    package private(set) var transmitters = NumberedNames()
    /// The labels met so far.
    package private(set) var labels = NumberedNames()
    /// The points met so far.
    private(set) var points = NumberedNames()
    /// What was passed over so far.
    private(set) var oddities = Oddities()

    /// Opens a file, or standard input for `nil`.
    package init(path: String?, at site: RecordedSite, labels: Labels) throws {
        let table = try CSVReader.open(path)
        let columns = (
            try table.index(of: "t_seconds"), try table.index(of: "receiver_id"),
            try table.index(of: "transmitter_id"), try table.index(of: "rssi_dbm")
        )
        let point = labels == .required ? table.columns.firstIndex(of: "point_id") : nil
        let label: Int? =
            switch labels {
            case .ignored: nil
            case .ifPresent: table.columns.firstIndex(of: "true_zone")
            case .required: try table.index(of: point == nil ? "true_zone" : "zone")
            }
        self.init(table, columns, label: label, point: point, site)
    }

    private init(
        _ table: consuming CSVReader, _ columns: (Int, Int, Int, Int), label: Int?, point: Int?,
        _ site: RecordedSite
    ) {
        self.table = table
        self.columns = columns
        self.label = label
        self.point = point
        receivers = Dictionary(
            uniqueKeysWithValues: site.receivers.enumerated().map { ($1.id, $0) })
    }

    /// How the source is called.
    package var name: String { table.name }
    /// The line of the latest row.
    package var line: Int { table.line }

    /// The next packet that can be used, or `nil` at the end.
    package mutating func next() throws -> Row? {
        while try table.next() {
            oddities.rows += 1
            let at = try table.number(columns.at)
            let level = try levelOfRow()
            guard at.isFinite, level.isFinite else {
                note(\.endless, "line \(table.line)")
                continue
            }
            guard Self.times.contains(at) else {
                throw table.fault("t_seconds is out of range: \(table.text(columns.at))")
            }
            guard Self.possible.contains(level) else {
                note(\.impossible, "line \(table.line)")
                continue
            }
            guard let receiver = receivers[table.text(columns.receiver)] else {
                note(\.unknown, table.text(columns.receiver))
                continue
            }
            return Row(
                at: at, receiver: receiver,
                transmitter: transmitters.index(of: table.text(columns.transmitter)),
                level: level, label: labelOfRow(),
                point: point.map { points.index(of: table.text($0)) })
        }
        return nil
    }

    /// Says what was passed over. Throws if nothing is left because no receiver is known.
    package func warnings() throws -> [String] {
        let odd = oddities
        if odd.unknown.count == odd.rows, odd.rows > 0 {
            throw Exit(
                code: 78,
                text:
                    "\(name): no receiver_id is one of the site's; the first is \(odd.unknown.first)"
            )
        }
        var words: [String] = []
        if odd.rows == 0 { words.append("\(name): no readings") }
        if odd.unknown.count > 0 {
            words.append(
                "\(name): \(odd.unknown.count) readings of receivers the site does not have, "
                    + "the first of \(odd.unknown.first), are left out")
        }
        if odd.impossible.count > 0 {
            words.append(
                "\(name): \(odd.impossible.count) levels no radio reports (above +20 or below "
                    + "-120 dBm), the first on \(odd.impossible.first), are left out")
        }
        if odd.endless.count > 0 {
            words.append(
                "\(name): \(odd.endless.count) readings without a finite time and level, the first "
                    + "on \(odd.endless.first), are left out")
        }
        return words
    }

    /// A level that is not there is no fault: somebody wrote down what was not heard.
    private func levelOfRow() throws -> Double {
        table.text(columns.level).isEmpty ? .nan : try table.number(columns.level)
    }

    private mutating func labelOfRow() -> Int? {
        guard let label else { return nil }
        let text = table.text(label)
        return text.isEmpty ? nil : labels.index(of: text)
    }

    private mutating func note(
        _ kind: WritableKeyPath<Oddities, (count: Int, first: String)>, _ first: String
    ) {
        if oddities[keyPath: kind].count == 0 { oddities[keyPath: kind].first = first }
        oddities[keyPath: kind].count += 1
    }
}

/// Names and the numbers they got in the order in which they came.
package struct NumberedNames: Sendable {
    package private(set) var list: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func index(of name: String) -> Int {
        if let number = numbers[name] { return number }
        numbers[name] = list.count
        list.append(name)
        return list.count - 1
    }
}
