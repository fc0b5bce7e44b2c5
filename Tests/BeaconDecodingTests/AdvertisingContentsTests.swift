import Testing

/// Structures are read as far as they can be, and what is wrong with them is said.
struct AdvertisingContentsTests {
    typealias Bytes = DecodingBytes

    @Test func `names, numbers and services are read`() {
        let contents = Bytes.contents(
            AdvertisingBytes.flags + Bytes.structure(0x08, Array("Row".utf8))
                + Bytes.structure(0x09, Array("Rower\0x".utf8)) + Bytes.structure(0x0A, [0xF4])
                + Bytes.structure(0x19, [0xC1, 0x03])
                + Bytes.structure(0x03, [0x0D, 0x18, 0x0D, 0x18])
                + Bytes.structure(0x04, [0x04, 0x03, 0x02, 0x01])
                + Bytes.structure(0x06, AdvertisingBytes.uuid.reversed()))
        #expect(contents.flags == 6)
        #expect(contents.name?.text == "Rower" && contents.name?.isComplete == true)
        #expect(contents.txPower == -12)
        #expect(contents.appearance == 0x03C1)
        #expect(
            contents.services
                == [.short(0x180D), .medium(0x0102_0304), .long(AdvertisingBytes.uuid16)])
        #expect(contents.structures.map(\.type) == [1, 8, 9, 0x0A, 0x19, 3, 4, 6])
        #expect(contents.isWellFormed && contents.faults == [])
    }

    @Test func `two structures of one company stay two`() {
        let contents = Bytes.contents(
            Bytes.structure(0xFF, [0x4C, 0x00, 1]) + Bytes.structure(0xFF, [0x4C, 0x00, 2]))
        #expect(contents.manufacturerData.map(\.company) == [0x4C, 0x4C])
        #expect(contents.manufacturerData.map(\.bytes) == [[1], [2]])
    }

    @Test func `service data of every length of UUID`() {
        let contents = Bytes.contents(
            Bytes.service(0x180F, [99]) + Bytes.structure(0x20, [4, 3, 2, 1, 98])
                + Bytes.structure(0x21, AdvertisingBytes.uuid.reversed() + [97]))
        #expect(
            contents.serviceData.map(\.service)
                == [.short(0x180F), .medium(0x0102_0304), .long(AdvertisingBytes.uuid16)])
        #expect(contents.serviceData.map(\.bytes) == [[99], [98], [97]])
    }

    @Test func `an overrun spoils itself and what follows`() {
        let contents = Bytes.contents(AdvertisingBytes.flags + [9, 0xFF, 0x4C, 0x00])
        #expect(contents.structures.count == 1 && contents.flags == 6)
        #expect(!contents.isWellFormed)
        #expect(contents.faults == [.overrun])
    }

    @Test func `zeros may follow the end, anything else may not`() {
        let padded = Bytes.contents(AdvertisingBytes.flags + [0, 0, 0])
        #expect(padded.isWellFormed && padded.faults == [])
        let stray = Bytes.contents(AdvertisingBytes.flags + [0, 0, 5])
        #expect(!stray.isWellFormed)
        #expect(stray.faults == [.dataAfterTerminator])
        #expect(stray.structures.count == 1)
    }

    @Test(
        arguments: [
            (0x01, []), (0x02, [1]), (0x03, [1, 2, 3]), (0x05, [1, 2, 3]), (0x07, [1]),
            (0x0A, [1, 2]),
            (0x0A, []), (0x16, [1]), (0x19, [1]), (0x20, [1, 2, 3]), (0x21, [1]), (0xFF, [1]),
        ] as [(UInt8, [UInt8])])
    func `a structure of the wrong length is told and the next one read`(
        type: UInt8, payload: [UInt8]
    ) {
        let contents = Bytes.contents(
            Bytes.structure(type, payload) + Bytes.structure(0x09, [0x41]))
        #expect(contents.faults == [.badLength])
        #expect(contents.isWellFormed)
        #expect(contents.name?.text == "A")
        #expect(contents.txPower == nil && contents.appearance == nil)
        #expect(contents.manufacturerData == [] && contents.serviceData == [])
    }

    /// Phones send an empty list; a device without services of that length says nothing wrong.
    @Test(arguments: [0x02, 0x03, 0x04, 0x05, 0x06, 0x07] as [UInt8])
    func `an empty list of services is well-formed`(type: UInt8) {
        let contents = Bytes.contents(
            AdvertisingBytes.flags + [0x01, type] + Bytes.structure(0x09, [0x41]))
        #expect(contents.faults == [] && contents.isWellFormed)
        #expect(contents.structures.map(\.type) == [0x01, type, 0x09])
        #expect(contents.services == [] && contents.name?.text == "A")
    }

    @Test func `what is no UTF-8 is replaced`() {
        let name = Bytes.contents(Bytes.structure(0x09, [0x41, 0xFF, 0x42])).name
        #expect(name?.text == "A\u{FFFD}B")
    }
}
