import MeshCore
import Testing

@testable import Radio

/// When a scan is started again, and when it is not.
struct ScanScheduleTests {
    var schedule = ScanSchedule()

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func `the first start is due at once, and then nothing is`() throws {
        var schedule = schedule
        #expect(try #require(schedule.deadline) <= at(1))
        schedule.started(at: at(1))
        #expect(schedule.deadline == nil)
        #expect(schedule.state == .up)
    }

    @Test func `after foreign commands it waits until they cease`() {
        var schedule = schedule
        schedule.started(at: at(0))
        schedule.disturbed(at: at(10_000))
        #expect(schedule.deadline == at(10_300))
        schedule.disturbed(at: at(10_200))
        #expect(schedule.deadline == at(10_500))
        #expect(schedule.state == .up)
    }

    @Test func `it does not wait for ever for commands to cease`() throws {
        var schedule = schedule
        schedule.started(at: at(0))
        for time in stride(from: Int64(1_000), through: 15_900, by: 100) {
            schedule.disturbed(at: at(time))
        }
        #expect(schedule.deadline == at(16_000))
    }

    @Test func `it starts six times a minute at most, and says that it does not listen`() {
        var schedule = schedule
        for start in 0..<6 {
            schedule.started(at: at(Int64(start) * 1_000))
            schedule.disturbed(at: at(Int64(start) * 1_000 + 500))
        }
        #expect(schedule.deadline == at(60_000))
        #expect(schedule.state == .down)
        schedule.started(at: at(60_000))
        #expect(schedule.state == .up)
        schedule.disturbed(at: at(60_100))
        #expect(schedule.deadline == at(61_000))
    }

    @Test func `a refused start is tried again after 1, 2, 4 and at last every 30 seconds`() {
        var schedule = schedule
        var waits: [Int64] = []
        for _ in 0..<7 {
            schedule.failed(at: at(0))
            waits.append(schedule.deadline?.milliseconds ?? 0)
        }
        #expect(waits == [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
        #expect(schedule.state == .down)
        schedule.started(at: at(0))
        schedule.failed(at: at(0))
        #expect(schedule.deadline == at(1_000))
    }

    @Test func `an adapter that went down is switched on again, one that is gone is awaited`() {
        var schedule = schedule
        schedule.started(at: at(0))
        schedule.wentDown(at: at(5_000))
        #expect(schedule.state == .down)
        #expect(schedule.deadline == at(6_000))
        schedule.vanished(at: at(5_500))
        #expect(schedule.state == .absent)
        #expect(schedule.deadline == at(10_500))
        schedule.disturbed(at: at(7_000))
        #expect(schedule.state == .absent)
        #expect(schedule.deadline == at(7_300))
    }

    @Test func `once stopped it is never due`() {
        var schedule = schedule
        schedule.started(at: at(0))
        schedule.disturbed(at: at(10))
        schedule.stopped()
        #expect(schedule.deadline == nil)
    }
}
