import Testing

@testable import beaconmesh
@testable import Records

/// Exports that spreadsheets open without harm.
struct PersonTableTextTests {
    @Test func `texts are no formulas, numbers stay numbers`() {
        let table = PersonExport.Table(
            name: "t", columns: ["name", "n"],
            rows: [
                [.text("=1+1"), .integer(-5)], [.text("+a"), .number(-0.5)],
                [.text("@x"), .none], [.text("-2"), .integer(0)], [.text("\tx"), .none],
                [.text("＝x"), .none], [.text("=\u{301}1"), .none], [.text("\r\n=1"), .none],
                [.text("se;=1"), .none], [.text("a,\"b\"\r\nc"), .none], [.text(""), .none],
            ])
        #expect(
            PersonTableText(table).csv
                == [
                    "name,n", "'=1+1,-5", "'+a,-0.5", "'@x,", "'-2,0", "\"'\tx\",", "'＝x,",
                    "'=\u{301}1,", "\"'\r\n'=1\",", "\"se;'=1\",",
                    "\"a,\"\"b\"\"\r\nc\",", ",",
                ].map { $0 + "\r\n" }.joined())
    }

    @Test func `for spreadsheets with a semicolon decimals have a comma`() {
        let table = PersonExport.Table(
            name: "t", columns: ["name", "n"], rows: [[.text("a,b"), .number(-0.5)]])
        #expect(PersonTableText(table, .semicolon).csv == "name;n\r\n\"a,b\";\"-0,5\"\r\n")
    }
}
