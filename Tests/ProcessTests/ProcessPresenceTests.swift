import Foundation
import TestSupport
import Testing

@testable import Wire

/// What a running site says of people, sampled twice a second: a real broker, coordinator and nodes.
@Suite(.ownThread) struct ProcessPresenceTests {
    private struct Description: Decodable {
        struct Broker: Decodable { var port: Int }
        var broker: Broker
        var database: String
    }
    private struct WhoLine: Decodable {
        var user: String
        var state: String?
        var room: String?
        var station: String?

        /// Whether that is what one of some messages says, by topic.
        func agrees(with messages: [String: [UInt8]]) -> Bool {
            messages.contains { topic, payload in
                guard topic.hasSuffix("/user/\(user)/presence"),
                    let presence = try? PresencePayload(json: payload.span)
                else { return false }
                return (presence.state.rawValue, presence.room, presence.station)
                    == (state, room, station)
            }
        }
    }

    @Test func `nothing a running site says of people contradicts itself`() throws {
        let demo = try Demonstration(.pipe, ["--port", "0", "--people", "40"])
        try demo.wait("ready", within: 120) { demo.isReady }
        let json = try Data(contentsOf: URL(fileURLWithPath: demo.directory + "/demo.json"))
        let description = try JSONDecoder().decode(Description.self, from: json)
        let watcher = try Watcher(port: description.broker.port)
        let seconds = TestLength.isLong ? 120.0 : 15
        let end = ContinuousClock.now + .seconds(seconds)
        var (samples, present, moving, lines) = (0, 0, 0, 0)
        var faults: [String] = []
        var nextWho = ContinuousClock.now
        while ContinuousClock.now < end {
            // Takes in what it prints, so that its pipe does not fill.
            var isRead = false
            try demo.wait("a moment", within: 5) {
                defer { isRead = true }
                return isRead
            }
            let moment = ContinuousClock.now + .milliseconds(500)
            while ContinuousClock.now < moment { watcher.work(milliseconds: 50) }
            let roomOf = try stationRooms(watcher)
            for (topic, payload) in watcher.latest where topic.hasSuffix("/presence") {
                let presence = try PresencePayload(json: payload.span)
                samples += 1
                if presence.state == .present { present += 1 }
                if presence.state == .moving { moving += 1 }
                faults += contradictions(presence, roomOf).map { "\(topic): \($0): \(presence)" }
            }
            guard ContinuousClock.now >= nextWho else { continue }
            nextWho = ContinuousClock.now + .seconds(3)
            let (before, count) = (watcher.latest, watcher.messages.count)
            for line in try who(description.database) {
                lines += 1
                let told = {
                    ([before] + watcher.messages[count...].map { [$0.topic: $0.payload] })
                        .contains { line.agrees(with: $0) }
                }
                // What it was told by the coordinator may come over the broker a moment later.
                let patience = ContinuousClock.now + .seconds(5)
                while !told(), ContinuousClock.now < patience { watcher.work(milliseconds: 50) }
                if !told() { faults.append("who: \(line)") }
            }
        }
        print("\(samples) samples, \(present) present, \(moving) moving, \(lines) lines of who")
        print("\(faults.count) contradictions")
        #expect(faults == [])
        #expect(samples >= Int(seconds) * 40 && present > 0 && lines > 0)
        demo.kill(SIGTERM)
        try demo.wait("everything has ended", within: 10) { demo.isGone }
    }

    private func contradictions(
        _ presence: PresencePayload, _ roomOf: [String: String]
    ) -> [String] {
        var faults: [String] = []
        if let station = presence.station, roomOf[station] != presence.room {
            faults.append("a station outside its room")
        }
        if presence.station != nil, presence.state != .present { faults.append("a station") }
        switch presence.state {
        case .unknown, .notPresent: if presence.room != nil { faults.append("a room") }
        case .leaving: if presence.confidence > 0 { faults.append("a probability") }
        case .entering: break
        case .present: if presence.confidence < 0.5 { faults.append("unlikely") }
        case .moving: if presence.room == nil { faults.append("no room") }
        }
        return faults
    }

    /// From a station's slug to that of its room.
    private func stationRooms(_ watcher: Watcher) throws -> [String: String] {
        var rooms: [String: String] = [:]
        for (topic, payload) in watcher.latest {
            let parts = topic.split(separator: "/")
            guard parts.count == 6, parts[3] == "station", parts[5] == "info" else { continue }
            rooms[String(parts[4])] = try StationInfoPayload(json: payload.span).room
        }
        return rooms
    }

    private func who(_ database: String) throws -> [WhoLine] {
        let program = Process()
        let output = Pipe()
        program.executableURL = RunningProgram.path("beaconmesh")
        program.arguments = ["who", "--json", "--database", database]
        program.environment = ["PATH": "/usr/bin:/bin", "LLVM_PROFILE_FILE": "/dev/null"]
        program.standardOutput = output
        try program.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        return try JSONDecoder().decode([WhoLine].self, from: said)
    }
}
