import Foundation
import Testing

@testable import Basics
@testable import LocatingLab
@testable import SurveyFiles

/// What `mesh-lab locate` writes, to the letter, whatever the file looks like.
struct LocateTests {
    @Test func `a row for each transmitter and whole second from its first reading on`() throws {
        let rows = [
            "0.2,r1,b,-60,", "2.0,r1,a,-60,", "3.4,r1,c,-60,", "5.2,r1,a,-60,", "6.7,r2,b,-60,",
            "6.8,r2,late,-60,",
        ]
        let output = try LocateFolder.with {
            try $0.locate(text: LocateFolder.text(rows)).output
        }
        let lines = output.split(separator: "\n").map { $0.split(separator: ",") }
        #expect(output.hasPrefix("t_seconds,transmitter_id,zone,confidence\n"))
        #expect(output.hasSuffix("\n"))
        let keys = lines.dropFirst().map { "\($0[0])\($0[1])" }
        #expect(
            keys == [
                "1b", "2a", "2b", "3a", "3b", "4a", "4b", "4c", "5a", "5b", "5c", "6a", "6b", "6c",
            ])
        for line in lines.dropFirst() {
            #expect(line.count == 4 && line[2] == "barn", "\(line)")
            let confidence = try #require(Double(line[3]))
            #expect((0...1).contains(confidence) && confidence > 0.5)
        }
    }

    @Test func `silence ends in no zone and no confidence`() throws {
        let rows = ["0.5,r1,tag,-60,", "90.5,r2,other,-60,"]
        let output = try LocateFolder.with {
            try $0.locate(text: LocateFolder.text(rows)).output
        }
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.count == 91 && lines.last == "90,tag,,0")
        #expect(lines[1].hasPrefix("1,tag,barn,0."))
    }

    @Test func `only what was heard until then counts`() throws {
        try LocateFolder.with { folder in
            let rows = LocateFolder.walk()
            let whole = try folder.locate(text: LocateFolder.text(rows)).output
            let cut = rows.filter { Double($0.prefix { $0 != "," }) ?? 0 <= 80 }
            let part = try folder.locate(text: LocateFolder.text(cut)).output
            #expect(whole.hasPrefix(part) && part.count > 1000)
        }
    }

    @Test func `labels of the readings are never looked at`() throws {
        try LocateFolder.with { folder in
            let lesson = try folder.write("lesson.csv", LocateFolder.text(LocateFolder.walk()))
            var random = SeededRandom(seed: 4)
            let zones = ["barn", "dairy", "shed", "", "nowhere"]
            let outputs = try (0..<3).map { round in
                let rows = LocateFolder.walk { step in
                    round == 0 ? "barn" : zones[random.index(below: zones.count)]
                }
                let path = try folder.write("readings.csv", LocateFolder.text(rows))
                return try folder.locate(path, calibration: [lesson]).output
            }
            #expect(outputs[0] == outputs[1] && outputs[1] == outputs[2])
            let path = try folder.write(
                "readings.csv",
                "t_seconds,receiver_id,transmitter_id,rssi_dbm\n"
                    + LocateFolder.walk().map {
                        String($0.split(separator: ",").dropLast().joined(separator: ","))
                    }
                    .joined(separator: "\n"))
            #expect(try folder.locate(path, calibration: [lesson]).output == outputs[0])
        }
    }

    @Test func `however the table is written, it says the same`() throws {
        try LocateFolder.with { folder in
            let rows = LocateFolder.walk()
            let plain = LocateFolder.text(rows)
            let expected = try folder.locate(text: plain).output
            let zipped = try folder.write("zipped", plain, isCompressed: true)
            #expect(try folder.locate(zipped).output == expected)
            let fields = rows.map { $0.split(separator: ",").map(String.init) }
            let turned =
                "extra,rssi_dbm,true_zone,transmitter_id,\"receiver_id\", t_seconds \r\n"
                + fields.map {
                    "\"a,b\n\"\"c\"\"\",\($0[3]),\($0[4]),\"\($0[2])\",\($0[1]), \($0[0])"
                }
                .joined(separator: "\r\n") + "\r\n\r\n\n"
            #expect(try folder.locate(text: turned).output == expected)
            #expect(try folder.locate(text: "\u{FEFF}" + plain.dropLast()).output == expected)
            let apart = fields.filter { $0[2] == "Tag2" } + fields.filter { $0[2] == "tag" }
            let grouped = LocateFolder.text(apart.map { $0.joined(separator: ",") })
            #expect(try folder.locate(text: grouped).output == expected)
        }
    }

    @Test func `names that need it are quoted`() throws {
        let output = try LocateFolder.with {
            try $0.locate(text: LocateFolder.text(["1,r1,\"a, \"\"b\"\"\",-60,"])).output
        }
        #expect(output.contains("\n1,\"a, \"\"b\"\"\",barn,"))
    }

    @Test func `thinning keeps the rate of each link, alike each time`() throws {
        try LocateFolder.with { folder in
            let path = try folder.write("readings.csv", LocateFolder.text(LocateFolder.walk()))
            let site = try RecordedSite(path: "\(folder.path)/dataset.json")
            let whole = try RecordedReadings(path: path, at: site)
            var half = whole
            half.thin(to: 0.5, receivers: 3)
            let count = { (readings: RecordedReadings, who: Int32, receiver: Int32) in
                readings.readings.count { $0.transmitter == who && $0.receiver == receiver }
            }
            // 120 s at 0.5 a second; the other one sends once a second for a minute.
            #expect(whole.transmitters == ["Tag2", "tag"])
            #expect((40...80).contains(count(half, 1, 0)) && (40...80).contains(count(half, 1, 1)))
            #expect((15...45).contains(count(half, 0, 1)))
            var again = whole
            again.thin(to: 0.5, receivers: 3)
            #expect(again.readings.map(\.at) == half.readings.map(\.at))
            var all = whole
            all.thin(to: 50, receivers: 3)
            #expect(all.readings.count == whole.readings.count)
        }
    }

    @Test func `rows are for the same seconds when readings are taken away`() throws {
        try LocateFolder.with { folder in
            let path = try folder.write("readings.csv", LocateFolder.text(LocateFolder.walk()))
            let keys = { (output: String) in
                output.split(separator: "\n").map {
                    $0.split(separator: ",", omittingEmptySubsequences: false).prefix(2)
                        .joined(separator: ",")
                }
            }
            let whole = try folder.locate(path).output
            for output in [
                try folder.locate(path, thin: 0.2).output,
                try folder.locate(path, drop: ["r1", "r2"]).output,
                try folder.locate(path, dead: ["r1"]).output,
            ] {
                #expect(keys(output) == keys(whole) && output != whole)
            }
            #expect(
                try folder.locate(path, drop: ["r1", "r2"]).output.split(separator: "\n")
                    .dropFirst().allSatisfy { $0.hasSuffix(",,0") })
        }
    }

    @Test func `late rows are put where they belong`() throws {
        try LocateFolder.with { folder in
            var rows = LocateFolder.walk()
            let expected = try folder.locate(text: LocateFolder.text(rows)).output
            for index in stride(from: 0, to: rows.count - 30, by: 40) {
                rows.swapAt(index, index + 25)
            }
            let (output, told) = try folder.locate(text: LocateFolder.text(rows))
            #expect(output == expected && !told.contains { $0.contains("backwards") })
        }
    }
}
