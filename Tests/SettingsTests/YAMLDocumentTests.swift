import Testing

@testable import Settings

/// Files that are no configuration, by accident or on purpose.
struct YAMLDocumentTests {
    func fault(_ text: String) -> String? {
        do {
            let document = try YAMLDocument(text, named: "x.yaml", limit: 1 << 20)
            return document.faults.first?.description
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ("a: [1, 2\nb: 3\n", "x.yaml:2: not YAML: "), ("a: 1\n\tb: 2\n", "x.yaml:2: not YAML: "),
        ("a: \"unclosed\n\n", "x.yaml:3: not YAML: "), ("a: 1\nb: \u{1}\n", "x.yaml:2: not YAML: "),
        ("a: 1\n---\nb: 2\n", "x.yaml:2: not YAML: but found another document"),
        ("a: 1\nb: *nothing\n", "x.yaml:2: not YAML: found undefined alias"),
    ])
    func `a syntax error has its line`(text: String, beginning: String) {
        let fault = fault(text)
        #expect(fault?.hasPrefix(beginning) == true, "\(fault ?? "none")")
    }

    @Test(arguments: [
        "- 1", "just words", "3", "a: &x 1\nb: *x", "? [a]\n: 1", "a: !!binary aGk=",
        "a: !x {b: 1}",
        "<<: {a: 1}\n&k b: 1", "a: !!set {b}",
    ])
    func `what is more than data is refused`(text: String) {
        #expect(fault(text) != nil)
    }

    @Test(arguments: [
        "", "\n", "# nothing\n", "---\n", "~", "{}", "a:\n", "a: 'x * y'", "a: \"*b\"",
    ])
    func `little or nothing is an empty section`(text: String) {
        #expect(fault(text) == nil)
    }

    @Test func `an alias bomb goes off nowhere`() {
        var bomb = "a0: &a0 [x, x]\n"
        for level in 1...40 {
            bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n"
        }
        #expect(fault(bomb)?.contains("aliases") == true)
        // The same in a key, which a parser compares with other keys: that takes 2^40 steps.
        #expect(fault(bomb + "? [*a40]\n: 1\n? [*a40]\n: 2\n")?.contains("aliases") == true)
        var small = "a0: &a0 [x, x]\n"
        for level in 1...8 {
            small += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n"
        }
        #expect(fault(small)?.contains("aliases") == true)
    }

    @Test func `nesting is bounded`() {
        func nested(_ depth: Int) -> String {
            "a: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(fault(nested(YAMLDocument.deepest)) == nil)
        #expect(fault(nested(YAMLDocument.deepest + 1))?.contains("nested deeper") == true)
        #expect(fault(nested(900))?.contains("nested deeper") == true)
        #expect(fault(nested(200_000)) != nil)
        #expect(fault(String(repeating: "- ", count: 200_000)) != nil)
        #expect(fault((0..<900).map { String(repeating: " ", count: $0) + "a:\n" }.joined()) != nil)
    }

    @Test func `size is bounded`() {
        let line = "# 16 characters\n"
        let most = String(repeating: line, count: YAMLDocument.largest / line.utf8.count)
        #expect(fault(most) == nil)
        #expect(fault(most + "#")?.contains("larger than") == true)
        #expect(fault("a: " + String(repeating: "x", count: YAMLDocument.largest - 3)) == nil)
    }

    @Test func `many repeated keys end in one fault`() {
        let keys = (1...200).map { "key\($0): 1\nkey\($0): 2\n" }.joined()
        #expect(fault(keys)?.contains("given twice") == true)
    }

    /// Bytes changed at random may make it no YAML, but never more than a fault.
    @Test(arguments: UInt64(1)...20) func `no damage traps`(seed: UInt64) {
        let original = Array(
            """
            node: "a"
            broker: {host: 127.0.0.1, port: 1883, x: [1, 2, {y: 'z'}]}
            list:
              - id: |
                  text
                name: >-
                  more
              - &b ? *b
            ? key
            : !t value # comment
            %TAG ! tag:x,2000:
            --- ...

            """.utf8)
        let interesting = Array("{}[]:,-?&*!|>'\"%@#\n\t\u{7F} \\<\u{E000}é".utf8)
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var refused = 0
        for _ in 0..<200 {
            var bytes = original
            for _ in 0...next(6) {
                let place = next(bytes.count)
                switch next(3) {
                case 0: bytes[place] = interesting[next(interesting.count)]
                case 1: bytes.remove(at: place)
                default: bytes.insert(interesting[next(interesting.count)], at: place)
                }
            }
            if fault(String(decoding: bytes.prefix(next(bytes.count) + 1), as: UTF8.self)) != nil {
                refused += 1
            }
        }
        #expect(refused > 0)
    }
}
