import Testing

@testable import Accounts

/// Which passwords are refused when they are set.
struct PasswordFaultTests {
    @Test(arguments: [
        "1234567890", "0987654321", "12345678901234567890", "qwertyuiop", "poiuytrewq",
        "asdfghjkl1", "qwertz12345", "1q2w3e1q2w3e", "abcdefghij", "abcabcabcabd", "xk7xk7xk7xk7",
        "password12", "Password1234!", "P@ssw0rd2024", "passwordpassword", "welcome2026",
        "changeme!!1", "beaconmesh1", "letmein12345",
    ]) func `what guessers try first is refused`(password: String) {
        #expect(Account.fault(in: password, of: "somebody") != nil)
    }

    @Test(arguments: [
        "a long enough phrase", "another phrase", "Tiger-Lamp-91", "kQ8vR2mZp1", "ungefähr fünf",
        "correct horse battery", "ночной поезд", "press the qwerty key",
    ]) func `a few words, or chance, will do`(password: String) {
        #expect(Account.fault(in: password, of: "somebody") == nil)
    }

    @Test func `a name is no password, however it is written`() {
        for password in ["grace.hopper", "GraceHopper1", "hopper? grace.hopper"] {
            let fault = Account.fault(in: password, of: "grace.hopper")
            #expect((fault != nil) == (password.count < 16), "\(password)")
        }
        #expect(Account.fault(in: "kQ8vR2mZp1", of: "...") == nil)
        #expect(Account.fault(in: "short", of: "x")?.contains("at least 10") == true)
        #expect(Account.fault(in: "aaaaaaaabbbb", of: "x")?.contains("too few") == true)
    }

    @Test func `the longest password is judged at once`() {
        let long = String(repeating: "a1b2", count: 64)
        #expect(Account.fault(in: long, of: "x") != nil)
        #expect(Account.fault(in: long + "x", of: "x")?.contains("256 bytes") == true)
    }
}
