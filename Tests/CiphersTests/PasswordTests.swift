import Testing

@testable import Ciphers

/// Passwords as they are stored.
struct PasswordTests {
    private let cheap = Password.Cost(ln: 4, r: 8, p: 1)

    @Test func `only the right password fits`() {
        let stored = Password.hash("correct horse", cost: cheap)
        #expect(stored.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
        #expect(Password.check("correct horse", against: stored, cost: cheap) == (true, false))
        for wrong in ["correct hors", "Correct horse", "", "correct horse "] {
            #expect(!Password.check(wrong, against: stored, cost: cheap).isRight)
        }
        #expect(Password.hash("correct horse", cost: cheap) != stored, "salted")
    }

    /// RFC 7914, section 12, with the salt and cost of its third vector.
    @Test func `it is the scrypt of the specification`() {
        let stored =
            "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$"
            + "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI"
        #expect(Password.check("pleaseletmein", against: stored).isRight)
        #expect(!Password.check("pleaseletmeout", against: stored).isRight)
    }

    @Test func `what cost less is said to be outdated`() {
        let stored = Password.hash("a password", cost: cheap)
        let dear = Password.Cost(ln: 5, r: 8, p: 1)
        #expect(Password.check("a password", against: stored, cost: dear) == (true, true))
    }

    @Test(arguments: [
        "", "x", "$scrypt$$$", "$scrypt$ln=63,r=8,p=1$c2FsdA$aGFzaA", "$scrypt$ln=4,r=8,p=1$*$*",
        "$argon2id$ln=4,r=8,p=1$c2FsdA$aGFzaA", "$scrypt$ln=4,r=0,p=1$c2FsdA$aGFzaA",
    ])
    func `a text of another form is nobody's password`(stored: String) {
        #expect(Password.check("", against: stored, cost: cheap) == (false, false))
    }

    @Test func `letters that look alike are alike`() {
        let stored = Password.hash("caf\u{E9} latte", cost: cheap)
        #expect(Password.check("cafe\u{301} latte", against: stored, cost: cheap).isRight)
    }
}
