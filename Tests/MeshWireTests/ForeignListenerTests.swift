import Testing

@testable import SiteModel
@testable import SitePipeline

/// A frame a second from reports that come when they come.
struct ForeignListenerTests {
    private let leave = Timestamp.Span.seconds(90)
    private let beacon = BeaconID(1)
    private var listener = ForeignListener(node: NodeID(1), kind: .espresense)

    private func at(_ seconds: Double) -> Timestamp { PipelineRun.moment(seconds) }

    /// The seconds of frames until `end`, and those with something heard.
    private mutating func listen(
        until end: Int, telemetry: Int? = nil, reports: Int? = nil, from start: Int = 0
    ) -> (frames: Int, heard: Int) {
        var (frames, heard) = (0, 0)
        for second in start..<end {
            for frame in listener.frames(at: at(Double(second)), leave: leave) {
                frames += 1
                heard += frame.entries.isEmpty ? 0 : 1
            }
            if let telemetry, second % telemetry == 0 { listener.spoke(at: at(Double(second))) }
            if let reports, second % reports == 0 {
                listener.heard(beacon, level: RSSI(dBm: -60), at: at(Double(second) + 0.3))
            }
        }
        return (frames, heard)
    }

    @Test mutating func `nobody who said nothing listens`() {
        #expect(listen(until: 30) == (0, 0))
    }

    @Test mutating func `the reports of a second are one entry of its frame`() {
        for level in [-60.0, -80, -70] {
            listener.heard(beacon, level: RSSI(dBm: level), at: at(0.2))
        }
        #expect(listener.frames(at: at(0.9), leave: leave) == [])
        let frames = listener.frames(at: at(1), leave: leave)
        #expect(frames.count == 1)
        #expect(frames[0].at == at(1) && frames[0].sequence == 1)
        #expect(
            frames[0].entries == [
                Frame.Entry(
                    beacon: beacon, median: RSSI(dBm: -70), count: 3, strongest: RSSI(dBm: -60),
                    cadence: .seconds(5))
            ])
        #expect(listener.frames(at: at(1.9), leave: leave) == [])
        #expect(listener.frames(at: at(2), leave: leave).map(\.entries) == [[]])
    }

    @Test mutating func `a node in an empty room listens by its telemetry`() {
        #expect(listen(until: 120, telemetry: 15).frames >= 100)
        // It dies, and is not believed to listen for longer than half of what ends a visit.
        let after = listen(until: 400, from: 120).frames
        #expect((6...45).contains(after), "\(after)")
    }

    @Test mutating func `listening ends at once when the will says so`() {
        _ = listen(until: 120, telemetry: 15)
        listener.lost()
        #expect(listen(until: 200, from: 120) == (0, 0))
        listener.spoke(at: at(200))
        #expect(listener.frames(at: at(203), leave: leave).map(\.at) == [201, 202, 203].map(at))
        #expect(listener.boot == UInt64(at(200).milliseconds))
    }

    @Test(arguments: [1, 2, 5, 12, 20]) mutating func `the interval of a beacon is learned`(
        every: Int
    ) {
        let (frames, heard) = listen(until: 300, reports: every)
        #expect(heard == (299 / every) + (299 % every == 0 ? 0 : 1))
        #expect(frames >= 290, "\(frames)")
        listener.heard(beacon, level: RSSI(dBm: -60), at: at(300.3))
        let last = listener.frames(at: at(301), leave: leave).last?.entries.first?.cadence
        #expect(abs((last?.seconds ?? 0) - Double(every)) < 1)
    }

    /// A gateway that scans for five seconds of each minute, and reports a beacon once then.
    @Test mutating func `a node too slow to tell absence covers only what it says`() {
        _ = listen(until: 900, reports: 60)
        let frames = listen(until: 1500, reports: 60, from: 900).frames
        #expect(frames <= 10 * 8, "\(frames)")
        #expect(listener.attention(leave: leave) == .seconds(6))
    }

    @Test mutating func `an hour's absence teaches nothing`() {
        _ = listen(until: 60, reports: 5)
        listener.heard(beacon, level: RSSI(dBm: -60), at: at(3660.3))
        let entry = listener.frames(at: at(3661), leave: leave).last?.entries.first
        #expect(abs((entry?.cadence?.seconds ?? 0) - 5) < 0.5)
    }

    @Test mutating func `a pause of the coordinator is not told afterwards`() {
        _ = listen(until: 60, reports: 1)
        listener.spoke(at: at(100))
        #expect(listener.frames(at: at(101), leave: leave).count <= 11)
    }
}
