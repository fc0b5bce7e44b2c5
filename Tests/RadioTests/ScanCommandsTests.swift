import Testing

@testable import NodeEngine
@testable import Radio

/// The commands have the bytes of the specification, and what comes back is read as it says.
struct ScanCommandsTests {
    let settings = ScanSettings()

    @Test func `legacy commands have their bytes`() {
        let family = ScanFamily.legacy
        #expect(family.command(.disable, settings).packet == [0x01, 0x0C, 0x20, 2, 0, 0])
        #expect(family.command(.enable, settings).packet == [0x01, 0x0C, 0x20, 2, 1, 0])
        #expect(
            family.command(.parameters, settings).packet
                == [0x01, 0x0B, 0x20, 7, 0, 0x60, 0, 0x60, 0, 0, 0])
        let active = family.command(.parameters, ScanSettings(isActive: true))
        #expect(active.parameters.first == 1)
    }

    @Test func `extended commands have their bytes`() {
        let family = ScanFamily.extended
        #expect(
            family.command(.disable, settings).packet == [0x01, 0x42, 0x20, 6, 0, 0, 0, 0, 0, 0])
        #expect(
            family.command(.enable, settings).packet == [0x01, 0x42, 0x20, 6, 1, 0, 0, 0, 0, 0])
        #expect(
            family.command(.parameters, ScanSettings(windowMilliseconds: 30)).packet
                == [0x01, 0x41, 0x20, 8, 0, 0, 1, 0, 0x60, 0, 0x30, 0])
    }

    @Test(arguments: [ScanFamily.legacy, .extended])
    func `questions are the same in both families`(family: ScanFamily) {
        #expect(family.command(.features, settings).packet == [0x01, 0x03, 0x20, 0])
        #expect(family.command(.supported, settings).packet == [0x01, 0x02, 0x10, 0])
    }

    @Test func `times are brought into the range that controllers accept`() {
        let least = ScanSettings(intervalMilliseconds: -1, windowMilliseconds: .nan)
        #expect(least.interval == 4 && least.window == 4)
        let most = ScanSettings(intervalMilliseconds: .infinity, windowMilliseconds: 1e9)
        #expect(most.interval == 16_384 && most.window == 16_384)
        let crossed = ScanSettings(intervalMilliseconds: 10, windowMilliseconds: 20)
        #expect(crossed.interval == 16 && crossed.window == 16)
    }

    private func foreign(_ packet: [UInt8]) -> ScanRecovery.ForeignCommand? {
        ScanRecovery.ForeignCommand(packet: packet.span)
    }

    @Test func `scan commands and reset disturb, others do not`() {
        for family in [ScanFamily.legacy, .extended] {
            #expect(foreign(family.command(.enable, settings).packet) == .enable)
            #expect(foreign(family.command(.disable, settings).packet) == .disable)
            #expect(foreign(family.command(.parameters, settings).packet) == .other)
            #expect(foreign(family.command(.features, settings).packet) == nil)
            #expect(foreign(family.command(.supported, settings).packet) == nil)
        }
        #expect(foreign([0x01, 0x03, 0x0C, 0]) == .other)
        #expect(foreign([0x04, 0x0C, 0x20, 0]) == nil)
    }

    @Test func `a command that is cut off is read as far as it goes`() {
        let packet = ScanFamily.legacy.command(.enable, settings).packet
        #expect(foreign(Array(packet.prefix(3))) == nil)
        #expect(foreign(Array(packet.prefix(4))) == .disable)
        for count in 0...packet.count { _ = foreign(Array(packet.prefix(count))) }
    }

    private func answer(_ packet: [UInt8]) -> CommandAnswer? { CommandAnswer(packet: packet.span) }

    @Test func `an answer is a completion, or a status that says no`() throws {
        let complete = try #require(answer([0x04, 0x0E, 6, 1, 0x03, 0x20, 0, 0xAB, 0xCD]))
        #expect(complete.opcode == 0x2003 && complete.status == 0)
        #expect(complete.bytes == [0xAB, 0xCD])
        let refused = try #require(answer([0x04, 0x0F, 4, 0x01, 1, 0x41, 0x20]))
        #expect(refused.opcode == 0x2041 && refused.status == 1)
        // Under way is no answer, nor is anything else.
        #expect(answer([0x04, 0x0F, 4, 0x00, 1, 0x41, 0x20]) == nil)
        #expect(answer([0x04, 0x10, 4, 0x01, 1, 0x41, 0x20]) == nil)
        #expect(answer([0x01, 0x0E, 4, 0x01, 1, 0x41, 0x20]) == nil)
    }

    @Test func `an answer that is cut off or lies about its length is none`() {
        let packet: [UInt8] = [0x04, 0x0E, 6, 1, 0x03, 0x20, 0, 0xAB, 0xCD]
        for count in 0..<packet.count { #expect(answer(Array(packet.prefix(count))) == nil) }
        for length in UInt8.min...UInt8.max where length != 6 {
            var lying = packet
            lying[2] = length
            let read = answer(lying)
            #expect(read == nil || (length < 6 && read?.bytes.count == Int(length) - 4))
        }
    }
}
