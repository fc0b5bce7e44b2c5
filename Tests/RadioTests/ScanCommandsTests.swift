import Testing

@testable import Radio

/// The commands have the bytes of the specification, and the family the controller knows.
struct ScanCommandsTests {
    private func features(bit12: Bool) -> [UInt8] { [0x00, bit12 ? 0x10 : 0xEF] }

    private func supported(octet37: UInt8) -> [UInt8] {
        [UInt8](repeating: 0xFF, count: 37) + [octet37] + [UInt8](repeating: 0xFF, count: 26)
    }

    @Test func `extended commands need the feature and both commands`() {
        #expect(
            ScanCommands(features: features(bit12: true), supported: supported(octet37: 0x60))
                == .extended)
        #expect(
            ScanCommands(features: features(bit12: false), supported: supported(octet37: 0xFF))
                == .legacy)
        for octet in [0x20, 0x40, 0x9F] as [UInt8] {
            #expect(
                ScanCommands(features: features(bit12: true), supported: supported(octet37: octet))
                    == .legacy)
        }
        #expect(ScanCommands(features: [], supported: []) == .legacy)
    }

    @Test func `legacy commands have their bytes`() {
        let commands = ScanCommands.legacy
        #expect(commands.disable.packet == [0x01, 0x0C, 0x20, 2, 0, 0])
        #expect(commands.enable.packet == [0x01, 0x0C, 0x20, 2, 1, 0])
        #expect(
            commands.parameters(ScanSettings()).packet
                == [0x01, 0x0B, 0x20, 7, 0, 0x60, 0, 0x60, 0, 0, 0])
        #expect(commands.parameters(ScanSettings(isActive: true)).parameters.first == 1)
    }

    @Test func `extended commands have their bytes`() {
        let commands = ScanCommands.extended
        #expect(commands.disable.packet == [0x01, 0x42, 0x20, 6, 0, 0, 0, 0, 0, 0])
        #expect(commands.enable.packet == [0x01, 0x42, 0x20, 6, 1, 0, 0, 0, 0, 0])
        #expect(
            commands.parameters(ScanSettings(windowMilliseconds: 30)).packet
                == [0x01, 0x41, 0x20, 8, 0, 0, 1, 0, 0x60, 0, 0x30, 0])
    }

    @Test func `times are brought into the range that controllers accept`() {
        let least = ScanSettings(intervalMilliseconds: -1, windowMilliseconds: .nan)
        #expect(least.interval == 4 && least.window == 4)
        let most = ScanSettings(intervalMilliseconds: .infinity, windowMilliseconds: 1e9)
        #expect(most.interval == 16_384 && most.window == 16_384)
        let crossed = ScanSettings(intervalMilliseconds: 10, windowMilliseconds: 20)
        #expect(crossed.interval == 16 && crossed.window == 16)
    }

    @Test func `scan commands and reset disturb, others do not`() {
        for opcode in [0x200B, 0x200C, 0x2041, 0x2042, 0x0C03] as [UInt16] {
            #expect(ScanCommands.isDisturbing(opcode: opcode))
        }
        for opcode in [0x2003, 0x1002, 0x2005, 0x0C13] as [UInt16] {
            #expect(!ScanCommands.isDisturbing(opcode: opcode))
        }
    }
}
