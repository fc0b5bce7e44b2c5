import Glibc
import Testing

@testable import Radio
@testable import SiteModel

/// The parts around an adapter that do without one.
struct AdapterTests {
    let now = Timestamp(milliseconds: 5_000)

    @Test func `several adapters listen if one does, and are absent if all are`() {
        #expect(AdapterGroup.join([]) == nil)
        #expect(AdapterGroup.join([.absent, .up]) == .up)
        #expect(AdapterGroup.join([.down, .absent]) == .down)
        #expect(AdapterGroup.join([.absent, .absent]) == .absent)
    }

    @Test func `a packet counts as heard when the kernel got it`() {
        var lateness = Lateness()
        #expect(lateness.most == nil)
        let wall: Int64 = 1_700_000_000_000_000
        #expect(
            lateness.moment(stamp: wall - 40_500, wall: wall, now: now)
                == Timestamp(milliseconds: 4_960))
        #expect(lateness.most == .milliseconds(40))
    }

    @Test func `without a time, or with an impossible one, it counts as heard now`() {
        var lateness = Lateness()
        let wall: Int64 = 1_700_000_000_000_000
        for stamp in [0, -1, wall + 1_000, wall - 60_001_000, .min, .max] {
            #expect(lateness.moment(stamp: stamp, wall: wall, now: now) == now)
        }
        #expect(lateness.most == nil)
    }

    @Test func `lateness is that of the last ten to twenty seconds`() {
        var lateness = Lateness()
        let wall: Int64 = 1_700_000_000_000_000
        for second in Int64(10)...50 {
            let late: Int64 = second == 12 ? 900_000 : 2_000
            _ = lateness.moment(
                stamp: wall - late, wall: wall, now: Timestamp(milliseconds: second * 1_000))
            if (12..<20).contains(second) { #expect(lateness.most == .milliseconds(900)) }
            if second >= 32 { #expect(lateness.most == .milliseconds(2)) }
        }
    }

    /// No machine has this adapter; the answer comes all the same, from a thread that has ended.
    @Test func `switching answers without being waited for, one at a time`() throws {
        let power = AdapterSwitch()
        #expect(power.descriptor == nil && power.outcome() == nil)
        #expect(power.begin(adapter: 65_000, on: true))
        #expect(!power.begin(adapter: 65_000, on: false))
        var entry = pollfd(fd: try #require(power.descriptor), events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 10_000) == 1)
        let code = try #require(power.outcome())
        #expect(code != 0)
        #expect(power.descriptor == nil)
        #expect(power.begin(adapter: 65_000, on: false))
    }
}
