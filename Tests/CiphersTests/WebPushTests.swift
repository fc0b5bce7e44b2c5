import Testing

@testable import Ciphers

struct WebPushTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(WebPush.decoded(text)) }

    /// The example of RFC 8291 5.
    @Test func `a message is sealed as the standard's example`() throws {
        let key = PushKey(
            shared: try bytes(
                "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
            ), own: try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let sealed = try #require(
            WebPush.sealed(
                Array("When I grow up, I want to be a watermelon".utf8),
                for: try bytes(
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
                ), auth: try bytes("BTBZMqHH6r4Tts7J_aSIgg"), key: key,
                salt: try bytes("DGv6ra1nlYgDCS1FRnbzlw")))
        #expect(
            WebPush.encoded(sealed)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    @Test func `two keys have one secret, and what is no point has none`() throws {
        let (one, other) = (PushKey(), PushKey())
        #expect(one != other)
        let secret = try #require(one.secret(with: other.shared))
        #expect(other.secret(with: one.shared) == secret && secret.count == 32)
        #expect(one.secret(with: [4] + [UInt8](repeating: 1, count: 64)) == nil)
        #expect(one.secret(with: []) == nil)
        #expect(
            WebPush.sealed(
                [1], for: [UInt8](repeating: 0, count: 65), auth: [UInt8](repeating: 0, count: 16))
                == nil)
    }

    @Test func `who sends says so to one service, for a time`() throws {
        let key = PushKey()
        let text = WebPush.authorization(
            key, origin: "https://push.example", contact: "mailto:a@b.c", until: 1_700_000_000)
        let parts = try #require(
            text.firstMatch(of: /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/))
        #expect(
            String(decoding: try bytes(String(parts.2)), as: UTF8.self)
                == #"{"aud":"https://push.example","exp":1700000000,"sub":"mailto:a@b.c"}"#)
        #expect(try bytes(String(parts.3)).count == 64)
        #expect(try bytes(String(parts.4)) == key.shared)
    }

    @Test(arguments: ["", "a", "ab", "abc", "abcd", "abcde"])
    func `bytes are written and read`(text: String) throws {
        #expect(WebPush.decoded(WebPush.encoded(Array(text.utf8))) == Array(text.utf8))
    }

    @Test(arguments: ["a+b/", "ä", "a=b="])
    func `what is no such text is none`(text: String) { #expect(WebPush.decoded(text) == nil) }
}
