import Basics
import Positioning
import SiteModel
import SurveyFiles

/// Recordings of one kind, located with a model of other recordings while something is amiss that a
/// site nobody tuned for has, too.
struct HoldoutCase: Sendable {
    /// What is amiss.
    enum Trouble: Hashable, Sendable {
        case none
        /// Only every so many receivers were ever hung up, from one on. Some zones have none then.
        case fewReceivers(every: Int, from: Int)
        /// Tags send so many packets a second to each receiver.
        case thinned(Double)
        /// Receivers are unlike by nature, before and after the survey: a standard deviation in dB.
        case unequal(Double)
        /// The same, but they became so after the survey.
        case drifted(Double)
        /// Every other place was never taught, from this one on.
        case untaught(from: Int)
    }

    /// What is located, as indices into the sequences of the place, and what it is learned from.
    struct Run: Hashable, Sendable {
        var sequence: Int
        var files: [String]
    }

    /// An index into the places.
    var place: Int
    /// What is located, and from what it is learned, for people.
    var title: String
    var runs: [Run]
    var trouble: Trouble

    /// The rules it is scored with: the blend, and each of its engines alone.
    static let methods: [LocatingPolicy.Method] = [.auto, .spot, .zoneLevel]

    /// Every case that recordings of a place make.
    static func all(at place: RecordedPlace, number: Int) -> [HoldoutCase] {
        var lessons: [(title: String, runs: [Run])] = []
        for (index, sequence) in place.sequences.enumerated() {
            for lesson in Self.lessons(for: sequence, at: place) {
                let title = "\(sequence.group) \(lesson.name)"
                let run = Run(sequence: index, files: lesson.files)
                if let known = lessons.firstIndex(where: { $0.title == title }) {
                    lessons[known].runs.append(run)
                } else {
                    lessons.append((title, [run]))
                }
            }
        }
        // A sequence whose carrier is in no other learns the same from all and from strangers.
        let distinct = lessons.indices.filter { index in
            !lessons[..<index].contains { $0.runs == lessons[index].runs }
        }
        return distinct.map { lessons[$0] }.flatMap { lesson in
            troubles(of: place.site.receivers.count).map {
                HoldoutCase(place: number, title: lesson.title, runs: lesson.runs, trouble: $0)
            }
        }
    }

    /// What of a sequence's lessons leaves its own run out: those of any comparison, and for runs
    /// that are there to learn from the others of them.
    private static func lessons(
        for sequence: RecordedSequence, at place: RecordedPlace
    ) -> [Lesson] {
        guard sequence.isForTraining else { return Lesson.all(for: sequence, at: place) }
        let others = place.sequences.filter { $0.isForTraining && $0.id != sequence.id }
        guard !others.isEmpty else { return [] }
        return [Lesson(name: "on other runs", files: others.map(\.path))]
    }

    /// A third of the receivers, each in turn, and half of them where that is no more than three.
    private static func troubles(of receivers: Int) -> [Trouble] {
        let thirds = receivers < 6 ? [] : (0..<3).map { Trouble.fewReceivers(every: 3, from: $0) }
        let halves =
            receivers < 4 || receivers > 6
            ? [] : (0..<2).map { Trouble.fewReceivers(every: 2, from: $0) }
        return [.none] + thirds + halves
            + [.thinned(0.5), .unequal(4), .drifted(4), .untaught(from: 0), .untaught(from: 1)]
    }
}

extension HoldoutCase.Trouble {
    /// For people.
    var words: String {
        switch self {
        case .none: "as recorded"
        case .fewReceivers(let every, let from): "one receiver of \(every), from the \(from + 1)."
        case .thinned(let rate): "\(rate) Hz"
        case .unequal(let spread): "receivers unequal by \(spread) dB"
        case .drifted(let spread): "receivers drifted by \(spread) dB"
        case .untaught(let from): "every other place untaught, from the \(from + 1)."
        }
    }

    /// The receivers there are.
    func kept(of receivers: Int) -> [Int] {
        guard case .fewReceivers(let every, let from) = self else { return Array(0..<receivers) }
        return stride(from: from, to: receivers, by: every).map { $0 }
    }

    /// By how much each receiver is louder than it should be, in dB.
    func offsets(of receivers: Int) -> [Double] {
        let spread: Double
        switch self {
        case .none, .fewReceivers, .thinned, .untaught:
            return Array(repeating: 0, count: receivers)
        case .unequal(let decibels), .drifted(let decibels): spread = decibels
        }
        var random = SeededRandom(seed: 1, stream: 71)
        return (0..<receivers).map { _ in spread * random.normal() }
    }

    /// What of a survey was made.
    func taught(_ survey: Survey) -> Survey {
        guard case .untaught(let first) = self else { return survey }
        let places = Set(survey.stretches.joined().map(\.place)).sorted()
        let missing = stride(from: first, to: places.count, by: 2).map { places[$0] }
        return Survey(
            ears: survey.ears,
            stretches: survey.stretches.map { $0.filter { !missing.contains($0.place) } }
                .filter { !$0.isEmpty })
    }

    /// Whether the survey was made with receivers as they are now.
    var isOlderThanSurvey: Bool {
        switch self {
        case .drifted: false
        case .none, .fewReceivers, .thinned, .unequal, .untaught: true
        }
    }
}

extension RecordedSite {
    /// The site as if only these receivers had been hung up, renumbered in their order.
    func keeping(_ receivers: [Int]) -> RecordedSite {
        var site = self
        site.receivers = receivers.map { self.receivers[$0] }
        return site
    }
}

extension RecordedReadings {
    /// What the receivers of such a site would have told, each louder by its offset in dB.
    func keeping(_ receivers: [Int], offsets: [Double]) -> RecordedReadings {
        var copy = self
        copy.readings = readings.compactMap { reading in
            guard let index = receivers.firstIndex(of: Int(reading.receiver)) else { return nil }
            var reading = reading
            reading.level += offsets[Int(reading.receiver)]
            reading.receiver = Int32(index)
            return reading
        }
        return copy
    }
}

extension Survey {
    /// The survey as if only these receivers had been there, renumbered, each louder by its offset.
    func keeping(_ receivers: [Int], offsets: [Double]) -> Survey {
        func index(of ear: Ear) -> Int? {
            receivers.firstIndex { RecordedSite.ear(of: $0) == ear }
        }
        return Survey(
            ears: ears.compactMap { index(of: $0).map { RecordedSite.ear(of: $0) } }.sorted(),
            stretches: stretches.map { seconds in
                seconds.map { second in
                    var second = second
                    second.heard = second.heard.compactMap { heard in
                        guard let index = index(of: heard.ear) else { return nil }
                        return Heard(
                            ear: RecordedSite.ear(of: index),
                            level: RSSI(dBm: heard.level.dBm + offsets[receivers[index]]))
                    }.sorted { $0.ear < $1.ear }
                    return second
                }
            })
    }
}
