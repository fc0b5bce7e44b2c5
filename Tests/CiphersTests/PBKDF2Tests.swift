import Basics
import Testing

@testable import Ciphers

/// The key that mosquitto compares a password by.
struct PBKDF2Tests {
    /// As hashlib.pbkdf2_hmac("sha512", b"password", b"salt", n, 64) of Python has it.
    @Test(arguments: [
        (1, "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252"),
        (101, "0899b1f8f12cd157a81fc4cc1f8f046f1ac1f5f733a0534b26eebf34e94415d0"),
    ])
    func `the key is that of RFC 8018 with SHA-512`(iterations: Int, beginning: String) {
        let key = PBKDF2.key(
            of: "password", salt: Array("salt".utf8), iterations: iterations, count: 64)
        #expect(key.count == 64)
        #expect(Hex.text(Array(key.prefix(32))) == beginning)
    }

    @Test func `a password without letters is one, too`() {
        let key = PBKDF2.key(of: "", salt: [1], iterations: 2, count: 8)
        #expect(key != [UInt8](repeating: 0, count: 8))
    }
}
