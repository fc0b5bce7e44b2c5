import Testing

@testable import LocatingLab
@testable import Positioning
@testable import Scenarios
@testable import SiteModel
@testable import SurveyFiles

/// Receivers that changed after the places were taught.
struct SurveyBiasSimulationTests {
    private static let hour = 3600

    /// Two hours of five people at stations 2.5 m apart: the share of right seconds in the second one, and
    /// what is then believed of how the receivers changed.
    private func score(drift: [Int: Double], seed: UInt64) throws -> (
        right: Double, offsets: [Double]
    ) {
        let scenario = try #require(
            LocatingScenario.all.first { $0.name == "stations 2.5 m apart" })
        var run = ScenarioRun(
            scenario, people: 5, seconds: Double(2 * Self.hour), seed: seed)
        for (receiver, decibels) in drift.sorted(by: { $0.key < $1.key }) {
            run.drift(receiver, by: decibels)
        }
        var locate = LocateRun(
            run.readings, at: run.site,
            model: run.survey.model(revision: 1, homes: run.site.home), policy: LocatingPolicy())
        let people = run.readings.transmitters.map { name in
            run.walk.transmitters.firstIndex(of: name)
        }
        var (right, all) = (0.0, 0.0)
        var offsets: [Double] = []
        locate.run { row, locating in
            guard row.second > Self.hour, let person = people[row.transmitter] else { return }
            let visit = run.walk.visits[person].first {
                $0.start <= Double(row.second) && Double(row.second) < $0.end
            }
            guard let visit else { return }
            all += 1
            if row.zone == visit.zone { right += 1 }
            offsets = locating.surveyBias.map(\.decibels)
        }
        return (right / all, offsets)
    }

    @Test func `a receiver that has become 6 dB deafer is found and corrected within two hours`()
        throws
    {
        var lost: [Double] = []
        for seed in UInt64(1)...3 {
            let usual = try score(drift: [:], seed: seed)
            let drifted = try score(drift: [3: -6], seed: seed)
            print("right \(usual.right), drifted \(drifted.right)")
            for receiver in usual.offsets.indices {
                let change = drifted.offsets[receiver] - usual.offsets[receiver]
                #expect(abs(change + (receiver == 3 ? 6 : 0)) < 2.5, "receiver \(receiver)")
            }
            lost.append(usual.right - drifted.right)
        }
        #expect(lost.reduce(0, +) / 3 < 0.01)
    }
}
