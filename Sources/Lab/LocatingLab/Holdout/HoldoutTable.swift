import Basics
import Foundation
import Positioning
import SiteModel
import SurveyFiles

/// Every case that leaves out what was tuned on, scored with the blend and with each engine alone.
struct HoldoutTable: Sendable {
    private let places: [RecordedPlace]
    private let quickness: Double
    private let surveys: [[String]: (site: RecordedSite, survey: Survey)]
    /// In the order of the table.
    let cases: [HoldoutCase]

    /// Reads what is learned from. Throws `Exit` for files that cannot be learned from.
    init(_ places: [RecordedPlace], quickness: Double) throws {
        self.places = places
        self.quickness = quickness
        cases = places.enumerated().flatMap { HoldoutCase.all(at: $1, number: $0) }
        var surveys: [[String]: (site: RecordedSite, survey: Survey)] = [:]
        for one in cases {
            for run in one.runs where surveys[run.files] == nil {
                var site = places[one.place].site
                var reader = SurveyReader(site: site)
                for file in run.files { try reader.read(file, at: &site) }
                surveys[run.files] = (site, reader.survey())
            }
        }
        self.surveys = surveys
    }

    /// What each method reaches in a case, in the order of `HoldoutCase.methods`.
    func scores(of one: HoldoutCase) -> [ZoneScore] {
        var scores = HoldoutCase.methods.map { _ in ZoneScore() }
        for run in one.runs {
            guard let (whole, all) = surveys[run.files] else { continue }
            let kept = one.trouble.kept(of: whole.receivers.count)
            let offsets = one.trouble.offsets(of: whole.receivers.count)
            let site = whole.keeping(kept)
            let level = one.trouble.isOlderThanSurvey ? offsets : offsets.map { _ in 0 }
            let model = one.trouble.taught(all.keeping(kept, offsets: level)).model(
                revision: 1, homes: site.home)
            let sequence = places[one.place].sequences[run.sequence]
            var readings = sequence.recording.keeping(kept, offsets: offsets)
            if case .thinned(let rate) = one.trouble {
                readings.thin(to: rate, receivers: kept.count)
            }
            for (index, method) in HoldoutCase.methods.enumerated() {
                let answers = Contender.ours(method).answers(
                    to: readings, at: site, model: model, dead: [], quickness: quickness)
                for name in sequence.truth.transmitters {
                    let who = readings.transmitters.firstIndex(of: name)
                    scores[index].add(
                        sequence.truth.visits[name] ?? [],
                        from: who.map { readings.firstSeconds[$0] } ?? 0,
                        answers: who.map { answers[$0] } ?? [])
                }
            }
        }
        return scores
    }

    /// Runs all, as many at once as there are processors. `progress` is told which share is done.
    func scores(progress: (Double) -> Void) async -> [[ZoneScore]] {
        var scores: [[ZoneScore]] = cases.map { _ in [] }
        await withTaskGroup(of: (Int, [ZoneScore]).self) { group in
            for index in cases.indices {
                group.addTask { (index, self.scores(of: self.cases[index])) }
            }
            var done = 0
            for await (index, score) in group {
                scores[index] = score
                done += 1
                progress(Double(done) / Double(cases.count))
            }
        }
        return scores
    }

    /// A table for a terminal: a line a case, then the mean of each column. Of each method the
    /// accuracy, then changes for each true one, the median latency in seconds, the expected
    /// calibration error, and the share that was right where at least 0.9 was stated.
    func text(_ scores: [[ZoneScore]]) -> String {
        var table = TextTable(
            ["left out", "trouble"]
                + HoldoutCase.methods.flatMap { ["\($0.rawValue)", "flaps", "s", "ECE", ">=.9"] })
        for (one, scores) in zip(cases, scores) {
            table.add(
                [one.title, one.trouble.words]
                    + scores.flatMap { Self.cells(HoldoutFigures($0)) })
        }
        let means = HoldoutCase.methods.indices.map { method in
            HoldoutFigures(meanOf: scores.map { HoldoutFigures($0[method]) })
        }
        table.add(["mean of \(cases.count)", ""] + means.flatMap(Self.cells))
        let lacks = scores.map { max($0[1].accuracy, $0[2].accuracy) - $0[0].accuracy }
        let below = lacks.count { $0 > 0.005 }
        let worst = lacks.max() ?? 0
        return table.text
            + String(
                format: "\n\nauto is more than half a point below its better engine in %d of %d, "
                    + "at most by %.3f; in the mean by %.4f", below, cases.count, worst,
                lacks.reduce(0, +) / Double(max(lacks.count, 1)))
    }

    private static func cells(_ figures: HoldoutFigures) -> [String] {
        func text(_ number: Double?, _ digits: Int) -> String {
            guard let number else { return "–" }
            return number.isFinite ? String(format: "%.\(digits)f", number) : "∞"
        }
        return [
            text(figures.accuracy, 3), text(figures.flaps, 2), text(figures.latency, 1),
            text(figures.calibrationError, 3), text(figures.certain, 3),
        ]
    }
}

/// What is told of one method in one case, or of its mean over all.
struct HoldoutFigures: Equatable {
    var accuracy: Double
    /// Said changes for each true one.
    var flaps: Double
    /// Median seconds to the right answer, infinite where half of the visits were missed.
    var latency: Double
    /// The expected calibration error, `nil` where nothing was stated.
    var calibrationError: Double?
    /// The share right where at least 0.9 was stated, `nil` where that never was.
    var certain: Double?

    init(_ score: ZoneScore) {
        accuracy = score.accuracy
        flaps = score.flaps
        latency = score.latency
        calibrationError = score.calibrationError
        certain = score.certain.flatMap { $0.share > 0 ? $0.accuracy : nil }
    }

    /// The mean of each figure over the cases that have one; of latency the median.
    init(meanOf cases: [HoldoutFigures]) {
        func mean(_ numbers: [Double]) -> Double {
            numbers.isEmpty ? 0 : numbers.reduce(0, +) / Double(numbers.count)
        }
        accuracy = mean(cases.map(\.accuracy))
        flaps = mean(cases.map(\.flaps))
        let sorted = cases.map(\.latency).sorted()
        latency = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        calibrationError = mean(cases.compactMap(\.calibrationError))
        certain = mean(cases.compactMap(\.certain))
    }
}
