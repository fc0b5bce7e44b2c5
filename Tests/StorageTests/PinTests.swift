import Testing

@testable import Accounts
@testable import Records
@testable import SiteModel
@testable import SiteStore

/// The numbers by which people check in at a kiosk.
struct PinTests {
    private let scratch: Scratch
    private let store: Store
    private let pins: Pins
    private let asker = Asker(name: "boss", via: .rest, at: at(20))

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        pins = Pins(store)
    }

    @Test func `a number is somebody's until there is another one, and is kept nowhere`() throws {
        let first = try pins.make(for: "u-ann", by: asker)
        let other = try pins.make(for: "u-bob", by: asker)
        #expect(first.count == 6 && first.allSatisfy(\.isNumber) && first != other)
        #expect(try pins.owner(of: first)?.user == "u-ann")
        #expect(try pins.made(of: "u-ann") == at(20))
        let second = try pins.make(for: "u-ann", by: asker)
        #expect(try pins.owner(of: second)?.user == "u-ann")
        #expect(try first == second || pins.owner(of: first) == nil)
        try pins.remove(of: "u-ann", by: asker)
        #expect(try pins.owner(of: second) == nil && pins.made(of: "u-ann") == nil)
        #expect(try pins.owner(of: other)?.user == "u-bob")
        #expect(
            try store.texts("SELECT action, entity FROM audit_log WHERE action LIKE '%pin'")
                == ["set-pin user", "set-pin user", "set-pin user", "remove-pin user"])
        for pin in [first, other, second] {
            #expect(try store.texts("SELECT 1 FROM audit_value WHERE value LIKE '%\(pin)%'") == [])
        }
    }

    @Test func `who has left has none, and nobody of that slug gets one`() throws {
        let pin = try pins.make(for: "u-ann", by: asker)
        try store.write { db in
            try db.execute(sql: "UPDATE user SET retired_ms = 0 WHERE slug = 'u-ann'")
        }
        #expect(try pins.owner(of: pin) == nil)
        #expect(try pins.people(named: "an") == [])
        #expect(throws: BooksRefusal.self) { try pins.make(for: "u-ann", by: asker) }
        #expect(throws: BooksRefusal.self) { try pins.make(for: "u-zoe", by: asker) }
    }

    @Test(arguments: [
        ("ma", ["Mária Łuczak", "Zoë Maier"]), ("mÁRIA l", []), ("zoe", ["Zoë Maier"]),
        ("aier", []), ("%", []), ("maier zoe", []),
    ])
    func `a word of a name is found by its beginning, however it is written`(
        part: String, found: [String]
    ) throws {
        try store.write { db in
            for (slug, name) in [("u-x", "Zoë Maier"), ("u-y", "Mária Łuczak"), ("u-z", "Tom")] {
                try db.execute(
                    sql: "INSERT INTO user (slug, name) VALUES (?, ?)", arguments: [slug, name])
            }
        }
        #expect(try pins.people(named: part).map(\.name) == found)
    }

    @Test func `of many a few are shown`() throws {
        try store.write { db in
            for number in 10..<40 {
                try db.execute(
                    sql: "INSERT INTO user (slug, name) VALUES ('u-\(number)', 'Max \(number)')")
            }
        }
        #expect(try pins.people(named: "max").map(\.name).first == "Max 10")
        #expect(try pins.people(named: "max").count == Pins.mostFound)
    }
}
