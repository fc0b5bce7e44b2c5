import Foundation
import Testing

@testable import LocatingLab
@testable import Scenarios
@testable import Simulation
@testable import Platform
@testable import SurveyFiles

/// What `mesh-lab simulate` writes is what `mesh-lab locate` reads.
struct SimulatedFolderTests {
    private let plan = FloorPlan.flat
    private let conditions = Conditions()

    private func withFolder(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "beaconmesh-\(UUID().uuidString)"
        defer { _ = try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func write(to path: String, seed: UInt64 = 3) throws -> SimulatedRecording {
        let walk = SimulatedRecording(plan, conditions, people: 2, seconds: 240, seed: seed)
        let stand = SimulatedRecording(standing: plan, conditions, seconds: 60, seed: seed)
        try SimulatedFolder(plan, at: path).write(walk, standing: stand, seconds: 60, rate: 1)
        return walk
    }

    @Test func `a folder reads as what was simulated`() throws {
        try withFolder { path in
            let walk = try write(to: path)
            let site = try RecordedSite(path: path + "/dataset.json")
            #expect(site.name == "flat")
            #expect(site.receivers.map(\.id) == plan.receivers.map(\.id))
            #expect(site.receivers.map(\.zone) == plan.receivers.map(\.zone))
            #expect(site.zones.map(\.id) == plan.zones.map(\.id))
            #expect(site.zones.allSatisfy { $0.area != nil })
            #expect(site.sequences.map(\.id) == ["walk"])
            let readings = try RecordedReadings(path: path + "/walk.readings.csv.gz", at: site)
            #expect(readings.warnings == [])
            #expect(readings.transmitters == ["tag1", "tag2"])
            #expect(readings.readings.map(\.at) == walk.readings.map { Double($0.at) / 1000 })
            #expect(readings.readings.map(\.level) == walk.readings.map(\.level))
            #expect(readings.readings.map { Int($0.receiver) } == walk.readings.map(\.receiver))
            #expect(
                readings.readings.map { Int($0.transmitter) } == walk.readings.map(\.transmitter))
        }
    }

    @Test func `its truth is the simulated one`() throws {
        try withFolder { path in
            let walk = try write(to: path)
            let truth = try String(contentsOfFile: path + "/walk.truth.csv", encoding: .utf8)
                .split(separator: "\n")
            #expect(truth.first == "t_start,t_end,transmitter_id,zone")
            let first = try #require(walk.visits.first?.first)
            let fields = try #require(truth.dropFirst().first).split(separator: ",")
            #expect(fields.count == 4)
            #expect(Double(fields[0]).map { abs($0 - first.start) < 0.001 } == true)
            #expect(Double(fields[1]).map { abs($0 - first.end) < 0.001 } == true)
            #expect(fields[2] == "tag1" && String(fields[3]) == plan.zones[first.zone].id)
            #expect(truth.count == 1 + walk.visits.map(\.count).reduce(0, +))
        }
    }

    @Test func `its fingerprints teach a minute a spot`() throws {
        try withFolder { path in
            _ = try write(to: path)
            var site = try RecordedSite(path: path + "/dataset.json")
            var reader = SurveyReader(site: site)
            try reader.read(path + "/" + SimulatedFolder.fingerprints, at: &site)
            #expect(reader.warnings == [])
            let survey = reader.survey()
            let spots = plan.zones.enumerated().flatMap { zone, place in
                place.spots.map { _ in RecordedSite.place(of: zone) }
            }
            #expect(survey.stretches.map { $0.first?.place } == spots)
            #expect(survey.stretches.allSatisfy { (55...61).contains($0.count) })
            #expect(survey.ears.count == plan.receivers.count)
        }
    }

    @Test func `the same options write the same bytes`() throws {
        func bytes(seed: UInt64) throws -> [Data] {
            var all: [Data] = []
            try withFolder { path in
                _ = try write(to: path, seed: seed)
                for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
                    all.append(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
                }
            }
            return all
        }
        let first = try bytes(seed: 3)
        #expect(first.count == 5)
        #expect(try bytes(seed: 3) == first)
        #expect(try bytes(seed: 4) != first)
    }

    @Test func `locate runs over a folder`() throws {
        try withFolder { path in
            let walk = try write(to: path)
            var text: [UInt8] = []
            try LocateRequest(
                site: path + "/dataset.json", readings: path + "/walk.readings.csv.gz",
                calibration: [path + "/" + SimulatedFolder.fingerprints]
            ).run(tell: { Issue.record("\($0)") }, write: { text += $0 })
            let rows = String(decoding: text, as: UTF8.self).split(separator: "\n")
            #expect(rows.count > 2 * Int(walk.seconds) - 20)
        }
    }

    @Test func `a folder that cannot be made is refused`() {
        #expect(throws: Exit.self) { try SimulatedFolder(plan, at: "/dev/null/folder") }
    }
}
