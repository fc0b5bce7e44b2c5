import Testing

@testable import Radio
@testable import SiteModel

/// What is written is read again; what is broken is read as far as it goes.
struct BTSnoopTests {
    @Test func `the bytes are those of the format`() {
        #expect(
            BTSnoopWriter.header == Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA])
        let record = BTSnoopWriter.record(of: [0x04, 0x3E], at: Timestamp(milliseconds: 0))
        #expect(
            record == [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0]
                + [0x00, 0xDC, 0xDD, 0xB3, 0x0F, 0x2F, 0x80, 0x00, 0x04, 0x3E])
    }

    @Test(arguments: [1, 7, 16, 25, 1000]) func `pieces of any length give the same`(pieces: Int) {
        let (records, error) = Recording.read(
            Recording.of(reportsAt: [0, 1, 250]), pieces: pieces)
        #expect(error == nil)
        #expect(records.map(\.packet) == [Recording.report, Recording.report, Recording.report])
        #expect(records.map { ($0.at - Recording.start).milliseconds } == [0, 1, 250])
    }

    @Test func `what the host sent is passed over`() throws {
        let bytes =
            BTSnoopWriter.header
            + BTSnoopWriter.record(
                of: Recording.command, at: Recording.start, isReceived: false)
            + BTSnoopWriter.record(of: Recording.report, at: Recording.start)
        var reader = BTSnoopReader()
        reader.feed(bytes.span)
        #expect(try reader.next()?.packet == Recording.report)
        #expect(try reader.next() == nil)
        #expect(reader.sent == 1)
        #expect(reader.offset == bytes.count)
    }

    @Test func `a recording of bare packets gets their type from the flags`() {
        var bytes = BTSnoopWriter.header
        bytes[15] = 0xE9
        bytes += BTSnoopWriter.record(of: Array(Recording.report.dropFirst()), at: Recording.start)
        bytes[16 + 11] = 3
        let first = Recording.read(bytes)
        #expect(first.records.map(\.packet) == [Recording.report])
        bytes[16 + 11] = 1
        #expect(Recording.read(bytes).records.first?.packet.first == 0x02)
    }

    @Test func `cut anywhere, what was complete is given, then where it broke off`() {
        let whole = Recording.of(reportsAt: [0, 10, 20])
        let length = 24 + Recording.report.count
        for cut in whole.indices {
            let (records, error) = Recording.read(Array(whole[..<cut]))
            let complete = max(0, (cut - 16) / length)
            #expect(records.count == complete)
            let isBetweenRecords = cut >= 16 && (cut - 16).isMultiple(of: length)
            let offset = cut < 16 ? 0 : 16 + complete * length
            #expect(error == (isBetweenRecords ? nil : .truncated(offset: offset)), "at \(cut)")
        }
    }

    @Test func `an impossible length is named with its place, after what came before`() {
        var bytes = Recording.of(reportsAt: [0, 10])
        let second = 16 + 24 + Recording.report.count
        bytes[second + 4] = 0x80
        let (records, error) = Recording.read(bytes)
        #expect(records.count == 1)
        #expect(error == .oversizeRecord(offset: second))
    }

    @Test func `what is not btsnoop is refused at its first wrong byte`() {
        for index in 0..<12 {
            var bytes = Recording.of(reportsAt: [0])
            bytes[index] ^= 0x01
            #expect(Recording.read(bytes).error == .notBTSnoop, "byte \(index)")
        }
        #expect(Recording.read(Array("pcap".utf8)).error == .notBTSnoop)
        #expect(Recording.read([]).error == .truncated(offset: 0))
    }

    @Test func `a datalink we do not read is named`() {
        var bytes = Recording.of(reportsAt: [0])
        bytes.replaceSubrange(14..<16, with: [0x07, 0xD2])
        #expect(Recording.read(bytes).error == .unsupportedDatalink(2002))
    }

    @Test func `no flipped byte does harm, and none adds packets`() {
        let whole = Recording.of(reportsAt: [0, 10])
        for index in whole.indices {
            for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[index] = value
                #expect(Recording.read(bytes).records.count <= 2)
            }
        }
    }

    @Test(arguments: [Int64.min, -62_167_219_200_000, -1, 0, 1, 1_700_000_000_123])
    func `moments survive as far as the format can hold them`(milliseconds: Int64) {
        let moment = Timestamp(milliseconds: milliseconds)
        let bytes = BTSnoopWriter.header + BTSnoopWriter.record(of: [0x04], at: moment)
        let read = Recording.read(bytes).records.first?.at
        let isInRange = milliseconds > Int64.min / 1000
        #expect(read != nil)
        #expect(!isInRange || read == moment)
    }

    @Test func `btmon's own recordings tell type and direction by a code`() {
        func record(_ code: UInt16, _ bytes: [UInt8], adapter: UInt16 = 0) -> [UInt8] {
            var record = BTSnoopWriter.record(of: bytes, at: Recording.start)
            record.replaceSubrange(
                8..<12,
                with: [
                    UInt8(adapter >> 8), UInt8(adapter & 0xFF), UInt8(code >> 8),
                    UInt8(code & 0xFF),
                ])
            return record
        }
        var header = BTSnoopWriter.header
        header.replaceSubrange(14..<16, with: [0x07, 0xD1])
        let event = Array(Recording.report.dropFirst())
        let file =
            header + record(0, Array(repeating: 0, count: 16)) + record(12, Array("note\0".utf8))
            + record(2, Array(Recording.command.dropFirst())) + record(3, event)
            + record(3, event, adapter: 7) + record(5, [1, 2]) + record(0xFFFF, [])
            + record(3, event)
        for pieces in [1, 7, 1000] {
            let (records, error) = Recording.read(file, pieces: pieces)
            #expect(error == nil)
            #expect(
                records.map(\.packet) == [
                    Recording.report, Recording.report, [0x02, 1, 2], Recording.report,
                ])
        }
        let both = CaptureReaderTests.read(file).packets
        #expect(both.map(\.isReceived) == [false, true, true, true, true])
        #expect(both.first?.bytes == Recording.command)
    }
}
