import Platform
import Positioning
import SiteModel
import SurveyFiles

/// Recordings made at a site before: what a coordinator would have learned of its receivers from them.
///
/// By how much receivers differ is learned as in operation (`Offsets`), before places are taught, and stays
/// as it is from then on, as it does while a model is in force. Surveys are corrected by it, and so is
/// what is located. How receivers changed since the survey (`SurveyBias`) is learned by locating the same
/// recordings with the model, people who come later being others.
struct WarmUp: Sendable {
    let recordings: [RecordedReadings]
    /// By receiver, what is added to its levels, in dB.
    let corrections: [Double]

    /// Between one recording and the next, in seconds: nobody is remembered so long.
    static let pause = 3600

    /// Reads the files. Throws `Exit` with code 78 that names the file and the line; `tell` gets what is
    /// odd.
    init(_ paths: [String], at site: RecordedSite, tell: (String) -> Void = { _ in }) throws {
        let recordings = try paths.map { path in
            let recording = try RecordedReadings(path: path, at: site)
            recording.warnings.forEach { tell("warning: \(path): \($0)") }
            return recording
        }
        self.init(recordings, at: site)
    }

    /// Learns from recordings in their order.
    init(_ recordings: [RecordedReadings], at site: RecordedSite) {
        self.recordings = recordings
        var settled = site
        let deaf = settled.settle(with: nil)
        let names = recordings.reduce(into: [String]()) { names, recording in
            names += recording.transmitters.filter { !names.contains($0) }
        }
        var offsets = Offsets(plan: settled.plan(transmitters: names.count))
        var start = 0
        for recording in recordings {
            let users = recording.transmitters.map { names.firstIndex(of: $0) ?? 0 }
            var seconds = RecordedSeconds(recording, receivers: site.receivers.count)
            while let second = seconds.next() {
                let now = RecordedSite.moment(start + second.number)
                for heard in second.heard where !deaf.contains(heard.receiver) {
                    offsets.heard(
                        beacon: users[heard.transmitter], node: heard.receiver, level: heard.level,
                        at: now)
                }
                _ = offsets.step(at: now)
            }
            start += recording.lastSecond + Self.pause
        }
        corrections = site.receivers.indices.map { offsets.correction(node: $0) }
    }

    /// What was learned, for people.
    func words(at site: RecordedSite) -> String {
        let applied = site.receivers.indices.filter { corrections[$0] != 0 }
        guard !applied.isEmpty else {
            return
                "warm-up: no difference between receivers is proven, none is corrected (it takes a "
                + "quarter of an hour in which several receivers hear the same)"
        }
        return "warm-up: corrected are "
            + applied.map { "\(site.receivers[$0].id) by \(corrections[$0].inTenths) dB" }
            .joined(separator: ", ")
    }

    /// A level as it would be if all receivers heard alike.
    func corrected(_ level: RSSI, of receiver: Int) -> RSSI {
        level.corrected(by: corrections[receiver])
    }

    /// A survey as if all receivers heard alike.
    func corrected(_ survey: Survey) -> Survey {
        survey.keeping(Array(corrections.indices), offsets: corrections)
    }
}

/// The seconds of a recording, as nodes report them: of each link the median of what was heard.
struct RecordedSeconds {
    /// What was heard until the end of a second, by receiver, in the order of transmitters.
    struct Second {
        var number: Int
        var heard: [(transmitter: Int, receiver: Int, level: RSSI)] = []
    }

    private let recording: RecordedReadings
    private let receivers: Int
    private let last: Int
    private var second: Int
    private var reading = 0

    /// Every second from the first in which anything was heard.
    init(_ recording: RecordedReadings, receivers: Int) {
        self.recording = recording
        self.receivers = receivers
        last = recording.lastSecond
        second = recording.firstSeconds.min() ?? .max
    }

    /// The seconds from the first to the last.
    var count: Int { second <= last ? last - second + 1 : 0 }

    /// The next second, or `nil` after the last.
    mutating func next() -> Second? {
        guard second <= last else { return nil }
        var result = Second(number: second)
        var levels: [Int: [Double]] = [:]
        while reading < recording.readings.count, recording.readings[reading].at <= Double(second) {
            let heard = recording.readings[reading]
            levels[Int(heard.transmitter) * receivers + Int(heard.receiver), default: []]
                .append(heard.level)
            reading += 1
        }
        for link in levels.keys.sorted() {
            result.heard.append(
                (
                    link / receivers, link % receivers,
                    SurveyReader.level(of: levels[link] ?? [])
                ))
        }
        second += 1
        return result
    }
}
