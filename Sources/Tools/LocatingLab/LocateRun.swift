import Positioning
import SiteModel

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

    /// Second 0 of every recording, so that no time comes near the limits of numbers.
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)

    /// The moment at which a second of a recording ends.
    package static func moment(_ second: Int) -> Timestamp {
        Timestamp(milliseconds: start.milliseconds + Int64(second) * 1000)
    }

    /// What is told of a probability: four digits, so that what is scored is what is written.
    package static let steps = 10_000.0

    private let site: RecordedSite
    private let readings: RecordedReadings
    private let dead: Set<Int>
    private var locating: Locating

    /// A run over what was recorded at a site. `dead` are receivers that are known not to listen.
    package init(
        _ readings: RecordedReadings, at site: RecordedSite, model: PlaceModel?,
        policy: LocatingPolicy, dead: Set<Int> = []
    ) {
        self.site = site
        self.readings = readings
        self.dead = dead
        let plan = site.plan(
            transmitters: readings.transmitters.count, model: model, policy: policy)
        locating = Locating(plan: plan, places: plan.users.map { _ in (room: nil, station: nil) })
    }

    /// Decides second by second and gives the rows in order of time, then transmitter. `progress`
    /// is told each second which share is done.
    package mutating func run(
        progress: (Double) -> Void = { _ in }, _ take: (Row, Locating) throws -> Void
    ) rethrows {
        let people = readings.transmitters.count
        let receivers = site.receivers.count
        guard let first = readings.firstSeconds.min(), first <= readings.lastSecond else { return }
        var next = 0
        for second in first...readings.lastSecond {
            let now = Self.moment(second)
            for receiver in 0..<receivers where !dead.contains(receiver) {
                locating.listened(node: receiver, at: now)
            }
            var levels: [Int: [Double]] = [:]
            while next < readings.readings.count, readings.readings[next].at <= Double(second) {
                let reading = readings.readings[next]
                let link = Int(reading.transmitter) * receivers + Int(reading.receiver)
                levels[link, default: []].append(reading.level)
                next += 1
            }
            for link in levels.keys.sorted() {
                guard let heard = levels[link] else { continue }
                locating.heard(
                    beacon: link / receivers, node: link % receivers,
                    level: RSSI(dBm: Summary.median.value(of: heard)), at: now)
            }
            for who in 0..<people {
                let fix = locating.fix(user: who, beacons: [who], at: now) { !dead.contains($0) }
                guard second >= readings.firstSeconds[who] else { continue }
                let zone = fix.flatMap { site.zone(of: $0.place) }
                let row = Row(
                    second: second, transmitter: who, zone: zone,
                    confidence: zone == nil ? 0 : Self.rounded(fix?.probability ?? 0))
                try take(row, locating)
            }
            progress(Double(second - first + 1) / Double(readings.lastSecond - first + 1))
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
