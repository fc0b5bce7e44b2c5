import JSON
import Testing

@testable import Wire

/// Compact, and readable by everybody.
struct JSONWriterTests {
    var writer = JSONWriter()

    @Test mutating func `commas stand between, never before or after`() {
        writer.beginObject()
        writer.field("a", 1)
        writer.key("b")
        writer.beginArray()
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.null()
        writer.endArray()
        writer.field("c", true)
        writer.field("d", nil as String?)
        writer.field("e", ["x", "y"])
        writer.endObject()
        #expect(text == #"{"a":1,"b":[{},[],null],"c":true,"d":null,"e":["x","y"]}"#)
    }

    @Test mutating func `a hostile text comes back as it was`() throws {
        let hostile = "\"\\/\u{0}\u{1F}\u{7F}\u{2028}<img src=x onerror=alert(1)>é😀\r\n"
        writer.string(hostile)
        #expect(text.hasPrefix(#""\"\\/\u0000\u001f"#))
        var reader = JSONReader()
        let string = try reader.string(in: writer.bytes.span)
        #expect(try string.text(in: writer.bytes.span) == hostile)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0"), (5, "5"), (-67.5, "-67.5"), (0.1, "0.1"), (1e-5, "1e-05"),
        (1e16, "1e+16"), (0.1 + 0.2, "0.30000000000000004"), (1e300, "1e+300"),
    ])
    mutating func `a double is as short as can be`(value: Double, expected: String) {
        writer.number(value)
        #expect(text == expected)
    }

    @Test(arguments: [
        (-67.449, "-67.4"), (-67.45, "-67.5"), (-67.0, "-67"), (0.04, "0"), (-0.04, "0"),
        (20.0, "20"), (-127.0, "-127"),
    ])
    mutating func `tenths are rounded, away from zero in the middle`(
        value: Double, expected: String
    ) {
        writer.tenths(value)
        #expect(text == expected)
    }

    @Test(arguments: [(Int64.min, "-9223372036854775808"), (Int64.max, "9223372036854775807")])
    mutating func `every integer is written out`(value: Int64, expected: String) {
        writer.integer(value)
        #expect(text == expected)
    }

    @Test mutating func `what was made elsewhere is put in as it is`() {
        writer.beginArray()
        writer.raw(Array("{\"a\":1}".utf8))
        writer.integer(2)
        writer.endArray()
        #expect(text == "[{\"a\":1},2]")
    }

    private var text: String { String(decoding: writer.bytes, as: UTF8.self) }
}
