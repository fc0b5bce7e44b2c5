import Testing

@testable import Scenarios

/// Workouts of simulated members, who touch no phone, are those that were.
struct TrainingWeekTests {
    @Test func `a day of workouts by themselves is the day that was`() throws {
        let report = try TrainingReport(.init(people: 24, days: 1, seed: 3))
        #expect(report.truth.stays > 20 && report.truth.workouts > 5 && report.truth.pauses > 0)
        #expect(report.missed == 0 && report.split == 0 && report.unseenStays == 0)
        #expect(report.wrongStarts == 0 && report.wrongUses == 0)
        #expect(report.missedPauses == 0 && report.inventedPauses == 0)
        #expect(report.begin.worst <= 10 && report.end.worst <= 20)
        #expect(report.pause.worst <= 20 && report.goesOn.worst <= 20)
        #expect(abs(report.hours - report.truth.hours) < 0.02 * report.truth.hours)
        #expect(report.overtaken == 0)
    }
}
