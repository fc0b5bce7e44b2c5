import Testing

@testable import Coordinator
@testable import Storage

/// Exports that spreadsheets open without harm.
struct PersonTableTextTests {
    @Test func `texts are no formulas, numbers stay numbers`() {
        let table = PersonExport.Table(
            name: "t", columns: ["name", "n"],
            rows: [
                [.text("=1+1"), .integer(-5)], [.text("+a"), .number(-0.5)],
                [.text("@x"), .none], [.text("-2"), .integer(0)], [.text("\tx"), .none],
                [.text("＝x"), .none], [.text("a,\"b\"\r\nc"), .none], [.text(""), .none],
            ])
        #expect(
            PersonTableText(table).csv
                == [
                    "name,n", "'=1+1,-5", "'+a,-0.5", "'@x,", "'-2,0", "'\tx,", "'＝x,",
                    "\"a,\"\"b\"\"\r\nc\",", ",",
                ].map { $0 + "\r\n" }.joined())
    }
}
