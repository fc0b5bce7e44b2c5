/// Everything the controller says about one advertisement, for people who look at single packets.
package struct AdvertisingHeader: Equatable, Sendable {
    /// The event that carried the report.
    package enum Source: String, Sendable {
        case legacy
        case extended
        case direct
    }

    /// The packet that was in the air.
    package enum PDU: String, Sendable {
        case connectable = "ADV_IND"
        case directed = "ADV_DIRECT_IND"
        case scannable = "ADV_SCAN_IND"
        case plain = "ADV_NONCONN_IND"
        case scanResponse = "SCAN_RSP"
        /// Any packet of extended advertising.
        case extended = "EXT"
    }

    /// How a packet was modulated.
    package enum PHY: UInt8, Sendable {
        case none = 0
        case oneMegabit = 1
        case twoMegabit = 2
        case coded = 3

        /// The usual short name.
        package var text: String {
            switch self {
            case .none: "none"
            case .oneMegabit: "1M"
            case .twoMegabit: "2M"
            case .coded: "coded"
            }
        }
    }

    /// What only extended reports say.
    package struct Extended: Equatable, Sendable {
        /// The PHY of the primary channels, or `nil` for a number that is not assigned.
        package var primary: PHY?
        /// The PHY of the secondary channel, or `nil` for a number that is not assigned.
        package var secondary: PHY?
        /// The advertising set, 0 ... 15, or `nil` when there is none.
        package var set: UInt8?
        /// The power of the sender in dBm, or `nil` when it is not told.
        package var txPower: Int8?
        /// The interval of periodic advertising in units of 1.25 ms, or `nil` without any.
        package var periodicInterval: UInt16?
    }

    /// Address, properties and how much of the data there is.
    package var report: AdvertisingReport
    /// The event that carried it.
    package var source: Source
    /// The packet that was in the air.
    package var pdu: PDU
    /// The level in dBm as the controller said it, even where no radio can measure it, or `nil` for
    /// 127, “not available”.
    package var level: Int8?
    /// What only extended reports say.
    package var extended: Extended?
    /// Whom a directed advertisement called, or `nil` if the event does not tell.
    package var called: UInt64?
}

extension AdvertisingHeader {
    /// Reads the rest of a record that was found to be `report`.
    package init(
        _ report: AdvertisingReport, _ record: Span<UInt8>, as layout: AdvertisingEvent.Layout
    ) {
        self.report = report
        pdu = PDU(of: report)
        let level: UInt8
        switch layout {
        case .legacy:
            source = .legacy
            level = record[record.count - 1]
        case .directed:
            source = .direct
            level = record[record.count - 1]
            called = record.address(at: 9)
        case .extended:
            source = .extended
            level = record[13]
            extended = Extended(record)
            if report.isDirected { called = record.address(at: 17) }
        }
        self.level = level == 0x7F ? nil : Int8(bitPattern: level)
    }
}

extension AdvertisingHeader.Extended {
    fileprivate init(_ record: Span<UInt8>) {
        primary = AdvertisingHeader.PHY(rawValue: record[9])
        secondary = AdvertisingHeader.PHY(rawValue: record[10])
        set = record[11] == 0xFF ? nil : record[11]
        txPower = record[12] == 0x7F ? nil : Int8(bitPattern: record[12])
        let interval = record.littleEndian16(at: 14)
        periodicInterval = interval == 0 ? nil : interval
    }
}

extension AdvertisingHeader.PDU {
    fileprivate init(of report: AdvertisingReport) {
        self =
            switch report {
            case let report where !report.isLegacy: .extended
            case let report where report.isScanResponse: .scanResponse
            case let report where report.isDirected: .directed
            case let report where report.isConnectable: .connectable
            case let report where report.isScannable: .scannable
            default: .plain
            }
    }
}
