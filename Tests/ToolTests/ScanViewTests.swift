import Foundation
import Testing

@testable import Basics
@testable import Scanner
@testable import SiteModel

/// What a scan shows of what is heard.
struct ScanViewTests {
    /// What was written.
    final class Paper {
        var text = ""
        var lines: [Substring] { text.split(separator: "\n") }
    }

    let paper = Paper()
    let start = Timestamp(milliseconds: 1_789_302_400_000)

    func view(_ form: ScanView.Form, filter: String = "", screen: ScanView.Screen = .last)
        -> ScanView
    {
        ScanView(
            form: form, screen: screen, filter: filter, title: "test", clock: .utc
        ) { [paper] bytes in
            paper.text += String(decoding: bytes, as: UTF8.self)
        }
    }

    func object(_ line: Substring) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func `each second has a line of JSON for each transmitter heard in the last minute`()
        throws
    {
        var view = view(.rows)
        for second in 0..<3 {
            let now = start + .seconds(Double(second))
            try view.heard(try ScanAir.heard(ScanAir.iBeacon(minor: 1), level: -60), at: now)
        }
        #expect(paper.lines.count == 2)
        let row = try object(try #require(paper.lines.last))
        #expect(row["id"] as? String == ScanAir.identity(minor: 1))
        #expect(row["formats"] as? [String] == ["ibeacon"])
        #expect(row["class"] as? String == "beacon")
        #expect(row["rssi"] as? Double == -60)
        #expect((row["levels"] as? [Any])?.count == 30)
        // Through a silent day only for a minute more, and not second by second.
        try view.tick(at: start + .seconds(86_400))
        #expect(paper.lines.count <= 2 + 61)
        try view.finish(at: start + .seconds(86_400))
        #expect(try object(try #require(paper.lines.last))["age_s"] as? Double == 86_398)
    }

    @Test func `a hostile name reaches neither table nor JSON as it is`() throws {
        let name = "\u{1B}[31m\u{202E}x\"\\"
        for form in [ScanView.Form.table, .rows, .stream, .objects] {
            paper.text = ""
            var view = view(form)
            try view.heard(try ScanAir.heard(ScanAir.name(name)), at: start)
            try view.finish(at: start + .seconds(1))
            #expect(!paper.text.isEmpty)
            for scalar in paper.text.unicodeScalars where scalar != "\n" {
                #expect(HarmlessText.isHarmless(scalar), "\(form) \(scalar.value)")
            }
            guard form == .rows || form == .objects else { continue }
            #expect(try object(try #require(paper.lines.last))["name"] as? String == name)
        }
    }

    @Test func `each advertisement has its line, with its bytes`() throws {
        var view = view(.stream)
        try view.heard(try ScanAir.heard(ScanAir.iBeacon(minor: 9), level: -71), at: start)
        // The zone once, then a line each.
        #expect(paper.lines.count == 2 && paper.lines.first == "Times: UTC")
        let line = try #require(paper.lines.last)
        for part in [
            "-71 dBm", "c1:02:03:04:05:06 (random-static)", "ADV_IND", "iBeacon",
            ScanAir.identity(minor: 9), "1aff4c000215",
        ] {
            #expect(line.contains(part), "\(part)")
        }
        paper.text = ""
        var objects = self.view(.objects)
        try objects.heard(
            try ScanAir.heard([2, 1, 6], from: 0x4102_0304_0506, level: 127), at: start, leftOut: 4)
        let object = try object(try #require(paper.lines.first))
        #expect(object["rssi"] is NSNull)
        #expect(object["addr_type"] as? String == "rpa")
        #expect(object["data"] as? String == "020106")
        #expect(object["left_out"] as? Int == 4)
    }

    @Test(arguments: ["TAG", "ib-1011", "c1:02", "ibeacon", "BEACON", "random-static"])
    func `a filter keeps what has it in any of its words`(filter: String) throws {
        var view = view(.table, filter: filter)
        try view.heard(
            try ScanAir.heard(ScanAir.iBeacon(minor: 1), from: 0xC102_0304_0506), at: start)
        try view.heard(try ScanAir.heard(ScanAir.name("My tag"), type: 4), at: start)
        try view.heard(try ScanAir.heard([2, 1, 6], from: 0x4102_0304_0506), at: start)
        try view.finish(at: start)
        #expect(paper.lines.count == 3)
        #expect(paper.text.contains("My tag"))
        #expect(!paper.text.contains("41:02"))
    }

    @Test func `elsewhere than on a terminal the table comes every ten seconds`() throws {
        var view = view(.table, screen: .repeated)
        let heard = try ScanAir.heard(ScanAir.iBeacon(minor: 1))
        for tenth in 0...250 { try view.heard(heard, at: start + .seconds(Double(tenth) / 10)) }
        #expect(paper.lines.count { $0.hasPrefix("dBm") } == 2)
        try view.finish(at: start + .seconds(25.1))
        #expect(paper.lines.count { $0.hasPrefix("dBm") } == 3)
    }

    @Test func `nothing heard is said`() throws {
        var view = view(.table)
        try view.finish(at: start)
        #expect(paper.text.contains("nothing heard"))
    }

    @Test(arguments: [20, 40, 60, 80, 100, 132, 200])
    func `no line is wider than the terminal, whatever the names`(width: Int) throws {
        var table = ScanTable()
        let names = [
            "跑步机跑步机跑步", "\u{1B}[2J\u{1B}[2J\u{1B}[2J", "ordinary", "a\u{301}\u{301}\u{301}",
        ]
        for (index, name) in names.enumerated() {
            let address = 0xC100_0000_0000 | UInt64(index)
            table.heard(
                try ScanAir.heard(ScanAir.iBeacon(minor: UInt8(index)), from: address), at: start)
            table.heard(try ScanAir.heard(ScanAir.name(name), from: address, type: 4), at: start)
        }
        let lines = ScanScreen(width: width).lines(table.rows(), at: start + .seconds(3_700))
        #expect(lines.count == 5)
        // The terminal's own part of the view cuts what the narrowest columns exceed.
        for line in lines where width >= 60 {
            #expect(TerminalText.columns(line) <= width, "\(line)")
        }
        #expect(lines.dropFirst().allSatisfy { $0.contains("1 h") })
    }

    @Test func `a sparkline rises with the level and shows silence`() {
        #expect(Sparkline.text([-120, -100, -70, -40, 20, nil]) == "▁▁▅██·")
    }
}
