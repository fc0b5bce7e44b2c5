import Foundation
import Platform
import Testing

@testable import LocatingLab
@testable import Scenarios
@testable import SiteModel
@testable import SurveyFiles

/// What is learned of receivers from what was recorded before.
struct WarmUpTests {
    private func run(seed: UInt64, seconds: Double) throws -> ScenarioRun {
        let scenario = try #require(
            LocatingScenario.all.first { $0.name == "stations 2.5 m apart" })
        var run = ScenarioRun(scenario, people: 5, seconds: seconds, seed: seed)
        run.drift(3, by: -8)
        return run
    }

    @Test func `a deaf receiver is corrected by what was recorded the day before`() throws {
        let before = try run(seed: 1, seconds: 7200)
        let warmUp = WarmUp([before.readings], at: before.site)
        print(warmUp.words(at: before.site))
        // Half of it at least, and no other by as much.
        #expect(warmUp.corrections[3] > 4)
        let others = warmUp.corrections.indices.filter { $0 != 3 }.map { warmUp.corrections[$0] }
        #expect(others.allSatisfy { abs($0) < 3 })
        #expect(warmUp.words(at: before.site).contains("\(before.site.receivers[3].id) by "))

        let today = try run(seed: 2, seconds: 1200)
        func right(after warmUp: WarmUp?) -> Double {
            let answers = Contender.ours(.zoneLevel).answers(
                to: today.readings, at: today.site, model: nil, dead: [], quickness: 0.5,
                warmUp: warmUp)
            var score = ZoneScore()
            for (person, name) in today.walk.transmitters.enumerated() {
                guard let who = today.readings.transmitters.firstIndex(of: name) else { continue }
                score.add(
                    today.walk.visits[person].map {
                        RecordedTruth.Visit(
                            start: $0.start, end: $0.end, zone: today.site.zones[$0.zone].id)
                    }, from: today.readings.firstSeconds[who], answers: answers[who])
            }
            return score.accuracy
        }
        let (cold, warm) = (right(after: nil), right(after: warmUp))
        print("right \(cold) without, \(warm) with it")
        #expect(warm > cold + 0.02)
    }

    @Test func `what is too short to prove anything corrects nothing`() throws {
        let before = try run(seed: 1, seconds: 120)
        let warmUp = WarmUp([before.readings], at: before.site)
        #expect(warmUp.corrections.allSatisfy { $0 == 0 })
        #expect(warmUp.words(at: before.site).contains("none is corrected"))
    }

    @Test func `a file of no compared place is refused by name`() throws {
        #expect {
            try LocateComparison([], quickness: 0.5, warmUp: ["/elsewhere/monday.csv"])
        } throws: { error in
            let exit = error as? Exit
            return exit?.code == 2 && exit?.text.contains("/elsewhere/monday.csv") == true
        }
    }

    @Test func `a file that is not there is refused by name`() throws {
        let site = try run(seed: 1, seconds: 60).site
        #expect {
            try WarmUp(["/elsewhere/monday.csv"], at: site)
        } throws: { error in
            let exit = error as? Exit
            return exit?.code == 78 && exit?.text.contains("/elsewhere/monday.csv") == true
        }
    }
}
