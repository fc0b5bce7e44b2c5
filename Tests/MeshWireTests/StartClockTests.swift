import Testing

@testable import SiteModel
@testable import SitePipeline

/// What a coordinator does whose clock is behind its newest row.
struct StartClockTests {
    private func moment(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_700_000_000_000) + .seconds(seconds)
    }

    private func course(
        behind: Double, isSynced: Bool = false, waited: Double = 0
    ) -> StartClock.Course {
        StartClock.course(
            wall: moment(-behind), isSynced: isSynced, newest: moment(0), waited: .seconds(waited))
    }

    @Test(arguments: [-86_400.0, 0, 60]) func `a clock that is right is gone by`(behind: Double) {
        #expect(course(behind: behind) == .goOn)
        #expect(course(behind: behind, waited: 20) == .goOn)
    }

    @Test(arguments: [60.001, 3600, 129_600])
    func `one that is behind is waited for, and then the newest row is gone by`(behind: Double) {
        #expect(course(behind: behind) == .wait)
        #expect(course(behind: behind, waited: 19.9) == .wait)
        #expect(course(behind: behind, waited: 20) == .begin(at: moment(0)))
    }

    @Test func `a clock that a time server keeps is right, and the row was not`() {
        #expect(course(behind: 3600, isSynced: true) == .distrustRows)
        #expect(course(behind: 61, isSynced: true, waited: 20) == .distrustRows)
    }

    @Test func `a row of a far future was made by a wrong clock`() {
        #expect(course(behind: 36 * 3600 + 1, waited: 20) == .distrustRows)
        #expect(course(behind: 1e9) == .wait, "it is waited for all the same")
    }
}
