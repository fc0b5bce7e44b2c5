import Foundation
import Positioning
import SiteModel

/// Makes a survey out of labelled recordings and fingerprints, pooled over transmitters. Who carried
/// what does not matter; where they were does.
package struct SurveyReader {
    /// The longest silence between two readings of one label, in seconds, that still counts as
    /// being there.
    static let longestSilence = 10

    /// One transmitter at one point, or throughout a recording: a clock of its own.
    private struct Walk: Hashable, Comparable {
        var file: Int
        var point: Int
        var transmitter: Int

        static func < (a: Walk, b: Walk) -> Bool {
            (a.file, a.point, a.transmitter) < (b.file, b.point, b.transmitter)
        }
    }

    /// What was heard in one second.
    private struct Heard {
        /// An index into the zones, or `nil` if there was more than one, or none was told.
        var zone: Int?
        var levels: [(receiver: Int, level: Double)]
    }

    private var walks: [Walk: [Int: Heard]] = [:]
    private var isHeard: [Bool]
    private var files = 0
    /// What is to be told.
    package private(set) var warnings: [String] = []

    package init(site: RecordedSite) { isHeard = site.receivers.map { _ in false } }

    /// Reads a file. Zones the site does not have are added to it, with a warning. Faults are an
    /// `Exit` with code 78.
    package mutating func read(_ path: String, at site: inout RecordedSite) throws {
        var reader = try ReadingReader(path: path, at: site, labels: .required)
        files += 1
        var zones: [Int] = []
        var isLabelled = false
        while let row = try reader.next() {
            let walk = Walk(file: files, point: row.point ?? -1, transmitter: row.transmitter)
            let second = Int(row.at.rounded(.up))
            let zone = row.label.map { label in
                while zones.count <= label {
                    let (zone, isNew) = site.zone(named: reader.labels.list[zones.count])
                    if isNew {
                        warnings.append(
                            "\(path): line \(reader.line): zone \(site.zones[zone].id) is not one "
                                + "of the site's; it is added")
                    }
                    zones.append(zone)
                }
                return zones[label]
            }
            if zone != nil { isLabelled = true }
            isHeard[row.receiver] = isHeard[row.receiver] || zone != nil
            var seconds = walks.removeValue(forKey: walk) ?? [:]
            var heard = seconds[second] ?? Heard(zone: zone, levels: [])
            if heard.zone != zone { heard.zone = nil }
            heard.levels.append((row.receiver, row.level))
            seconds[second] = heard
            walks[walk] = seconds
        }
        warnings += try reader.warnings()
        if !isLabelled { warnings.append("\(path): no reading has a label; nothing is learned") }
    }

    /// What was read so far. Receivers that never heard anything labelled are left out: they were
    /// not there yet, or nobody stood near them.
    package func survey() -> Survey {
        let known = isHeard.indices.filter { isHeard[$0] }
        return Survey(
            ears: known.map { RecordedSite.ear(of: $0) }.sorted(),
            stretches: walks.keys.sorted().flatMap { stretches(of: walks[$0] ?? [:]) })
    }

    /// The receivers of the survey's site that are left out of it.
    package var unheard: [Int] { isHeard.indices.filter { !isHeard[$0] } }

    /// Cuts a walk wherever the label changes or nothing is known for long.
    private func stretches(of walk: [Int: Heard]) -> [[Survey.Second]] {
        var stretches: [[Survey.Second]] = []
        var last: (second: Int, zone: Int)?
        for second in walk.keys.sorted() {
            guard let heard = walk[second], let zone = heard.zone else {
                last = nil
                continue
            }
            if let before = last, before.zone == zone,
                second - before.second <= Self.longestSilence + 1
            {
                for silent in before.second + 1..<second {
                    stretches[stretches.count - 1].append(Self.second(silent, zone, []))
                }
            } else {
                stretches.append([])
            }
            stretches[stretches.count - 1].append(Self.second(second, zone, heard.levels))
            last = (second, zone)
        }
        return stretches
    }

    /// What a receiver heard in a second: the median of its levels in dBm, of at least one.
    package static func level(of levels: [Double]) -> RSSI {
        let sorted = levels.sorted()
        return RSSI(dBm: (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
    }

    private static func second(
        _ second: Int, _ zone: Int, _ levels: [(receiver: Int, level: Double)]
    ) -> Survey.Second {
        var byReceiver: [Int: [Double]] = [:]
        for (receiver, level) in levels { byReceiver[receiver, default: []].append(level) }
        return Survey.Second(
            place: RecordedSite.place(of: zone), at: RecordedSite.moment(second),
            heard: byReceiver.keys.sorted().map { receiver in
                Survey.Heard(
                    ear: RecordedSite.ear(of: receiver),
                    level: level(of: byReceiver[receiver] ?? []))
            })
    }
}
