import Testing

@testable import SiteEngine
@testable import SiteModel

/// Tags that send every 5 to 30 s are at rooms and stations like others, only later.
struct SlowTagTests {
    var run = SiteRun()
    private let ann = MeshSite.users[0]
    private let bench: Int64 = 2
    private let yard: Int64 = 4

    /// All nodes listen for some seconds; one of them receives user 1 in some of these.
    private mutating func listen(
        _ seconds: ClosedRange<Int>, at node: Int64, _ isReceived: (Int) -> Bool
    ) {
        for second in seconds {
            run.second(
                Double(second), isReceived(second) ? [node: [(beacon: 1, level: -50)]] : [:])
        }
    }

    private func stays(inRooms isRoom: Bool) -> [Stay] {
        var rows = MeshRows()
        rows.apply(run.decisions.facts)
        #expect(rows.faults == [])
        return rows.stays(of: ann, inRooms: isRoom)
    }

    @Test(arguments: [5, 8, 10, 15, 20, 30])
    mutating func `three packets are a room and a station, and no more is told`(interval: Int) {
        listen(1...(4 * interval), at: bench) { $0 % interval == 0 }
        let (rooms, stations) = (stays(inRooms: true), stays(inRooms: false))
        #expect(rooms.map(\.place) == [.room(MeshSite.hall)])
        #expect(stations.map(\.place) == [.station(MeshSite.bench)])
        #expect(rooms.allSatisfy { $0.from <= moment(Double(2 * interval)) })
        for second in (4 * interval + 1)...(4 * interval + 300) {
            listen(second...second, at: bench) { $0 % interval == 0 }
            let presence = run.mesh.live.presences[0]
            #expect(
                presence.state == .present && presence.station == MeshSite.bench,
                "second \(second): \(presence)")
        }
        #expect(stays(inRooms: true) == rooms && stays(inRooms: false) == stations)
    }

    /// A third of the packets is lost, never more than two in a row.
    @Test(arguments: [5, 8, 10, 20, 30], UInt64(1)...10)
    mutating func `lost packets end no stay`(interval: Int, seed: UInt64) {
        var dice = Dice(seed: seed)
        var lost = 0
        var received: Set<Int> = []
        for packet in 1...40 {
            let isLost = lost < 2 && Double.random(in: 0..<1, using: &dice) < 0.33
            lost = isLost ? lost + 1 : 0
            if !isLost { received.insert(packet * interval) }
        }
        listen(1...(40 * interval), at: bench) { received.contains($0) }
        #expect(stays(inRooms: true).map(\.to) == [nil], "seed \(seed)")
        #expect(stays(inRooms: false).map(\.to) == [nil], "seed \(seed)")
    }

    @Test(arguments: [10, 20]) mutating func `a restart ends no stay`(interval: Int) {
        listen(1...(5 * interval), at: bench) { $0 % interval == 0 }
        let before = (stays(inRooms: true), stays(inRooms: false))
        let facts = run.decisions.facts
        run = SiteRun(saved: run.mesh.saved)
        listen((5 * interval + 1)...(12 * interval), at: bench) { $0 % interval == 0 }
        #expect(run.decisions.facts.stays == [] && !facts.isEmpty)
        #expect(before.0.count == 1 && before.1.count == 1)
    }

    @Test mutating func `who goes elsewhere has moved after two packets there`() {
        listen(1...100, at: bench) { $0 % 10 == 0 }
        listen(101...160, at: yard) { $0 % 10 == 0 }
        let rooms = stays(inRooms: true)
        #expect(rooms.map(\.place) == [.room(MeshSite.hall), .room(MeshSite.yard)])
        // The first packet there may not be enough for the locator.
        #expect(rooms.first?.to.map { $0 <= moment(110) } ?? false)
        #expect(rooms.last?.to == nil)
        #expect(rooms.last.map { $0.from <= moment(130) } ?? false)
    }

    @Test mutating func `one packet in passing is no visit to a room`() {
        listen(1...100, at: bench) { $0 % 10 == 0 }
        listen(101...400, at: yard) { $0 == 300 }
        let rooms = stays(inRooms: true)
        #expect(rooms.map(\.place) == [.room(MeshSite.hall)])
        #expect(rooms.first?.to == moment(100))
    }

    @Test mutating func `a workout at a station goes on between packets`() {
        listen(1...400, at: bench) { $0 % 15 == 0 }
        let watch = run.mesh.saved.presences.first { $0.user == ann }?.watch
        #expect(watch?.run?.since == moment(30))
        #expect(watch?.gaps == [15, 15, 15])
    }
}
