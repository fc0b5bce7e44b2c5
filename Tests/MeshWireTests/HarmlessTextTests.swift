import Testing

@testable import Basics

/// What others chose draws on nobody's terminal.
struct HarmlessTextTests {
    @Test(arguments: [
        "\u{1B}[2J", "a\u{7F}b", "\u{80}", "\u{9B}31m", "\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}",
        "\u{202A}", "\u{202E}evil", "\u{2066}x\u{2069}", "a\u{2028}b\u{2029}", "line\r\nfeed",
        "\u{FEFF}", "\u{E0041}",
    ])
    func `controls of a terminal and of the direction of writing are spelt out`(text: String) {
        let shown = HarmlessText.line(text)
        #expect(shown.unicodeScalars.allSatisfy { HarmlessText.isHarmless($0) })
        #expect(shown.contains("\\u{"))
    }

    @Test func `no control of any kind passes`() {
        let forbidden = [0...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069]
        for code in forbidden.joined() {
            guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
            #expect(!HarmlessText.isHarmless(scalar), "\(code)")
        }
    }

    /// What people are called, in scripts that need marks and joiners.
    static let names = [
        "Anna Bergström", "李小龙", "محمد", "Ольга", "e\u{301}tude", "“ok” — 5 °C",
    ]

    @Test func `names of people stay as they are`() {
        for name in Self.names { #expect(HarmlessText.line(name) == name) }
    }

    @Test func `words may have lines and tabs, and no other control`() {
        #expect(HarmlessText.fault(inWords: "forgot\n\tthe tag — 🏋️\n") == nil)
        for code in Array(0...0x1F) + Array(0x7F...0x9F) where code != 0x09 && code != 0x0A {
            guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
            #expect(HarmlessText.fault(inWords: "a\(scalar)b") != nil, "\(code)")
        }
    }

    @Test func `a name is one that people can read`() {
        for name in Self.names + ["می\u{200C}خواهم", "👩\u{200D}🚀", "\u{200F}abc", "U+202E", " a "] {
            #expect(HarmlessText.fault(inName: name) == nil)
        }
        for code in Array(0x202A...0x202E) + Array(0x2066...0x2069) + [0, 0x1B, 0x7F, 0x85] {
            guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
            let fault = HarmlessText.fault(inName: "a\(scalar)b")
            let number =
                "U+" + String(repeating: "0", count: code < 0x10 ? 3 : code < 0x100 ? 2 : 0)
            #expect(
                fault?.contains(number + String(code, radix: 16).uppercased()) == true, "\(code)")
        }
        for name in ["", " ", "\u{A0}", "\u{200B}", "\u{200B}\u{FEFF}", "\u{2800}", "\u{E0041}"] {
            #expect(HarmlessText.fault(inName: name) != nil, "\(name.quoted)")
        }
    }
}
