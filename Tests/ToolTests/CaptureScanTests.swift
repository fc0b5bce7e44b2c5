import Foundation
import Testing

@testable import Radio
@testable import Scanner
@testable import SiteModel
@testable import Platform

/// A recording is shown like the radio itself.
struct CaptureScanTests {
    let start = Timestamp(milliseconds: 1_789_302_400_000)

    /// Twenty seconds of a beacon, and a name.
    var recording: [UInt8] {
        var bytes = BTSnoopWriter.header
        for second in 0..<20 {
            let packet = ScanAir.event(
                ScanAir.iBeacon(minor: 5), from: 0xC102_0304_0506, level: Int8(-80 + second))
            bytes += BTSnoopWriter.record(of: packet, at: start + .seconds(Double(second)))
        }
        let name = ScanAir.event(
            ScanAir.name("Recorded"), from: 0xC102_0304_0506, type: 4, level: -60)
        return bytes + BTSnoopWriter.record(of: name, at: start + .seconds(20))
    }

    /// What is shown of a file of these bytes, and how it ended.
    func shown(
        _ bytes: [UInt8], form: ScanView.Form = .table, speed: Double? = nil,
        seconds: Double? = nil
    ) throws -> (text: String, exit: Exit?) {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "scan-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let paper = ScanViewTests.Paper()
        var view = ScanView(form: form, screen: .last, title: "recording") { bytes in
            paper.text += String(decoding: bytes, as: UTF8.self)
        }
        var decoder = ScanDecoder(rules: try DeviceRules.starter())
        do {
            try CaptureScan(path: file.path, speed: speed, seconds: seconds)
                .run(&view, decoder: &decoder)
        } catch let exit as Exit {
            return (paper.text, exit)
        }
        return (paper.text, nil)
    }

    @Test func `it ends with the table of all that was heard`() throws {
        for bytes in [recording, CompressedFileTests.gzip(recording)] {
            let (text, exit) = try shown(bytes)
            #expect(exit == nil)
            #expect(text.contains("1 transmitters · 21 advertisements"))
            #expect(text.contains("Recorded"))
            #expect(text.contains(ScanAir.identity(minor: 5)))
        }
    }

    @Test func `its seconds are its own`() throws {
        let (all, _) = try shown(recording, form: .rows)
        #expect(all.split(separator: "\n").count == 21)
        let (some, exit) = try shown(recording, form: .rows, seconds: 5)
        #expect(exit == nil)
        #expect(some.split(separator: "\n").count == 5)
    }

    @Test func `fast is fast, and the same is shown`() throws {
        let (fast, _) = try shown(recording, form: .objects, speed: 10_000)
        let (most, _) = try shown(recording, form: .objects)
        #expect(fast == most)
        #expect(fast.split(separator: "\n").count == 21)
    }

    @Test func `one that ends too early is shown as far as it goes`() throws {
        let (text, exit) = try shown(recording.dropLast(3))
        #expect(text.contains("1 transmitters · 20 advertisements"))
        #expect(exit?.code == 65)
        #expect(exit?.text.contains("cut off") == true)
        #expect(exit?.text.contains("after 20 packets") == true)
    }

    @Test func `one whose clock runs backwards, or leaps, is shown, too`() throws {
        var bytes = BTSnoopWriter.header
        for moment in [0, 86_400_000, -86_400_000, 5_000_000_000_000, 3] as [Int64] {
            let packet = ScanAir.event([2, 1, 6], from: 0xC102_0304_0506, level: -60)
            bytes += BTSnoopWriter.record(of: packet, at: start + .milliseconds(moment))
        }
        let (text, exit) = try shown(bytes, form: .rows)
        #expect(exit == nil)
        #expect(text.split(separator: "\n").last?.contains("\"count\":5") == true)
    }

    @Test func `what is no recording is said to be none`() throws {
        let (_, exit) = try shown(Array("dear diary".utf8))
        #expect(exit?.text.contains("neither btsnoop nor pcap") == true)
    }
}
