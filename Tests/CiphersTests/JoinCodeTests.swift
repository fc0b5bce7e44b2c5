import Testing

@testable import Ciphers

/// The code by which a machine becomes a node, and what is sealed by it.
struct JoinCodeTests {
    @Test func `a code is read however it is written`() throws {
        let code = JoinCode.random()
        #expect("\(code)".wholeMatch(of: /([a-z2-9]{4}-){3}[a-z2-9]{4}/) != nil)
        for text in [
            "\(code)", "\(code)".uppercased(), "\(code)".replacing("-", with: " "),
            "\(code)".replacing("-", with: ""),
        ] {
            #expect(JoinCode(text) == code, "\(text)")
        }
        for text in [
            "", "ab3k", "ab3k-9mpq-w2xy-hj7", "ab3k-9mpq-w2xy-hj70", "ab3k-9mpq-w2xy-hjl7",
        ] {
            #expect(JoinCode(text) == nil, "\(text)")
        }
        #expect(JoinCode("ab3k-9mpq-w2xy-hj7r")?.name == "ab3k")
    }

    @Test func `only who knows the code opens what is sealed, in its direction`() throws {
        let keys = try #require(JoinCode("ab3k-9mpq-w2xy-hj7r")).keys
        let other = try #require(JoinCode("ab3k-9mpq-w2xy-hj7s")).keys
        let message = Array("who are you".utf8)
        let sealed = keys.seal(message, .toNode)
        #expect(keys.open(sealed, .toNode) == message)
        #expect(keys.open(sealed, .toCoordinator) == nil)
        #expect(other.open(sealed, .toNode) == nil)
        #expect(keys.seal(message, .toNode) != sealed, "a nonce came twice")
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(keys.open(changed, .toNode) == nil, "\(place)")
            #expect(keys.open(Array(sealed[..<place]), .toNode) == nil, "\(place)")
        }
    }
}
