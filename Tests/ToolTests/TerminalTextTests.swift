import Testing

@testable import Basics

/// Names from the air cannot do anything to a terminal.
struct TerminalTextTests {
    @Test(arguments: [
        ("\u{1B}[2J", "\\u{1B}[2J"), ("a\u{202E}b", "a\\u{202E}b"), ("a\nb\r", "a\\u{A}b\\u{D}"),
        ("\u{9B}31m", "\\u{9B}31m"), ("\u{2028}\u{7F}\u{0}", "\\u{2028}\\u{7F}\\u{0}"),
        ("\u{200D}\u{FEFF}\u{E000}", "\\u{200D}\\u{FEFF}\\u{E000}"),
        ("Ada’s Tag é 跑", "Ada’s Tag é 跑"),
    ])
    func `what controls or hides is escaped, the rest is left`(text: String, shown: String) {
        #expect(TerminalText.harmless(text) == shown)
    }

    @Test func `marks do not pile up`() {
        let pile = "a" + String(repeating: "\u{301}", count: 50) + "b"
        #expect(TerminalText.harmless(pile).unicodeScalars.count == 4)
    }

    @Test func `columns are those of a terminal`() {
        #expect(TerminalText.columns("abc") == 3)
        #expect(TerminalText.columns("e\u{301}") == 1)
        #expect(TerminalText.columns("跑步") == 4)
        #expect(TerminalText.columns("🏋") == 2)
        #expect(TerminalText.columns("▁▇·…–") == 5)
    }

    @Test func `a text is fitted to its columns, whatever its letters`() {
        for text in [
            "", "short", "a longer text than that", "跑步机跑步机跑步机", "e\u{301}e\u{301}e\u{301}",
        ] {
            for width in 0...12 {
                #expect(TerminalText.columns(TerminalText.fitted(text, to: width)) == width)
                #expect(TerminalText.columns(TerminalText.shortened(text, to: width)) <= width)
            }
        }
        #expect(
            TerminalText.shortened(ScanAir.identity(minor: 12), to: 20) == "ib-1011121…1e1f-7-12")
    }
}
