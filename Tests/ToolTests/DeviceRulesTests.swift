import Basics
import Testing

@testable import Scanner
@testable import Platform

/// The rules that come with the program, and those of a file.
struct DeviceRulesTests {
    @Test func `every rule that comes with the program can be understood, and has its own name`()
        throws
    {
        let rules = try DeviceRules.starter()
        #expect(rules.count > 40)
        #expect(Set(rules.map(\.id)).count == rules.count)
        for rule in rules {
            #expect((0.1...0.95).contains(rule.confidence), "\(rule.id)")
            #expect(!rule.deviceClass.isEmpty)
        }
    }

    /// Advertising data, and the class that is right.
    static let devices: [([UInt8], String)] = [
        ([0x03, 0x03, 0x0D, 0x18], "heart-rate monitor"),
        ([0x03, 0x03, 0x26, 0x18], "fitness machine"),
        ([0x03, 0x19, 0xC1, 0x00], "watch"),
        ([0x03, 0x16, 0xD2, 0xFC], "sensor"),
        ([0x05, 0xFF, 0x4C, 0x00, 0x12, 0x19], "tracker"),
        ([0x03, 0x03, 0x6F, 0xFD], "phone"),
        ([0x04, 0x16, 0xFA, 0xFF, 0x0D], "drone"),
        (ScanAir.name("FS Ext Battery"), "licence-plate camera"),
    ]

    @Test(arguments: devices)
    func `known devices are told apart`(data: [UInt8], expected: String) throws {
        #expect(try ScanAir.heard(data).device?.deviceClass == expected)
    }

    @Test func `every rule that comes with the program finds its own, and not what is nearly so`()
        throws
    {
        #expect(
            try DeviceVectors.all.map(\.rule).sorted() == DeviceRules.starter().map(\.id).sorted())
        for (rule, hit, miss) in DeviceVectors.all {
            #expect(try ScanAir.heard(#require(Hex.bytes(hit))).device?.id == rule, "\(hit)")
            #expect(try ScanAir.heard(#require(Hex.bytes(miss))).device?.id != rule, "\(miss)")
        }
    }

    @Test func `what no rule knows has no class`() throws {
        #expect(try ScanAir.heard([2, 1, 6]).device == nil)
    }

    @Test(arguments: [
        "{", "[]", "{}", #"{"rules":[{"id":"a"}]}"#,
        #"{"rules":[{"id":"a","class":"b","confidence":1}]}"#,
        #"{"rules":[{"id":"a","class":"b","confidence":1,"service_uuid":"xyz"}]}"#,
        #"{"rules":[7]}"#,
    ])
    func `a file with a rule that says nothing is refused`(text: String) {
        let exit = #expect(throws: Exit.self) {
            _ = try DeviceRules.read(Array(text.utf8), named: "mine.json")
        }
        #expect(exit?.text.contains("mine.json") == true)
    }

    @Test func `a good file is read`() throws {
        let text = #"{"rules":[{"id":"a","class":"b","confidence":0.7,"name_prefix":"X"}]}"#
        #expect(try DeviceRules.read(Array(text.utf8), named: "mine.json").map(\.id) == ["a"])
    }
}
