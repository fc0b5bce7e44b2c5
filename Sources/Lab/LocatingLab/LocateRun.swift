import Positioning
import SiteModel
import SurveyFiles

/// Runs a recording through the core that the coordinator uses, on a clock of its own.
package struct LocateRun {
    /// What is said of one transmitter at one second.
    package struct Row {
        /// The whole second.
        package var second: Int
        /// An index into the transmitters of the readings.
        package var transmitter: Int
        /// An index into the zones of the site, or `nil` for nowhere.
        package var zone: Int?
        /// The probability of that zone, 0 ... 1; 0 for nowhere.
        package var confidence: Double

        package init(second: Int, transmitter: Int, zone: Int? = nil, confidence: Double) {
            self.second = second
            self.transmitter = transmitter
            self.zone = zone
            self.confidence = confidence
        }
    }

    /// What is told of a probability: four digits, so that what is scored is what is written.
    package static let steps = 10_000.0

    private let site: RecordedSite
    private let readings: RecordedReadings
    private let dead: Set<Int>
    private let warmUp: WarmUp?
    /// The transmitters of all recordings, those of the one that is asked about first.
    private let names: [String]
    private var locating: Locating

    /// A run over what was recorded at a site. `dead` are receivers that are known not to listen.
    package init(
        _ readings: RecordedReadings, at site: RecordedSite, model: PlaceModel?,
        policy: LocatingPolicy, dead: Set<Int> = []
    ) {
        self.init(
            readings, at: site, model: model, policy: policy, dead: dead, warmUp: nil)
    }

    /// The same after other recordings, from which `model` must have been learned corrected.
    init(
        _ readings: RecordedReadings, at site: RecordedSite, model: PlaceModel?,
        policy: LocatingPolicy, dead: Set<Int>, warmUp: WarmUp?
    ) {
        self.site = site
        self.readings = readings
        self.dead = dead
        self.warmUp = warmUp
        names = (warmUp?.recordings ?? []).reduce(into: readings.transmitters) { names, earlier in
            names += earlier.transmitters.filter { !names.contains($0) }
        }
        let plan = site.plan(transmitters: names.count, model: model, policy: policy)
        locating = Locating(plan: plan, places: plan.users.map { _ in (room: nil, station: nil) })
    }

    /// Decides second by second and gives the rows in order of time, then transmitter. `progress`
    /// is told each second which share is done.
    package mutating func run(
        progress: (Double) -> Void = { _ in }, _ take: (Row, Locating) throws -> Void
    ) rethrows {
        var start = 0
        for earlier in warmUp?.recordings ?? [] {
            run(earlier, from: start, progress: { _ in }) { _, _ in }
            start += earlier.lastSecond + WarmUp.pause
        }
        try run(readings, from: start, progress: progress, take)
    }

    private mutating func run(
        _ recording: RecordedReadings, from start: Int, progress: (Double) -> Void,
        _ take: (Row, Locating) throws -> Void
    ) rethrows {
        let users = recording.transmitters.map { names.firstIndex(of: $0) ?? 0 }
        var seconds = RecordedSeconds(recording, receivers: site.receivers.count)
        let count = seconds.count
        var done = 0
        while let second = seconds.next() {
            let now = RecordedSite.moment(start + second.number)
            for receiver in site.receivers.indices where !dead.contains(receiver) {
                locating.listened(node: receiver, at: now)
            }
            for heard in second.heard where !dead.contains(heard.receiver) {
                locating.heard(
                    beacon: users[heard.transmitter], node: heard.receiver,
                    level: warmUp?.corrected(heard.level, of: heard.receiver) ?? heard.level,
                    at: now)
            }
            for (transmitter, user) in users.enumerated() {
                let fix = locating.fix(user: user, beacons: [user], at: now) { !dead.contains($0) }
                guard second.number >= recording.firstSeconds[transmitter] else { continue }
                let zone = fix.flatMap { site.zone(of: $0.place) }
                let row = Row(
                    second: second.number, transmitter: transmitter, zone: zone,
                    confidence: zone == nil ? 0 : Self.rounded(fix?.probability ?? 0))
                try take(row, locating)
            }
            done += 1
            progress(Double(done) / Double(count))
        }
    }

    private static func rounded(_ probability: Double) -> Double {
        (min(max(probability, 0), 1) * steps).rounded() / steps
    }
}

/// Writes what a run says as `t_seconds,transmitter_id,zone,confidence`.
struct ZoneRows {
    static let heading = Array("t_seconds,transmitter_id,zone,confidence\n".utf8)
    private static let digits = 4

    private let transmitters: [[UInt8]]
    private let zones: [[UInt8]]

    /// Rows about these transmitters and zones.
    init(transmitters: [String], zones: [String]) {
        self.transmitters = transmitters.map { Self.field($0) }
        self.zones = zones.map { Self.field($0) }
    }

    /// The text of a row, with its end.
    func text(_ row: LocateRun.Row) -> [UInt8] {
        var text = Array(String(row.second).utf8)
        text.append(UInt8(ascii: ","))
        text += transmitters[row.transmitter]
        text.append(UInt8(ascii: ","))
        if let zone = row.zone { text += zones[zone] }
        text.append(UInt8(ascii: ","))
        text += Self.share(row.confidence)
        text.append(UInt8(ascii: "\n"))
        return text
    }

    /// A share with four digits.
    private static func share(_ number: Double) -> [UInt8] {
        guard number > 0 else { return [UInt8(ascii: "0")] }
        let whole = Int((min(number, 1) * LocateRun.steps).rounded())
        let fraction = String(whole % Int(LocateRun.steps))
        return Array("\(whole / Int(LocateRun.steps)).".utf8)
            + Array(repeating: UInt8(ascii: "0"), count: digits - fraction.utf8.count)
            + Array(fraction.utf8)
    }

    /// A name, quoted where it must be.
    private static func field(_ name: String) -> [UInt8] {
        guard name.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            return Array(name.utf8)
        }
        return Array(
            "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
                .utf8)
    }
}
