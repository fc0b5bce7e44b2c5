import Testing

@testable import Basics
@testable import SiteModel

/// A slip of the finger is recognised, another word is not.
struct SuggestionTests {
    let known = ["host", "port", "username", "password_file", "id"]

    @Test(arguments: [
        ("prot", "port"), ("hots", "host"), ("ports", "port"), ("usrname", "username"),
        ("user_name", "username"), ("passwordfile", "password_file"),
        ("pasword_flie", "password_file"),
        ("Port", "port"), ("ID", nil), ("di", "id"), ("x", nil), ("", nil), ("colour", nil),
        ("tls", nil),
    ])
    func `the nearest key is suggested`(word: String, meant: String?) {
        #expect(Suggestion.nearest(to: word, among: known) == meant)
    }

    @Test func `a monstrous key is compared with nothing`() {
        let word = String(repeating: "p", count: 1_000_000)
        #expect(Suggestion.nearest(to: word, among: known) == nil)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abd", 1),
        ("kitten", "sitting", 3), ("ab", "ba", 1),
    ])
    func `distances count edits`(a: String, b: String, edits: Int) {
        #expect(Suggestion.distance(Array(a.utf8), Array(b.utf8)) == edits)
        #expect(Suggestion.distance(Array(b.utf8), Array(a.utf8)) == edits)
    }
}
