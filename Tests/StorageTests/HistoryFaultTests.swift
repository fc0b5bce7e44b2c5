import Testing

@testable import Basics
@testable import SiteModel
@testable import Workouts

/// A file that is no file of training history is refused with the place and the reason.
struct HistoryFaultTests {
    private func refusal(
        _ lines: [String], units: HistoryUnits = HistoryUnits(weight: .kilograms)
    ) -> HistoryFault? {
        refusal(Array(lines.joined(separator: "\n").utf8), units: units)
    }

    private func refusal(
        _ bytes: [UInt8], units: HistoryUnits = HistoryUnits(weight: .kilograms)
    ) -> HistoryFault? {
        do throws(HistoryFault) {
            _ = try HistoryText.read(bytes, units: units)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file that is too large is refused before it is read`() {
        let bytes = [UInt8](repeating: 0, count: HistoryFile.mostBytes + 1)
        #expect(refusal(bytes)?.code == .tooLarge)
    }

    @Test func `so is one with too many rows`() throws {
        let most = Array(String(repeating: "a\n", count: CSVRows.mostRows).utf8)
        var rows = CSVRows(most, separatedBy: CSVRows.comma)
        while try rows.next() != nil {}
        rows = CSVRows(most + [0x61], separatedBy: CSVRows.comma)
        do throws(HistoryFault) {
            while try rows.next() != nil {}
            Issue.record("all rows were read")
        } catch {
            #expect(error.code == .tooLarge)
            #expect(error.line == CSVRows.mostRows + 1)
        }
    }

    @Test func `a set too many in a workout is refused`() throws {
        let rows = [HistoryText.own] + (1...501).map { HistoryText.ownRow($0) }
        #expect(try HistoryText.read(Array(rows.dropLast())).workouts.first?.sets.count == 500)
        let fault = try #require(refusal(rows))
        #expect(fault.line == 502)
        #expect(fault.code == .schema)
    }

    @Test(
        arguments: [
            ("", "empty"), ("\n\n", "empty"), ("a,b,c\n1,2,3", "no known file"),
            (HistoryText.strong.replacing(",", with: "|"), "separated by “|”"),
            (HistoryText.strong.replacing(",", with: ":"), "no known file"),
            ("\(HistoryText.own),colour", "no such column"),
            (HistoryText.own.replacing(",rir", with: ""), "no column “rir”"),
            ("\(HistoryText.own),note", "more than once"),
            (HistoryText.hevy.replacing(",reps", with: ""), "no column “reps”"),
            (HistoryText.hevy.replacing(",weight_kg", with: ""), "no column “weight”"),
            (HistoryText.hevy.replacing("weight_kg", with: "weight_stone"), "unit is unknown"),
            ("\(HistoryText.hevy),weight_lbs", "is there too"),
            (String(repeating: ",", count: 100), "more than 64 cells"),
        ] as [(String, String)])
    func `the first line must be known`(text: String, reason: String) throws {
        let fault = try #require(refusal([text]))
        #expect(fault.code == .schema)
        #expect(fault.text.contains(reason), "\(fault)")
    }

    @Test(
        arguments: [
            ("a,\"b\nc", 2, "torn"), ("a,\"b\"c\n", 2, "closing quotation mark"),
            ("a,b\n", 2, "2 cells, and there are 14 headings"),
            ("\(HistoryText.hevyRow()),", 2, "15 cells"),
            (HistoryText.hevyRow(title: "a\u{0}b"), 2, "NUL"),
            (HistoryText.hevyRow(title: "\"a\u{1B}[2Jb\""), 2, "U+001B"),
            (HistoryText.hevyRow(title: "a\u{202E}b"), 2, "direction of writing"),
            ("\n\(HistoryText.hevyRow(",,,0,normal,80,5,,,"))", 3, "exercise_title"),
            (HistoryText.hevyRow("Squat,,,0,amrap,80,5,,,"), 2, "set_type"),
            (HistoryText.hevyRow(from: "28 Mar 2024, 19:29"), 2, "not before start_time"),
            (HistoryText.hevyRow(from: "28 Foo 2024, 17:29"), 2, "start_time"),
            (HistoryText.hevyRow(from: "28 Mar 1999, 17:29"), 2, "from 2000-01-01 to now"),
            (HistoryText.hevyRow(from: "28 Mar 2030, 17:29"), 2, "from 2000-01-01 to now"),
        ] as [(String, Int, String)])
    func `a row must be whole`(text: String, line: Int, reason: String) throws {
        let fault = try #require(refusal([HistoryText.hevy, text]))
        #expect(fault.line == line)
        #expect(fault.text.contains(reason), "\(fault)")
    }

    @Test(arguments: ["NaN", "1e308", "-5", "=1+1", "1001", "1,234", "inf", "80 kg"])
    func `a weight must be a number of kilograms`(weight: String) throws {
        let row = HistoryText.hevyRow("Squat,,,0,normal,\"\(weight)\",5,,,")
        let fault = try #require(refusal([HistoryText.hevy, row]))
        #expect(fault.line == 2)
        #expect(fault.column == "weight_kg")
        #expect(fault.reason.contains(weight))
    }

    @Test(arguments: [
        ("reps", "80,5.5,,,"), ("reps", "80,1001,,,"), ("distance_km", ",,1001,,"),
        ("duration_seconds", ",,,86401,"), ("rpe", "80,5,,,10.5"), ("rpe", "80,5,,,high"),
    ])
    func `so must the others`(column: String, members: String) throws {
        let row = HistoryText.hevyRow("Squat,,,0,normal,\(members)")
        #expect(refusal([HistoryText.hevy, row])?.column == column)
    }

    @Test func `weights and distances without a unit are refused, not those of nothing`() throws {
        let begin = "2024-03-05 18:00:00,A,1h,Squat,1,"
        let file = try HistoryText.read(
            [HistoryText.strong, begin + "0.0,5,0,0,,,"], units: HistoryUnits())
        #expect(file.workouts.first?.sets.first?.reps == 5)
        let weight = refusal([HistoryText.strong, begin + "80,5,0,0,,,"], units: HistoryUnits())
        #expect(weight?.column == "Weight")
        #expect(weight?.text.contains("say kg or lb") == true)
        let distance = refusal([HistoryText.strong, begin + "0,0,5,0,,,"])
        #expect(distance?.column == "Distance")
    }

    @Test(arguments: [
        ("Set Order", "2024-03-05 18:00:00,A,1h,Squat,X,80,5,0,0,,,"),
        ("Set Order", "2024-03-05 18:00:00,A,1h,Squat,,80,5,0,0,,,"),
        ("Date", "05/03/2024 18:00,A,1h,Squat,1,80,5,0,0,,,"),
        ("Duration", "2024-03-05 18:00:00,A,long,Squat,1,80,5,0,0,,,"),
        ("Duration", "2026-01-01 00:30:00,A,1h,Squat,1,80,5,0,0,,,"),
    ])
    func `Strong's rows must be its rows`(column: String, row: String) {
        #expect(refusal([HistoryText.strong, row])?.column == column)
    }

    @Test(
        arguments: [
            ("kind", "heavy,5,80,,,,,,"), ("weight_kg", "working,5,80.0005,,,,,,"),
            ("weight_kg", "working,5,\"80,500\",,,,,,"), ("weight_kg", "working,5,1000.001,,,,,,"),
            ("reps", "working,0,80,,,,,,"), ("reps", "working,5.0,80,,,,,,"),
            ("reps", "working,+5,80,,,,,,"), ("rir", "working,5,80,,,11,,,"),
            ("station", "working,5,80,,,,The Rack,,"), ("at_ms", "working,5,80,,,,,1709657999999,"),
            ("at_ms", "working,5,80,,,,,1709661900001,"),
            (nil, "working,5,80,60,,,,,"), (nil, "working,,80,,,,,,"),
            ("note", "working,5,80,,,,,,\(String(repeating: "x", count: 501))"),
        ] as [(String?, String)])
    func `our own rows must be exact`(column: String?, members: String) throws {
        let fault = try #require(refusal([HistoryText.own, HistoryText.ownRow(1, members)]))
        #expect(fault.line == 2)
        #expect(fault.column == column)
    }

    @Test(arguments: [
        ("started_ms", "1709658000000,1709661900000", "1709658000001,1709661900000"),
        ("ended_ms", "1709658000000,1709661900000", "1709658000000,1709661900001"),
        ("title", ",Legs,", ",Arms,"), ("exercise", ",squat,", ",Squat,"),
        ("ended_ms", "1709658000000,1709661900000", "1709658000000,1709657999999"),
        ("started_ms", "1709658000000,", "946681199999,"),
        ("ended_ms", ",1709661900000", ",1767225600001"),
        ("ended_ms", ",1709661900000", ","), ("workout", "7,1709658000000", ",1709658000000"),
        ("set", "00000000-0000-4000-8000-000000000002", "2"),
        ("set", "000000000002", "000000000001"),
    ])
    func `rows of one workout must agree`(column: String, old: String, new: String) throws {
        let rows = [HistoryText.own, HistoryText.ownRow(1), HistoryText.ownRow(2)]
        #expect(refusal(rows) == nil)
        let changed = [rows[0], rows[1], rows[2].replacing(old, with: new)]
        let fault = try #require(refusal(changed))
        #expect(fault.line == 3)
        #expect(fault.column == column, "\(fault)")
    }

    @Test func `bytes that are no UTF-8 are refused`() throws {
        let begin = Array((HistoryText.hevy + "\n").utf8)
        #expect(refusal(begin + [0xFF, 0xFE, 0x0A])?.line == 2)
        let wide = HistoryText.hevy.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(refusal([0xFF, 0xFE] + wide)?.code == .schema)
    }

    @Test func `a file that ends anywhere is read or refused`() throws {
        let rows = [
            HistoryText.hevy, HistoryText.hevyRow(), HistoryText.hevyRow(title: "\"a, b\""),
        ]
        let bytes = Array(rows.joined(separator: "\r\n").utf8)
        let whole = try HistoryText.read(bytes)
        for count in 0..<bytes.count {
            let part = Array(bytes.prefix(count))
            if refusal(part) == nil {
                let sets = try HistoryText.read(part).workouts.flatMap(\.sets).count
                #expect(sets <= whole.workouts.flatMap(\.sets).count, "\(count) bytes")
            }
        }
    }

    /// Whatever the bytes, nothing but a file or a refusal comes of them.
    @Test(arguments: UInt64(1)...200) func `damaged files are read or refused`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let texts = [
            [HistoryText.own, HistoryText.ownRow(1), HistoryText.ownRow(2)],
            [HistoryText.strong, "2024-03-05 18:00:00,A,1h 5m,Squat,W,80.5,5,0,0,\"a\"\"b\",,8"],
            [HistoryText.hevy, HistoryText.hevyRow(), HistoryText.hevyRow(title: "\"a\nb\"")],
        ]
        var bytes = Array(
            texts[Int.random(in: 0..<(3), using: &random)].joined(separator: "\n").utf8)
        let marks = Array("\",;\n\r\t-.0 9e=".utf8)
        for _ in 0...Int.random(in: 0..<(8), using: &random) {
            let place = Int.random(in: 0..<(bytes.count), using: &random)
            switch Int.random(in: 0..<(3), using: &random) {
            case 0: bytes[place] = UInt8(Int.random(in: 0..<(256), using: &random))
            case 1:
                bytes.insert(marks[Int.random(in: 0..<(marks.count), using: &random)], at: place)
            default: bytes.removeSubrange(place..<min(place + 5, bytes.count))
            }
        }
        if let fault = refusal(bytes) {
            #expect(!fault.text.isEmpty)
            #expect(fault.text.unicodeScalars.allSatisfy(HarmlessText.isHarmless), "\(seed)")
        }
    }
}
