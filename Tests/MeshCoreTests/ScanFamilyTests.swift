import Testing

@testable import NodeEngine

/// A controller is given the commands it knows.
struct ScanFamilyTests {
    private func features(bit12: Bool) -> [UInt8] { [0x00, bit12 ? 0x10 : 0xEF] }

    private func supported(octet37: UInt8) -> [UInt8] {
        [UInt8](repeating: 0xFF, count: 37) + [octet37] + [UInt8](repeating: 0xFF, count: 26)
    }

    @Test func `extended commands need the feature and both commands`() {
        #expect(
            ScanFamily(features: features(bit12: true), supported: supported(octet37: 0x60))
                == .extended)
        #expect(
            ScanFamily(features: features(bit12: false), supported: supported(octet37: 0xFF))
                == .legacy)
        for octet in [0x20, 0x40, 0x9F] as [UInt8] {
            #expect(
                ScanFamily(features: features(bit12: true), supported: supported(octet37: octet))
                    == .legacy)
        }
        #expect(ScanFamily(features: [], supported: []) == .legacy)
    }
}
