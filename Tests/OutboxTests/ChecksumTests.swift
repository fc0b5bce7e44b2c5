import Testing

@testable import Outbox

struct ChecksumTests {
    @Test func `the checksum is CRC-32C`() {
        // The check value of its catalogues, and 32 zeros of RFC 3720, B.4.
        #expect(Checksum.of(Array("123456789".utf8)[...]) == 0xE306_9283)
        #expect(Checksum.of([UInt8](repeating: 0, count: 32)[...]) == 0x8A91_36AA)
    }

    @Test func `it can be taken in parts`() {
        let first = Checksum.of(Array("1234".utf8)[...])
        #expect(Checksum.of(Array("56789".utf8)[...], after: first) == 0xE306_9283)
    }
}
