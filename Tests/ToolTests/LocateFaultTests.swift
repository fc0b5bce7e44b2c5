import Foundation
import Testing

/// Faulty files are refused by name, or what is odd in them is counted and told.
struct LocateFaultTests {
    static let row = "1,r1,tag,-60,x\n"

    @Test(
        arguments: [
            ("", "readings.csv: empty, not even a heading"),
            ("t_seconds,receiver_id,rssi_dbm\n", "no column transmitter_id"),
            (heading + "1,r1,tag\n", "line 2: 3 fields, where the heading has 5"),
            (heading + row + "soon,r1,tag,-60,x\n", "line 3: t_seconds is no number: soon"),
            (heading + row + "\n\n1,r1,tag,loud,x\n", "line 5: rssi_dbm is no number: loud"),
            (heading + "1e12,r1,tag,-60,x\n", "line 2: t_seconds is out of range"),
            (heading + row + "99999999,r1,tag,-60,x\n", "line 3: t_seconds is more than a year"),
            (
                heading + "1,r7,tag,-60,x\n2,r8,tag,-60,x\n",
                "no receiver_id is one of the site's; the first is r7"
            ),
            (heading + "1,\"r1,tag,-60,x\n", "line 2: a quotation mark is left open"),
            (
                heading + "\"" + String(repeating: "x", count: 70_000),
                "line 2: longer than 65536 bytes"
            ),
        ] as [(String, String)])
    func `a fault in the readings is named`(text: String, words: String) throws {
        let fault = try LocateFolder.with { folder in
            LocateFolder.fault { _ = try folder.locate(text: text) }
        }
        #expect(fault?.code == 78)
        #expect(fault?.text.contains(words) == true, "\(fault?.text ?? "none")")
    }

    static let heading = LocateFolder.heading + "\n"

    @Test func `a file that breaks off is named with the last line`() throws {
        try LocateFolder.with { folder in
            let text = LocateFolder.text(LocateFolder.walk())
            let whole = CompressedFileTests.gzip(Array(text.utf8))
            let path = try folder.write("cut.gz", Array(whole[..<(whole.count / 2)]))
            let fault = LocateFolder.fault { _ = try folder.locate(path) }
            #expect(fault?.code == 78)
            #expect(fault?.text.contains("cut.gz") == true)
            #expect(fault?.text.contains("after line ") == true, "\(fault?.text ?? "")")
            let absent = LocateFolder.fault { _ = try folder.locate(folder.path + "/absent.csv") }
            #expect(absent?.code == 78 && absent?.text.contains("absent.csv") == true)
        }
    }

    @Test(
        arguments: [
            (heading, "no readings"),
            (
                heading + row + "2,r9,tag,-60,x\n3,r8,tag,-60,x\n",
                "2 readings of receivers the site does not have, the first of r9"
            ),
            (
                heading + row + "2,r1,tag,42,x\n2,r1,tag,-121,x\n",
                "2 levels no radio reports (above +20 or below -120 dBm), the first on line 3"
            ),
            (
                heading + row + "nan,r1,tag,-60,x\n2,r1,tag,-inf,x\n2,r1,tag,,x\n",
                "3 readings without a finite time and level, the first on line 3"
            ),
            (
                heading + row + "30,r1,tag,-60,x\n19.9,r1,tag,-60,x\n20,r1,tag,-60,x\n",
                "time runs backwards by more than 10 s, first on line 4: 1 readings"
            ),
        ] as [(String, String)])
    func `what is odd is left out, counted and told`(text: String, words: String) throws {
        let (output, told) = try LocateFolder.with { try $0.locate(text: text) }
        #expect(told.contains { $0.hasPrefix("warning: ") && $0.contains(words) }, "\(told)")
        #expect(text == Self.heading || output.contains("\n1,tag,barn,"))
        if text == Self.heading {
            #expect(output == "t_seconds,transmitter_id,zone,confidence\n")
        }
    }

    @Test(
        arguments: [
            ("{", "no JSON"),
            ("{\"zones\": []}", "receivers: there must be at least one"),
            ("{\"receivers\": []}", "receivers: there must be at least one"),
            ("{\"receivers\": [{\"zone\": \"a\"}]}", "receivers[0].id: missing"),
            (
                "{\"receivers\": [{\"id\": \"a\"}, {\"id\": \"a\"}]}",
                "receivers[1].id: a is there twice"
            ),
            ("{\"receivers\": [{\"id\": \"a\", \"x\": \"1\", \"y\": 1}]}", "receivers[0].x: "),
            ("{\"receivers\": [{\"id\": \"a\", \"x\": 1e9, \"y\": 1}]}", "receivers[0]: x and y"),
            (
                "{\"receivers\": [{\"id\": \"a\"}], \"zones\": [{\"id\": \"b\", \"rect\": [1]}]}",
                "zones[0].rect: 1 numbers instead of 4"
            ),
            (
                "{\"receivers\": [{\"id\": \"a\"}], \"zones\": [{\"id\": \"b\"}, {\"id\": \"b\"}]}",
                "zones[1].id: b is there twice"
            ),
        ] as [(String, String)])
    func `a fault in the site is named by key`(text: String, words: String) throws {
        let fault = try LocateFolder.with { folder in
            try folder.write("dataset.json", text)
            return LocateFolder.fault { _ = try folder.locate("/dev/null") }
        }
        #expect(fault?.code == 78)
        #expect(fault?.text.contains("dataset.json: \(words)") == true, "\(fault?.text ?? "none")")
    }

    @Test func `wrong arguments are named with what is right`() throws {
        try LocateFolder.with { folder in
            let faults = [
                LocateFolder.fault { _ = try folder.locate("x", drop: ["r1", "r4"]) },
                LocateFolder.fault { _ = try folder.locate("x", dead: ["r4"]) },
                LocateFolder.fault { _ = try folder.locate("x", method: "guess") },
                LocateFolder.fault { _ = try folder.locate("x", thin: 0) },
                LocateFolder.fault { _ = try folder.locate("x", thin: .nan) },
            ]
            let words = [
                "--drop r4: not one of r1, r2, r3", "--dead r4: not one of r1, r2, r3",
                "--method guess: not one of auto, zone-level, spot, threshold, nearest",
                "--thin 0.0: not a rate above 0", "--thin nan",
            ]
            for (fault, words) in zip(faults, words) {
                #expect(fault?.code == 2)
                #expect(fault?.text.hasPrefix(words) == true, "\(fault?.text ?? "none")")
            }
        }
    }

    @Test func `a site that can tell little says so`() throws {
        try LocateFolder.with { folder in
            let path = try folder.write("readings.csv", Self.heading + Self.row)
            let told = try folder.locate(path).told
            #expect(told.contains { $0.contains("receiver r3 is left out: of no known zone") })
            #expect(
                told.contains {
                    $0.contains(
                        "zone shed has no receiver and was not calibrated: it is never said")
                })
            try folder.write(
                "dataset.json",
                """
                {"receivers": [{"id": "r1", "zone": "barn", "x": 1, "y": 2},
                               {"id": 2, "zone": "dairy", "x": 1, "y": 2}],
                 "zones": [{"id": "dairy", "rect": [9, 9, 12, 12]}, "barn", {"id": "loft", "rect": [0, 0, 1, 1]}],
                 "adjacency": [["barn", "attic"], ["attic", "loft"]]}
                """)
            let more = try folder.locate(path).told
            #expect(
                more.contains {
                    $0.contains(
                        "zones barn and dairy cannot be told apart by these receivers (r1 and 2")
                })
            #expect(
                more.contains {
                    $0.contains("receiver 2 hangs 11 m off the floor of its zone dairy")
                })
            #expect(
                more.contains {
                    $0.contains(
                        "zone loft has no receiver and was not calibrated: it cannot be told apart from its neighbours but by coordinates"
                    )
                })
            #expect(more.count { $0.contains("adjacency: attic is no zone") } == 1)
            try folder.write(
                "dataset.json", "{\"receivers\": [{\"id\": \"r1\", \"zone\": \"barn\"}]}")
            let (output, alone) = try folder.locate(path)
            #expect(
                alone.contains { $0.contains("one receiver only") }
                    && output.contains("1,tag,barn,"))
        }
    }
}
