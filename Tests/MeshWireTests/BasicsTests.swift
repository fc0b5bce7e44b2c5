import Testing

@testable import Basics

/// What every room takes from `Basics`.
struct BasicsTests {
    @Test func `binary search finds the first that is past`() {
        for count in 0...20 {
            let numbers = (0..<count).map { 2 * $0 }
            for wanted in -1...41 {
                let slow = numbers.firstIndex { $0 >= wanted } ?? count
                #expect(numbers.partitioningIndex { $0 >= wanted } == slow)
                #expect(numbers[...].partitioningIndex { $0 >= wanted } == slow)
            }
        }
        #expect((5..<9).partitioningIndex { $0 > 6 } == 7)
        #expect((5..<9).partitioningIndex { _ in false } == 9)
    }

    /// The reference numbers of the authors' generator for this seed.
    @Test func `SplitMix64 gives its published numbers`() {
        var numbers = SplitMix64(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in numbers.next() }
                == [
                    6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                ])
    }

    @Test func `hexadecimal digits are read whole or not at all`() {
        for text in ["", "+1", "-1", "0x1", "g", " 1", "12345678901234567", "1\u{FF11}"] {
            #expect(Hex.number(text.utf8) == nil, "\(text)")
        }
        #expect(Hex.number("fFfFfFfFfFfFfFfF".utf8) == .max)
        #expect(Hex.number("0".utf8) == 0)
        #expect(Hex.bytes(anyCase: "00fFa1".utf8) == [0, 0xFF, 0xA1])
        #expect(Hex.bytes("00fF") == nil)
        #expect(Hex.text([0, 0xFF, 0x1A]) == "00ff1a")
        #expect(Hex.text(0x1A) == "1a")
        #expect(Hex.text(address: 0x001B_DC00_00A1) == "00:1b:dc:00:00:a1")
    }

    @Test func `a string of JSON is escaped as little as it may be`() {
        #expect(
            JSONEscape.string("a\"\\/\n\r\t\u{1}\u{1F}\u{7F}é😀")
                == #""a\"\\/\n\r\t\u0001\u001f"# + "\u{7F}é😀\"")
    }

    @Test func `a string of JSON for a terminal hides nothing`() {
        var bytes: [UInt8] = []
        JSONEscape.append(harmless: "a\u{9B}\u{202E}\u{E0041}\"é\n", to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == #"a\u009b\u202e\udb40\udc41\"é\n"#)
    }

    @Test func `a table leaves out what controls a terminal`() {
        var table = TextTable(["id", "name"])
        table.add([
            "1", "a\u{9B}31m\u{202E}b\u{E000}\r\nc" + String(repeating: "\u{301}", count: 9),
        ])
        #expect(table.text == "id  name\n1   a31mbc\u{301}\u{301}")
    }

    @Test func `a quoted text shows everything that it holds`() {
        #expect("a\u{9B}\\u{9B}\u{E000}\u{0378}".quoted == #"“a\u{9B}\\u{9B}\u{E000}\u{378}”"#)
    }
}
