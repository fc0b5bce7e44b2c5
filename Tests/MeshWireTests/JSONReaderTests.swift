import JSON
import Testing

@testable import Wire

/// RFC 8259, nothing less and nothing more.
struct JSONReaderTests {
    @Test(arguments: [
        ("0", 0.0), ("-0", 0), ("7", 7), ("-7.5", -7.5), ("0.1", 0.1), ("1e2", 100),
        ("1E-2", 0.01), ("12.5e+1", 125), ("123456789012345678", 123_456_789_012_345_680),
        ("9007199254740993.0", 9_007_199_254_740_992), ("1e22", 1e22), ("1e23", 1e23),
        ("5e-324", Double.leastNonzeroMagnitude), ("1e-400", 0), ("0e99999", 0),
        ("1.7976931348623157e308", 0x1.FFFFFFFFFFFFFp1023),
        ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
        ("0.000000000000000000001", 1e-21),
        ("100000000000000000000000", 1e23), ("0.30000000000000004", 0.1 + 0.2),
    ])
    func `a number is the nearest double`(text: String, value: Double) throws {
        let bytes = Array(text.utf8)
        var reader = JSONReader()
        #expect(try reader.number(in: bytes.span).value == value)
        try reader.end(in: bytes.span)
    }

    /// Both ways of reading, the quick exact one and the library's, must agree.
    @Test(arguments: UInt64(1)...200)
    func `any written double is read back`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let bits = Double(bitPattern: random.next())
            let short = Double(Int64.random(in: -99_999_999...99_999_999, using: &random)) / 1000
            for value in [bits, short] where value.isFinite {
                var writer = JSONWriter()
                writer.number(value)
                var reader = JSONReader()
                #expect(try reader.number(in: writer.bytes.span).value == value, "seed \(seed)")
            }
        }
    }

    @Test(
        arguments: [
            ("5", 5), ("5.0", 5), ("50e-1", 5), ("-0.0", 0), ("5.5", nil), ("1e300", nil),
            ("9223372036854775807", nil), ("999999999999999999", 999_999_999_999_999_999),
            ("-999999999999999999", -999_999_999_999_999_999), ("1e18", 1_000_000_000_000_000_000),
        ] as [(String, Int64?)])
    func `a number without a fraction is an integer`(text: String, integer: Int64?) throws {
        var reader = JSONReader()
        #expect(try reader.number(in: Array(text.utf8).span).integer == integer)
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e5", "0x10", "1_000", "NaN",
        "Infinity", "-Infinity", "nul", "nulll", "True", "truefalse", "\"", "\"a", "\"\\\"",
        "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\u{1}\"", "\"a\nb\"", "'a'", "[", "]", "[1",
        "[1,",
        "[1,]", "[,1]", "[1 2]", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{1:2}",
        "{\"a\" 1}", "{a:1}", "[1}", "{\"a\":1]", "1 2", "[] []", "// x\n1", "1//", "\u{FEFF}1",
        "\u{A0}1", "\u{C}1", "1\0",
    ])
    func `what is no JSON is refused`(text: String) {
        #expect(throws: PayloadError.self) { try Self.read(text) }
    }

    @Test(arguments: [
        "null", " true ", "false", "0", "\"\"", "[]", "{}", "[ ]", "{ }", " [ 1 , \"a\" , null ] ",
        "\t{\r\n\"a\" : { \"b\" : [ [ ] , 1e5 ] } }\n", "\"\u{7F}\u{2028}\"", "{\"\":{\"\":0}}",
        "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
    ])
    func `what is JSON is taken whole`(text: String) throws { try Self.read(text) }

    @Test func `the seventeenth level is too deep, whatever it is made of`() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = String(repeating: open, count: 17)
            let text = deep + "1" + String(repeating: close, count: 17)
            #expect(throws: PayloadError.tooDeep(offset: open.utf8.count * 16)) {
                try Self.read(text)
            }
        }
    }

    @Test func `a hundred thousand brackets do not exhaust the stack`() {
        #expect(throws: PayloadError.tooDeep(offset: 16)) {
            try Self.read(String(repeating: "[", count: 100_000))
        }
    }

    @Test func `a number may have 128 bytes`() throws {
        try Self.read(String(repeating: "1", count: 128))
        #expect(throws: PayloadError.unreadableNumber(offset: 1)) {
            try Self.read(" " + String(repeating: "1", count: 129))
        }
    }

    @Test(arguments: [
        (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9""#, "Aé"),
        (#""\ud83d\ude00!""#, "😀!"), (#""\u0000""#, "\0"), (#""é😀""#, "é😀"),
        (#""\ud7ff\ue000""#, "\u{D7FF}\u{E000}"), (#""\uD800\uDC00\ud83d\ude00""#, "\u{10000}😀"),
        (#""\udbff\udfff""#, "\u{10FFFF}"),
    ])
    func `escapes are undone`(json: String, text: String) throws {
        let bytes = Array(json.utf8)
        var reader = JSONReader()
        let string = try reader.string(in: bytes.span)
        // By scalars: two strings of Swift are equal if they look alike.
        #expect(Array(try string.text(in: bytes.span).unicodeScalars) == Array(text.unicodeScalars))
        try reader.end(in: bytes.span)
    }

    @Test(arguments: [
        #""\uD83D""#, #""\ud83dx""#, #""\ude00""#, #""\ude00\ud83d""#, #""\ud83d\u0041""#,
        #""\ud83d\ud83d\ude00""#, #""\ud83d\n""#, #""\ud83d\""#, #""\ud83d\u""#,
        #""\ud83d\ude0""#, #"{"\ud800":1}"#, #"["a",{"b":"\udfff"}]"#,
    ])
    func `half a surrogate pair is no text, wherever it stands`(json: String) {
        #expect(throws: PayloadError.self) { try Self.read(json) }
    }

    @Test func `of two equal keys the last counts, however it is written`() throws {
        let json = Array(#"{"a":1,"b":0,"\u0061":2}"#.utf8)
        let object = try JSONObject(document: json.span, limit: 100)
        #expect(try object.required("a", json.span).integer(json.span) == 2)
        #expect(try object.all(json.span).map(\.name) == ["b", "a"])
    }

    @Test func `where it matters a key that comes twice is named`() throws {
        let once = Array(#"{"b":0,"a":1}"#.utf8)
        let members = try JSONObject(document: once.span, limit: 100).members(once.span)
        #expect(members.map(\.name) == ["b", "a"])
        let twice = Array(#"{"a":1,"b":0,"\u0061":2}"#.utf8)
        let object = try JSONObject(document: twice.span, limit: 100)
        #expect(throws: PayloadError.repeatedMember(field: "a")) {
            try object.members(twice.span)
        }
    }

    @Test func `an object that somebody sends has a thousand members at most`() throws {
        func json(_ count: Int) -> [UInt8] {
            let members = (0..<count).map { "\"\($0)\":\($0)" }.joined(separator: ",")
            return Array("{\"a\":{\(members)}}".utf8)
        }
        func members(_ json: [UInt8], atMost most: Int) throws(PayloadError) -> Int {
            let object = try JSONObject(document: json.span, limit: .max)
            let inner = try object.required("a", json.span).object(json.span, atMost: most)
            return try inner.all(json.span).count
        }
        #expect(try members(json(1024), atMost: JSONObject.mostMembers) == 1024)
        #expect(throws: PayloadError.tooManyMembers(limit: 1024)) {
            try members(json(1025), atMost: JSONObject.mostMembers)
        }
        // What we wrote ourselves may have any number, of which each is looked at once.
        #expect(try members(json(280_000), atMost: .max) == 280_000)
        let outer = json(1025).dropFirst(5).dropLast()
        #expect(throws: PayloadError.tooManyMembers(limit: 1024)) {
            try JSONObject(document: Array(outer).span, limit: .max)
        }
    }

    @Test func `a key is compared byte by byte`() throws {
        // The second key is a letter and an accent; Swift takes the two for equal.
        let json = Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)
        let object = try JSONObject(document: json.span, limit: 100)
        #expect(try object.required("\u{E9}", json.span).integer(json.span) == 1)
    }

    private static func read(_ text: String) throws(PayloadError) {
        let bytes = Array(text.utf8)
        var reader = JSONReader()
        try reader.skip(in: bytes.span, depth: 0)
        try reader.end(in: bytes.span)
    }
}
