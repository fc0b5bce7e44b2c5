import Testing

@testable import Scanner
@testable import SiteModel

/// The table of a scan is by identity, the strongest first.
struct ScanTableTests {
    var table = ScanTable()
    /// 2026-09-13T12:26:40Z.
    let start = Timestamp(milliseconds: 1_789_302_400_000)

    func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    @Test mutating func `two beacons of one name stay two, in a row each`() throws {
        for minor in [1, 2] as [UInt8] {
            let address = 0xC102_0304_0500 + UInt64(minor)
            table.heard(try ScanAir.heard(ScanAir.iBeacon(minor: minor), from: address), at: at(0))
            let answer = try ScanAir.heard(ScanAir.name("Tag"), from: address, type: 0x04)
            table.heard(answer, at: at(0.1))
        }
        let rows = table.rows()
        #expect(rows.map(\.name) == ["Tag", "Tag"])
        #expect(rows.map(\.id) == [1, 2].map { ScanAir.identity(minor: $0) })
        #expect(rows.map(\.formats) == [[.iBeacon], [.iBeacon]])
        #expect(rows.map(\.count) == [2, 2])
    }

    @Test mutating func `a name that comes before its beacon goes with it`() throws {
        let address: UInt64 = 0xC102_0304_0506
        table.heard(try ScanAir.heard(ScanAir.name("Tag"), from: address, type: 4), at: at(0))
        #expect(table.rows().map(\.id) == ["mac-c10203040506"])
        table.heard(try ScanAir.heard(ScanAir.iBeacon(minor: 3), from: address), at: at(1))
        #expect(table.rows().map(\.id) == [ScanAir.identity(minor: 3)])
        #expect(table.rows().map(\.name) == ["Tag"])
        #expect(table.rows().map(\.count) == [2])
    }

    @Test mutating func `a beacon whose address changes stays one`() throws {
        for turn in 0..<10 {
            let address = 0x4102_0304_0500 + UInt64(turn)
            table.heard(
                try ScanAir.heard(ScanAir.iBeacon(minor: 1), from: address), at: at(Double(turn)))
        }
        #expect(table.rows().map(\.count) == [10])
        #expect(table.rows().map(\.address) == ["41:02:03:04:05:09"])
        #expect(table.rows().map(\.addressKind) == ["rpa"])
    }

    @Test mutating func `the strongest is first, whoever has no level last`() throws {
        for (minor, level) in [(1, -80), (2, -50), (3, 127), (4, -60)] as [(UInt8, Int8)] {
            let data = ScanAir.iBeacon(minor: minor)
            table.heard(
                try ScanAir.heard(data, from: 0xC100 << 32 | UInt64(minor), level: level),
                at: at(0))
        }
        #expect(table.rows().map(\.id) == [2, 4, 1, 3].map { ScanAir.identity(minor: $0) })
        #expect(table.rows().last?.newest == nil)
    }

    @Test mutating func `rate and levels are of the last seconds`() throws {
        let heard = try ScanAir.heard(ScanAir.iBeacon(minor: 1), level: -70)
        let louder = try ScanAir.heard(ScanAir.iBeacon(minor: 1), level: -55)
        for tenth in 0..<200 { table.heard(heard, at: at(Double(tenth) / 10)) }
        table.heard(louder, at: at(19.95))
        var row = try #require(table.rows().first)
        #expect(abs(row.rate(at: at(20)) - 10) < 1.2)
        #expect(row.levels(at: at(19.99), length: 3) == [-70, -70, -55])
        #expect(row.levels(at: at(21), length: 4) == [-70, -55, nil, nil])
        // Silent since; the rate sinks to nothing, and what is older than thirty seconds is gone.
        #expect(row.rate(at: at(29.5)) < 1)
        #expect(row.rate(at: at(40)) == 0)
        #expect(row.levels(at: at(60)).allSatisfy { $0 == nil })
        row = try #require(table.rows(since: at(19)).first)
        #expect(table.rows(since: at(20)).isEmpty)
    }

    @Test func `one heard once has no rate of hundreds`() throws {
        var table = ScanTable()
        table.heard(try ScanAir.heard(ScanAir.iBeacon(minor: 1)), at: at(0.999))
        #expect(table.rows().map { $0.rate(at: at(1)) } == [1])
    }

    @Test func `a flood of made-up addresses forgets whoever was unheard for longest`() throws {
        var table = ScanTable(capacity: 100)
        for number in 0..<1_000 {
            let address = 0x4000_0000_0000 | UInt64(number)
            table.heard(
                try ScanAir.heard([2, 1, 6], from: address), at: at(Double(number) / 100))
        }
        #expect(table.transmitters == 100)
        #expect(table.forgotten == 900)
        #expect(table.rows().allSatisfy { $0.last >= at(9) })
    }

    @Test mutating func `formats and classes of everything sent are kept`() throws {
        let ruuvi: [UInt8] =
            [0x1B, 0xFF, 0x99, 0x04, 5, 0x12, 0xFC, 0x53, 0x94, 0xC3, 0x7C, 0, 4, 0xFF, 0xFC]
            + [0x04, 0x0C, 0xAC, 0x36, 0x42, 0, 0xCD, 0xC1, 2, 3, 4, 5, 6]
        table.heard(try ScanAir.heard(ruuvi), at: at(0))
        let telemetry: [UInt8] =
            [0x11, 0x16, 0xAA, 0xFE, 0x20, 0, 0x0B, 0xB8, 0x15, 0, 0, 0, 0, 1, 0, 0, 0, 2]
        table.heard(try ScanAir.heard(telemetry), at: at(1))
        let row = try #require(table.rows().first)
        #expect(row.formats == [.ruuviTag, .eddystoneTLM])
        #expect(row.device?.id == "ruuvitag")
        #expect(row.device?.deviceClass == "sensor")
        #expect(row.id == "mac-c10203040506")
    }
}
