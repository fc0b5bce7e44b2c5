import Foundation
import Testing

@testable import Basics
@testable import Ciphers
@testable import CoordinatorService
@testable import Notifications
@testable import SiteModel
@testable import Platform
@testable import Wire

/// What is handed to curl, and what its answer means.
struct CourierTests {
    /// RFC 4231, test cases 1, 2 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `codes are those of RFC 4231`(key: [UInt8], text: String, code: String) {
        #expect(Hex.text(SHA256.code(of: Array(text.utf8), key: key)) == code)
    }

    @Test func `a signature binds the body, the moment and the secret`() {
        let now = Timestamp(milliseconds: 1_767_225_600_123)
        let value = Signature.value(secret: "abc", at: now, body: [0x7B, 0x7D])
        // printf '1767225600123.{}' | openssl dgst -sha256 -hmac abc
        #expect(value.hasPrefix("t=1767225600123,v1="))
        #expect(value.count == "t=1767225600123,v1=".count + 64)
        #expect(value != Signature.value(secret: "abc", at: now, body: [0x7B, 0x20]))
        #expect(value != Signature.value(secret: "abd", at: now, body: [0x7B, 0x7D]))
        let later = Signature.value(secret: "abc", at: now + .milliseconds(1), body: [0x7B, 0x7D])
        #expect(value.suffix(64) != later.suffix(64))
    }

    @Test(arguments: [
        ("200 ", DeliveryOutcome.answered(200)), ("204", .answered(204)),
        ("302 ", .answered(302)), ("503 ", .answered(503)),
        (
            "000 Failed to connect to 127.0.0.1 port 9",
            .unreachable("Failed to connect to 127.0.0.1 port 9")
        ),
        ("000 ", .unreachable("no answer")), ("", .unreachable("no answer")),
        ("x", .unreachable("no answer")), ("99 ", .unreachable("no answer")),
    ])
    func `an answer is a status, and anything else is none`(
        line: String, outcome: DeliveryOutcome
    ) {
        #expect(Curl.outcome(of: line) == outcome)
        let isGood = outcome == .answered(200) || outcome == .answered(204)
        #expect(outcome.isDelivered == isGood)
    }

    /// Whatever a text holds, it stays the value of its key: one line, one pair of quotes.
    @Test(arguments: [#"a"b\c"#, #"\"#, #"\\""#, "x\" \nurl = \"http://example.org/", "ü"])
    func `no text gets out of its place in the configuration`(text: String) throws {
        let payload = NotificationPayload(
            id: "gym-n1-1", site: "gym", kind: .test, user: nil, title: text, body: text, tMs: 1,
            madeMs: 2, late: false, subject: "")
        let configuration = WebhookClient.configuration(
            url: "http://127.0.0.1/", body: payload.json, id: payload.id, signature: "t=1,v1=0")
        let lines = configuration.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("url") } == ["url = \"http://127.0.0.1/\""])
        let line = try #require(lines.first { $0.hasPrefix("data-binary = \"") })
        #expect(line.hasSuffix("\""))
        // Undone as curl's manual says, it is the body again.
        var rest = line.dropFirst("data-binary = \"".count).dropLast()[...]
        var body = ""
        while let next = rest.popFirst() {
            body.append(next == "\\" ? rest.popFirst() ?? " " : next)
            #expect(next != "\"")
        }
        #expect(Array(body.utf8) == payload.json)
    }

    @Test func `where nobody listens, that is said`() throws {
        let port = try FreePort.find(preferring: 0)
        let delivery = Delivery(
            webhook: 1, url: "http://127.0.0.1:\(port)/", secret: String(repeating: "a", count: 64),
            notice: Notice(
                id: 1,
                payload: NotificationPayload(
                    id: "x", site: "gym", kind: .test, user: nil, title: "", body: "", tMs: 1,
                    madeMs: 1, late: false, subject: "")), attempts: 0)
        let outcome = WebhookClient().carry(delivery, at: Timestamp(milliseconds: 1))
        guard case .unreachable(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains("\(port)"))
    }
}
