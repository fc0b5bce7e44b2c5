import Foundation
import Testing

@testable import LocatingLab

/// Recordings are read as they are, disturbed alike each time, and located by every rule.
struct SmoothingTests {
    /// A place of two rooms: for a minute each somebody stands 20 dB nearer to one receiver.
    func withPlace(
        readings: String? = nil, _ body: (String) throws -> Void
    ) throws {
        let folder = NSTemporaryDirectory() + "beaconmesh-\(UUID().uuidString)"
        let place = folder + "/hut"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        let description = """
            {"name": "hut", "receivers": [{"id": "r1", "zone": "hall"}, {"id": "r2", "zone": "yard"}],
             "sequences": [{"id": "walk_1"}], "unknown": 1}
            """
        var rows = "t_seconds,receiver_id,transmitter_id,rssi_dbm,true_zone\n"
        for tenth in 0..<1200 {
            let (near, far) = tenth < 600 ? ("r1", "r2") : ("r2", "r1")
            rows += "\(Double(tenth) / 10),\(near),tag,\(-60 - tenth % 3),x\n"
            rows += "\(Double(tenth) / 10),\(far),tag,\(-80 - tenth % 3),x\n"
        }
        let truth = """
            t_start,t_end,transmitter_id,zone
            1,60,tag,hall
            60,120,tag,yard
            """
        for (name, text) in [
            ("dataset.json", description), ("walk_1.readings.csv.gz", readings ?? rows),
            ("walk_1.truth.csv", truth),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(place)/\(name)"))
        }
        try body(folder)
    }

    @Test func `every rule finds who stands still and notices the change`() throws {
        try withPlace { folder in
            let places = try RecordedPlace.all(in: folder)
            let place = try #require(places.first)
            let sequence = try #require(place.sequences.first)
            #expect(sequence.group == "hut/walk" && sequence.readings.count == 2400)
            for rule in NamedRule.all {
                let score = SmoothingRun.score(
                    rule, on: sequence, at: place, readings: sequence.readings)
                #expect(score.accuracy > 0.92, "\(rule.name)")
                #expect(score.flaps == 1, "\(rule.name)")
                #expect(score.latency <= 9, "\(rule.name)")
            }
        }
    }

    @Test(arguments: Disturbance.allCases)
    func `the same number disturbs alike`(disturbance: Disturbance) throws {
        try withPlace { folder in
            let place = try #require(try RecordedPlace.all(in: folder).first)
            let sequence = try #require(place.sequences.first)
            let levels = { (seed: UInt64) in
                disturbance.applied(to: sequence, seed: seed).map { [$0.level, Double($0.at)] }
            }
            #expect(levels(3) == levels(3))
            #expect((levels(3) == levels(4)) == (disturbance == .recorded))
        }
    }

    @Test func `thinning keeps the rate, spikes and fades their share`() throws {
        try withPlace { folder in
            let place = try #require(try RecordedPlace.all(in: folder).first)
            let sequence = try #require(place.sequences.first)
            let count = { (disturbance: Disturbance, isOdd: (Double) -> Bool) in
                disturbance.applied(to: sequence, seed: 5).count { isOdd($0.level) }
            }
            // Two receivers, 120 s.
            #expect((400...560).contains(count(.two) { _ in true }))
            #expect((80...160).contains(count(.half) { _ in true }))
            // Of the nearer receiver's 1,200, which are about −61 dBm.
            #expect((30...95).contains(count(.spikes) { $0 > -59 }))
            #expect((1000...1150).contains(count(.fades) { $0 > -63 }))
        }
    }

    @Test(arguments: ["0,r1,tag", "x,r1,tag,-60,x", "0,r1,tag,loud,x", "1e300,r1,tag,-60,x"])
    func `a row that makes no sense is refused with its line`(row: String) throws {
        let heading = "t_seconds,receiver_id,transmitter_id,rssi_dbm,true_zone"
        try withPlace(readings: "\(heading)\n\(row)\n") { folder in
            #expect {
                try RecordedPlace.all(in: folder)
            } throws: { error in
                "\(error)".contains("readings.csv.gz: line 2: ")
            }
        }
    }

    @Test func `the tables name every rule`() throws {
        try withPlace { folder in
            let places = try RecordedPlace.all(in: folder)
            var comparison = SmoothingComparison(rules: NamedRule.all)
            comparison.take(.recorded, places, seed: 1, bySequence: true)
            let table = comparison.table(of: .recorded)
            #expect(table.contains("hut/walk_1"))
            for rule in NamedRule.all {
                #expect(table.contains(rule.name) && comparison.summary.contains(rule.name))
            }
        }
    }

    @Test(
        arguments: [
            (Summary.median, 2.5), (.mean, 4), (.maximum, 10), (.trimmedMean, 2.5),
        ] as [(Summary, Double)])
    func `a summary of four levels`(summary: Summary, value: Double) {
        #expect(summary.value(of: [10, 3, 1, 2]) == value)
        #expect(summary.value(of: [7]) == 7)
    }
}
