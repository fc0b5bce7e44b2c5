import Basics
import Foundation
import Platform
import SurveyFiles

/// The readings of one recording, in order of time. All of them are kept, at 32 bytes each: who
/// transmits is known only at the end, and rows of several transmitters may follow each other.
package struct RecordedReadings: Sendable {
    /// One packet at one receiver.
    package struct Reading: Sendable {
        /// In seconds.
        package var at: Double
        /// An index into the receivers of the site.
        package var receiver: Int32
        /// An index into `transmitters`.
        package var transmitter: Int32
        /// In dBm.
        package var level: Double

        package init(at: Double, receiver: Int32, transmitter: Int32, level: Double) {
            self.at = at
            self.receiver = receiver
            self.transmitter = transmitter
            self.level = level
        }

        /// The whole second in which it may first be used.
        package var second: Int { Int(at.rounded(.up)) }
    }

    /// How far a receiver's clock may run back, in seconds; what is older is left out.
    package static let window = 10.0
    /// A longer recording is taken for a fault, in seconds.
    package static let longest = 366.0 * 86_400

    /// Their names, sorted by their bytes.
    package let transmitters: [String]
    /// In order of time.
    package var readings: [Reading]
    /// By transmitter, the whole second from which on something is said.
    package let firstSeconds: [Int]
    /// The last whole second.
    let lastSecond: Int
    /// What is to be told.
    package let warnings: [String]
    /// What readings say of where they were, if that was asked for: only to be drawn.
    package private(set) var labels: [(name: String, at: Double, zone: String)] = []

    /// Reads a file, or standard input for `nil`. Faults are an `Exit` with code 78. Labels are kept
    /// for pictures alone.
    package init(path: String?, at site: RecordedSite, areLabelsKept: Bool = false) throws {
        var reader = try ReadingReader(
            path: path, at: site, labels: areLabelsKept ? .ifPresent : .ignored)
        var labels: [(name: String, at: Double, zone: String)] = []
        var readings: [Reading] = []
        var latest: [Int: Double] = [:]
        var backwards = (count: 0, first: 0)
        var range: ClosedRange<Double>?
        while let row = try reader.next() {
            let link = row.transmitter * site.receivers.count + row.receiver
            let newest = latest[link] ?? row.at
            guard row.at >= newest - Self.window else {
                if backwards.count == 0 { backwards.first = reader.line }
                backwards.count += 1
                continue
            }
            latest[link] = max(newest, row.at)
            let old = range ?? row.at...row.at
            let span = min(old.lowerBound, row.at)...max(old.upperBound, row.at)
            guard span.upperBound - span.lowerBound <= Self.longest else {
                throw Exit(
                    code: 78,
                    text: "\(reader.name): line \(reader.line): t_seconds is more than a year away")
            }
            range = span
            if areLabelsKept {
                labels.append(
                    (
                        reader.transmitters.list[row.transmitter], row.at,
                        row.label.map { reader.labels.list[$0] } ?? ""
                    ))
            }
            readings.append(
                Reading(
                    at: row.at, receiver: Int32(row.receiver), transmitter: Int32(row.transmitter),
                    level: row.level))
        }
        var warnings = try reader.warnings()
        if backwards.count > 0 {
            warnings.append(
                "\(reader.name): time runs backwards by more than \(Int(Self.window)) s, first on "
                    + "line \(backwards.first): \(backwards.count) readings are left out")
        }
        self.init(readings, names: reader.transmitters.list, warnings: warnings)
        self.labels = labels.sorted { $0.at < $1.at }
    }

    /// Readings of which each names its transmitter by an index into `names`.
    package init(_ unsorted: [Reading], names: [String], warnings: [String] = []) {
        let order = names.indices.sorted {
            names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8)
        }
        var places = names.indices.map { _ in 0 }
        for (place, index) in order.enumerated() { places[index] = place }
        // Readings of the same moment keep their order.
        readings = unsorted.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map { _, reading in
            var reading = reading
            reading.transmitter = Int32(places[Int(reading.transmitter)])
            return reading
        }
        transmitters = order.map { names[$0] }
        var firsts = names.map { _ in Int.max }
        for reading in readings {
            let who = Int(reading.transmitter)
            firsts[who] = min(firsts[who], reading.second)
        }
        firstSeconds = firsts
        lastSecond = readings.last.map { Int($0.at.rounded(.down)) } ?? 0
        self.warnings = warnings
    }

    /// Keeps readings of each link at random, from seed 1, so that `rate` a second are left on
    /// average.
    package mutating func thin(to rate: Double, receivers: Int) {
        var spans: [Int: (first: Double, last: Double, count: Int)] = [:]
        func link(_ reading: Reading) -> Int {
            Int(reading.transmitter) * receivers + Int(reading.receiver)
        }
        for reading in readings {
            let old = spans[link(reading)] ?? (reading.at, reading.at, 0)
            spans[link(reading)] = (old.first, reading.at, old.count + 1)
        }
        var random = SeededRandom(seed: 1)
        readings = readings.filter { reading in
            guard let span = spans[link(reading)], span.last > span.first else { return true }
            return random.chance(rate * (span.last - span.first) / Double(span.count))
        }
    }

    /// Leaves out what some receivers heard.
    package mutating func silence(_ receivers: Set<Int>) {
        readings.removeAll { receivers.contains(Int($0.receiver)) }
    }
}
