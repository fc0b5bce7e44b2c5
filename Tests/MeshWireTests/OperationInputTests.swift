import Basics
import JSON
import Operations
import SiteModel
import Testing

/// What is given with an operation, by whatever way, read by the members its input declares.
struct OperationInputTests {
    private enum Colour: String, CaseIterable, Sendable { case red, blue }

    private struct Paint: OperationInput, Equatable {
        var id = ""
        var user: String?
        var coats: Int64 = 2
        var colour = Colour.red
        var days: [LocalDate] = []
        var isWet = false
        var at = LocalTime.midnight

        static let members: [Member<Paint>] = [
            .needed("id", .slug, \.id), .optional("user", .slug, \.user),
            .preset("coats", .integer(1...9), \.coats), .preset("colour", .word, \.colour),
            .needed("days", .list(.date), \.days), .preset("wet", .flag, \.isWet),
            .preset("at", .clock, \.at),
        ]
    }

    private static func read(
        _ body: String, own: String? = nil
    ) -> Result<Paint, InputFault> {
        let given = Given(path: [("id", "wall")], body: Array(body.utf8))
        return Result { () throws(InputFault) in
            try InputForm.of(Paint.self).read(given, about: "user", own: own)
        }
    }

    @Test func `a query, a body and what is typed are the same`() throws {
        var paint = Paint()
        (paint.id, paint.user, paint.coats) = ("wall", "u-a", 3)
        (paint.colour, paint.isWet) = (.blue, true)
        paint.days = [try #require(LocalDate("2026-03-29")), try #require(LocalDate("2026-03-30"))]
        let typed: Given.Texts = [
            ("user", "u-a"), ("coats", "3"), ("colour", "blue"),
            ("days", "2026-03-29,2026-03-30"), ("wet", "true"),
        ]
        #expect(
            try InputForm.of(Paint.self).read(Given(path: [("id", "wall")], query: typed)) == paint)
        let body = try InputForm.of(Paint.self).body(of: typed)
        #expect(
            try InputForm.of(Paint.self).read(Given(path: [("id", "wall")], body: body)) == paint)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"user":"u-a","coats":3,"colour":"blue","days":["2026-03-29","2026-03-30"],"wet":true}"#
        )
    }

    @Test func `a body may say again what stands in the path`() throws {
        #expect(try Self.read(#"{"days":[],"id":"wall"}"#).get().id == "wall")
    }

    @Test func `what is left out is what a new row has`() throws {
        let paint = try Self.read(#"{"days":[]}"#).get()
        #expect(paint.coats == 2 && paint.colour == .red && paint.user == nil && !paint.isWet)
    }

    @Test(arguments: [
        ("", "The body is refused: no JSON at byte 0"),
        ("{}", "The body is refused: days is missing"),
        (#"{"days":[],"cotas":1}"#, "The body is refused: “cotas” is no member of it"),
        (#"{"days":[],"days":[]}"#, "The body is refused: “days” comes twice"),
        (#"{"days":[],"id":"door"}"#, "The body is refused: “id” is no member of it"),
        (#"{"days":[],"coats":0}"#, "The body is refused: coats is out of range"),
        (#"{"days":[],"coats":"1"}"#, "The body is refused: coats is of the wrong type"),
        (#"{"days":[],"user":null}"#, "The body is refused: user is of the wrong type"),
        (#"{"days":[],"colour":"green"}"#, "The body is refused: colour has an unknown value"),
        (
            #"{"days":["2026-02-30"]}"#,
            "The body is refused: days (a date like 2026-03-29) has an unknown value"
        ), (#"{"days":"#, "The body is refused: no JSON at byte 8"),
        ("[]", "The body is refused: it is of the wrong type"),
    ])
    func `what is wrong is named`(body: String, text: String) {
        let fault = #expect(throws: InputFault.self) { try Self.read(body).get() }
        #expect(fault?.text == text && fault?.code == .schema)
    }

    @Test(arguments: [
        ([("days", "x")], "days: JSON expected", ProblemCode.badRequest),
        (
            [("dyas", "")], "there is no “dyas”; did you mean days?",
            .badRequest
        ),
        ([("coats", "1"), ("coats", "2")], "coats comes twice", .badRequest),
        ([("at", "25:00")], "at: a time like 22:00 expected", .badRequest),
        ([("coats", "+1")], "coats: a whole number from 1 to 9 expected", .badRequest),
        ([("id", "a")], "id comes twice", .badRequest), ([], "days is missing", .badRequest),
    ])
    func `so is what is wrong in a query`(
        query: [(String, String)], text: String, code: ProblemCode
    ) {
        let given = Given(
            path: [("id", "wall")], query: query.map { (name: $0.0, value: $0.1) })
        let fault = #expect(throws: InputFault.self) { try InputForm.of(Paint.self).read(given) }
        #expect(fault?.text == text && fault?.code == code)
    }

    @Test func `what stands in the path and cannot be is not there`() {
        let given = Given(path: [("id", "A wall")], body: [])
        let fault = #expect(throws: InputFault.self) { try InputForm.of(Paint.self).read(given) }
        #expect(fault?.code == .notFound)
    }

    @Test func `who asks about themselves is put in, and about nobody else`() throws {
        #expect(try Self.read(#"{"days":[]}"#, own: "u-a").get().user == "u-a")
        #expect(try Self.read(#"{"days":[],"user":"u-a"}"#, own: "u-a").get().user == "u-a")
        let fault = #expect(throws: InputFault.self) {
            try Self.read(#"{"days":[],"user":"u-b"}"#, own: "u-a").get()
        }
        #expect(fault == .other && fault?.code == .forbidden)
    }

    @Test func `words are the needed members in order, options the others`() throws {
        let parameters = Paint.members.map(\.parameter)
        let words = try TypedWords(["wall", "--coats", "3", "2026-03-29", "--wet"], of: parameters)
        #expect(words.values.map(\.name) == ["coats", "wet", "id", "days"])
        #expect(words.values.map(\.value) == ["3", "true", "wall", "2026-03-29"])
        let named = try TypedWords(["coats=3", "wall", "days=2026-03-29", "at="], of: parameters)
        #expect(named.values.map(\.name) == ["coats", "days", "at", "id"])
        #expect(named.values.map(\.value) == ["3", "2026-03-29", "", "wall"])
        for (wrong, text) in [
            (
                ["--cotas", "1"],
                "there is no “--cotas”; did you mean --coats?"
            ), (["wall", "2026-03-29", "coast=1"], "there is no “coast”; did you mean coats?"),
            (["--coats"], "--coats is missing"),
            (["--coats=1", "--coats=2"], "--coats comes twice"),
            (
                ["a", "2026-03-29", "b"],
                "there is no “b”: there is --id, --user, --coats, --colour, --days, --wet, --at"
            ),
        ] {
            let fault = #expect(throws: InputFault.self) { try TypedWords(wrong, of: parameters) }
            #expect(fault?.text == text)
        }
    }
}
