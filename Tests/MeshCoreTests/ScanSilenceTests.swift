import Testing

@testable import NodeEngine
@testable import SiteModel

/// What silence is strange depends on what is usual.
struct ScanSilenceTests {
    private func learned(gap: Int64, count: Int = 40) -> ScanSilence {
        var silence = ScanSilence()
        for index in 0..<count {
            silence.heard(at: Timestamp(milliseconds: Int64(index) * gap))
        }
        return silence
    }

    @Test func `before anything is learned two minutes are strange`() {
        #expect(ScanSilence().limit == .seconds(120))
        #expect(learned(gap: 100, count: 16).limit == .seconds(120))
        #expect(learned(gap: 100, count: 17).limit == .seconds(3))
    }

    @Test(
        arguments: [
            (0, 3_000), (100, 3_000), (150, 3_000), (200, 4_000), (1_000, 20_000),
            (60_000, 600_000),
            (.max / 64, 600_000),
        ] as [(Int64, Int64)])
    func `twenty times the usual gap is strange, within bounds`(gap: Int64, limit: Int64) {
        #expect(learned(gap: gap).limit == .milliseconds(limit))
    }

    @Test func `after a remedy the least is two seconds`() {
        #expect(learned(gap: 10).limitAfterRemedy == .seconds(2))
        #expect(learned(gap: 1_000).limitAfterRemedy == .seconds(20))
    }

    @Test func `time in which nobody listened is no gap`() {
        var paused = learned(gap: 100)
        var other = paused
        for index in 1...20 {
            let at = Timestamp(milliseconds: 4_000 + Int64(index) * 10_000)
            paused.pause()
            paused.heard(at: at)
            other.heard(at: at)
        }
        #expect(paused.limit == .seconds(3))
        #expect(other.limit == .seconds(200))
    }

    @Test func `a clock that goes backwards makes no negative gap`() {
        var silence = ScanSilence()
        for index in 0..<40 { silence.heard(at: Timestamp(milliseconds: Int64(-index) * 1_000)) }
        #expect(silence.limit == .seconds(3))
    }
}
