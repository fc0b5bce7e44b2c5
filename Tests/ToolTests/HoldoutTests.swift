import Foundation
import Testing

@testable import LocatingLab
@testable import Positioning
@testable import SiteModel
@testable import SurveyFiles

/// Cases that leave out what was tuned on, made of recordings.
struct HoldoutTests {
    /// Two walks through the farm, with the truth.
    private func with<Result>(_ body: (RecordedPlace) throws -> Result) throws -> Result {
        try LocateFolder.with { folder in
            for name in ["walk_1", "walk_2"] {
                try folder.write(
                    "\(name).readings.csv", LocateFolder.text(LocateFolder.walk()))
                try folder.write(
                    "\(name).truth.csv",
                    "t_start,t_end,transmitter_id,zone\n0,60,tag,barn\n60,120,tag,dairy\n")
            }
            return try body(try RecordedPlace(directory: URL(fileURLWithPath: folder.path)))
        }
    }

    @Test func `each run is learned from the others, whatever is amiss`() throws {
        try with { place in
            let table = try HoldoutTable([place], quickness: 0.5)
            #expect(
                table.cases.map(\.trouble) == [
                    .none, .thinned(0.5), .unequal(4), .drifted(4), .untaught(from: 0),
                    .untaught(from: 1),
                ])
            for one in table.cases {
                #expect(one.runs.map(\.sequence) == [0, 1])
                #expect(
                    zip(one.runs, ["walk_2", "walk_1"]).allSatisfy { run, other in
                        run.files.count == 1 && run.files[0].contains(other)
                    })
            }
        }
    }

    @Test func `a line a case with the three rules, then the mean`() throws {
        try with { place in
            let table = try HoldoutTable([place], quickness: 0.5)
            let scores = table.cases.map { table.scores(of: $0) }
            #expect(scores[0].map { $0.accuracy > 0.9 } == [true, true, true])
            let text = table.text(scores)
            #expect(text.contains("mean of 6"))
            #expect(text.contains("receivers drifted by 4.0 dB"))
            #expect(text.contains("of 6, at most by"))
        }
    }

    @Test func `every other place untaught leaves the seconds of the others`() {
        let seconds = [2, 0, 1, 2].enumerated().map { second, zone in
            Survey.Second(
                place: RecordedSite.place(of: zone), at: RecordedSite.moment(second), heard: [])
        }
        let survey = Survey(ears: [], stretches: [seconds, [seconds[1]]])
        func zones(_ trouble: HoldoutCase.Trouble) -> [[RoomID]] {
            trouble.taught(survey).stretches.map { $0.map(\.place.room) }
        }
        let rooms = seconds.map(\.place.room)
        #expect(zones(.untaught(from: 0)) == [[rooms[2]]])
        #expect(zones(.untaught(from: 1)) == [[rooms[0], rooms[1], rooms[3]], [rooms[1]]])
        #expect(zones(.none) == [rooms, [rooms[1]]])
    }

    @Test func `a third of the receivers leaves others out, and renumbers what is left`() {
        let trouble = HoldoutCase.Trouble.fewReceivers(every: 3, from: 1)
        #expect(trouble.kept(of: 6) == [1, 4])
        let second = Survey.Second(
            place: RecordedSite.place(of: 0), at: RecordedSite.moment(1),
            heard: [
                .init(ear: RecordedSite.ear(of: 0), level: RSSI(dBm: -50)),
                .init(ear: RecordedSite.ear(of: 4), level: RSSI(dBm: -60)),
            ])
        let survey = Survey(
            ears: [0, 1, 4].map { RecordedSite.ear(of: $0) }, stretches: [[second]])
        let kept = survey.keeping([1, 4], offsets: [0, 0, 0, 0, 3, 0])
        #expect(kept.ears == [RecordedSite.ear(of: 0), RecordedSite.ear(of: 1)])
        #expect(
            kept.stretches[0][0].heard
                == [.init(ear: RecordedSite.ear(of: 1), level: RSSI(dBm: -57))])
        let readings = RecordedReadings(
            [
                .init(at: 1, receiver: 3, transmitter: 0, level: -70),
                .init(at: 2, receiver: 4, transmitter: 0, level: -60),
            ], names: ["tag"])
        let heard = readings.keeping([1, 4], offsets: [0, 0, 0, 0, 3, 0]).readings
        #expect(heard.map(\.receiver) == [1] && heard.map(\.level) == [-57])
    }

    @Test func `only drifted receivers are unlike those of the survey`() {
        let all: [HoldoutCase.Trouble] = [.none, .thinned(0.5), .unequal(4), .drifted(4)]
        #expect(all.map(\.isOlderThanSurvey) == [true, true, true, false])
        #expect(all.map { $0.offsets(of: 3).allSatisfy { $0 == 0 } } == [true, true, false, false])
        #expect(all[2].offsets(of: 3) == all[3].offsets(of: 3), "the same luck")
    }
}
