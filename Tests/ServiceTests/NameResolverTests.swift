import Testing

@testable import Reporting
@testable import Platform

/// What people mean by an id or a name.
struct NameResolverTests {
    private let people = NameResolver(
        kind: "user",
        things: [
            .init(id: "u-egekoa", name: "Emre K."), .init(id: "u-paul", name: "Paul R."),
            .init(id: "u-a", name: "Sam"), .init(id: "u-b", name: "sam"),
            .init(id: "u-c", name: "Kim"), .init(id: "u-d", name: "Kim"),
            .init(id: "u-e", name: "u-paul"), .init(id: "u-z", name: "Zoë"),
            .init(id: "u-evil", name: "\u{1B}[31mEve"), .init(id: "u-gone", name: ""),
        ])

    private func refusal(_ text: String) -> Exit? {
        do {
            _ = try people.find(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("u-egekoa", "u-egekoa"), ("Emre K.", "u-egekoa"), ("emre k.", "u-egekoa"),
        (" EMRE K. ", "u-egekoa"), ("ZOË", "u-z"),
        // Two whose names differ in case only are told apart by it.
        ("Sam", "u-a"), ("sam", "u-b"),
        // An id goes before a name.
        ("u-paul", "u-paul"),
    ])
    func `an id, a name, and a name whatever its case are found`(text: String, id: String) throws {
        #expect(try people.find(text).id == id)
    }

    @Test(arguments: [("SAM", ["u-a", "u-b"]), ("Kim", ["u-c", "u-d"]), ("kim", ["u-c", "u-d"])])
    func `what fits several is refused with all of them`(text: String, ids: [String]) {
        let exit = refusal(text)
        #expect(exit?.code == 64)
        for id in ids { #expect(exit?.text.contains("(\(id))") == true, "\(exit?.text ?? "")") }
    }

    @Test(arguments: [
        ("Emre", "did you mean Emre K. (u-egekoa)?"), ("k.", "did you mean Emre K. (u-egekoa)?"),
        ("Paul E.", "did you mean Paul R. (u-paul)?"),
        ("u-egekao", "did you mean Emre K. (u-egekoa)?"),
        ("Zoe", "did you mean Zoë (u-z)?"), ("Ki", "did you mean Kim (u-c) or Kim (u-d)?"),
    ])
    func `what fits none is answered with what comes near`(text: String, words: String) {
        let exit = refusal(text)
        #expect(exit?.code == 3)
        #expect(exit?.text == "not_found: there is no user “\(text)”; \(words)")
    }

    @Test func `where nothing comes near, five are named, without what harms a terminal`() {
        let exit = refusal("Methuselah")
        #expect(
            exit?.text.hasSuffix(
                "there is Emre K. (u-egekoa), Paul R. (u-paul), Sam (u-a), sam (u-b), Kim (u-c) and 5 more"
            ) == true, "\(exit?.text ?? "")")
        let evil = NameResolver(
            kind: "user",
            things: [.init(id: "u-evil", name: "\u{1B}[31mEve"), .init(id: "u-gone", name: "")])
        let harmless = #expect(throws: Exit.self) { try evil.find("Methuselah") }
        #expect(harmless?.text.hasSuffix("there is \\u{1B}[31mEve (u-evil), u-gone") == true)
        let many = NameResolver(
            kind: "user", things: (0..<200).map { .init(id: "u-\($0)", name: "Member \($0)") })
        let lost = #expect(throws: Exit.self) { try many.find("Methuselah") }
        #expect(lost?.text.hasSuffix("Member 4 (u-4) and 195 more") == true)
        let alike = NameResolver(
            kind: "user", things: (0..<9).map { .init(id: "u-\($0)", name: "Kim") })
        let asked = #expect(throws: Exit.self) { try alike.find("Kim") }
        #expect(asked?.code == 64)
        #expect(asked?.text.hasSuffix("Kim (u-3) or Kim (u-4) or 4 more") == true)
    }

    @Test func `nobody is called nothing, and no part of a name is enough`() {
        for text in ["", " ", "Em", "u-", "Paul"] {
            #expect(refusal(text)?.code == 3, "“\(text)”")
        }
    }
}
