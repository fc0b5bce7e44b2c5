import Testing

@testable import BrokerAccess
@testable import Ciphers

/// Codes are those that another encoder makes with the same mask: qrcode 8 of Python.
struct QRCodeTests {
    /// A text of so many visible signs.
    private func text(_ count: Int) -> String {
        String((0..<count).map { Character(UnicodeScalar(UInt8(33 + $0 * 7 % 90))) })
    }

    private func digest(_ code: QRCode?) -> String {
        let signs = (code?.modules ?? []).map { $0 ? "1" : "0" }.joined()
        return String(SHA256.hexadecimal(of: signs).prefix(16))
    }

    @Test func `a code is that of another encoder, of one block and of several`() {
        #expect(digest(QRCode("a")) == "2e7add7dfd3288d4")
        let address = "beaconmesh://gym?username=ann-phone&password=abcdefghijkmnpqrstuvwxyz"
        #expect(digest(QRCode(address)) == "1c1bf310e34c9b7d")
        #expect(digest(QRCode(text(123))) == "c827218b39cd7d75")
        #expect(digest(QRCode(text(213))) == "65210a74efdbb776")
    }

    @Test func `the smallest version is taken that holds the text, up to 213 bytes`() {
        let sizes = [0: 21, 14: 21, 15: 25, 26: 25, 27: 29, 180: 53, 181: 57, 213: 57]
        for (count, size) in sizes { #expect(QRCode(text(count))?.size == size, "\(count)") }
        #expect(QRCode(text(214)) == nil)
    }

    @Test func `on a terminal it has a quiet zone all around`() {
        let lines = (QRCode("a")?.text ?? "").split(separator: "\n")
        #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
        #expect(lines.prefix(2).allSatisfy { $0.allSatisfy { $0 == "█" } })
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("████") && $0.hasSuffix("████") })
    }
}
