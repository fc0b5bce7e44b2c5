import SiteModel

/// An HCI event of a scanning controller (Bluetooth Core 5.4, Vol 4 Part E 7.7.65), as an H4 packet:
/// type `04`, event `3E`, length, subevent, number of reports, reports.
///
/// Real controllers send the reports one after the other, each with all its fields, although the
/// specification can be read as one array per field.
///
/// An advertisement longer than 229 bytes arrives as several extended reports. It counts once, with
/// the RSSI of its last part, the one that does not say “more follows”; the parts before it are
/// counted as `fragments`.
package enum AdvertisingEvent {
    /// Walks the advertising reports of one H4 packet and calls `body` with each and its data, which
    /// is valid during the call only. Returns what was wrong, counted. A bad report spoils itself,
    /// and what follows it only where its length cannot be trusted.
    ///
    /// Parts are not joined: an identity that stands in an earlier part is not seen.
    package static func forEachReport(
        in packet: Span<UInt8>, _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) -> Outcome {
        forEachRecord(in: packet) { layout, record, data, outcome in
            guard let report = report(record, as: layout, into: &outcome) else { return }
            guard report.dataStatus != .incomplete else {
                outcome.fragments += 1
                return
            }
            outcome.reports += 1
            body(report, data)
        }
    }

    /// The same, with the parts of an advertisement joined. `assembly` holds them from packet to
    /// packet; what it had to drop is counted as `overflows`.
    package static func forEachReport(
        in packet: Span<UInt8>, joining assembly: inout AdvertisingAssembly,
        _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) -> Outcome {
        let droppedBefore = assembly.dropped
        var outcome = forEachRecord(in: packet) { layout, record, data, outcome in
            guard let report = report(record, as: layout, into: &outcome) else { return }
            // Nearly all, so they are not even looked for.
            guard !report.isLegacy else {
                outcome.reports += 1
                body(report, data)
                return
            }
            switch assembly.part(of: report, record, data, as: layout) {
            case .whole:
                outcome.reports += 1
                body(report, data)
            case .joined(let joined):
                outcome.reports += 1
                body(report, joined.span)
            case .held:
                outcome.fragments += 1
            }
        }
        outcome.overflows = assembly.dropped - droppedBefore
        return outcome
    }

    /// Walks the records of one H4 packet and calls `body` with each whole one, be what it may, its
    /// data and the counts so far.
    @inline(__always)
    static func forEachRecord(
        in packet: Span<UInt8>,
        _ body: (Layout, Span<UInt8>, Span<UInt8>, inout Outcome) -> Void
    ) -> Outcome {
        var outcome = Outcome()
        guard packet.count >= 3 else {
            outcome.truncated = 1
            return outcome
        }
        guard packet[0] == 0x04, packet[1] == 0x3E else {
            outcome.others = 1
            return outcome
        }
        let end = 3 + Int(packet[2])
        if packet.count > end { outcome.trailing += 1 }
        let parameters = packet.extracting(3..<min(end, packet.count))
        if packet.count < end { outcome.truncated += 1 }

        guard parameters.count >= 1, let layout = Layout(rawValue: parameters[0]) else {
            if outcome.truncated == 0 { outcome.others = 1 }
            return outcome
        }
        guard parameters.count >= 2 else {
            outcome.truncated = 1
            return outcome
        }
        walk(parameters, as: layout, into: &outcome, body)
        return outcome
    }

    /// The subevents that carry reports.
    package enum Layout: UInt8 {
        /// Type 1, address type 1, address 6, length 1, data, RSSI 1.
        case legacy = 0x02
        /// Type 1, address type 1, address 6, type and address of the one called 7, RSSI 1.
        case directed = 0x0B
        /// Type 2, address type 1, address 6, PHYs 2, set 1, power 1, RSSI 1, interval 2, type and
        /// address of the one called 7, length 1, data.
        case extended = 0x0D

        /// The bytes of a report without data.
        var fixedLength: Int {
            switch self {
            case .legacy: 10
            case .directed: 16
            case .extended: 24
            }
        }

        /// Where the length of the data stands, or `nil` if there are never any.
        var lengthOffset: Int? {
            switch self {
            case .legacy: 8
            case .directed: nil
            case .extended: 23
            }
        }
    }

    @inline(__always)
    private static func walk(
        _ parameters: Span<UInt8>, as layout: Layout, into outcome: inout Outcome,
        _ body: (Layout, Span<UInt8>, Span<UInt8>, inout Outcome) -> Void
    ) {
        let announced = Int(parameters[1])
        if announced == 0 { outcome.empty += 1 }
        var start = 2
        for _ in 0..<announced {
            let left = parameters.count - start
            var dataLength = 0
            if let offset = layout.lengthOffset, offset < left {
                dataLength = Int(parameters[start + offset])
            }
            let length = layout.fixedLength + dataLength
            guard length <= left else {
                // A packet that was cut off has been counted already.
                if outcome.truncated == 0 { outcome.truncated = 1 }
                return
            }
            let record = parameters.extracting(start..<start + length)
            let dataStart = (layout.lengthOffset ?? length - 1) + 1
            body(layout, record, record.extracting(dataStart..<dataStart + dataLength), &outcome)
            start += length
        }
        if start < parameters.count { outcome.trailing += 1 }
    }

    /// Reads one complete record, or counts why it is no report.
    package static func report(
        _ record: Span<UInt8>, as layout: Layout, into outcome: inout Outcome
    ) -> AdvertisingReport? {
        guard let kind = kind(of: record, as: layout) else {
            outcome.badEventType += 1
            return nil
        }
        let addressOffset = layout == .extended ? 2 : 1
        guard let addressKind = AdvertisingReport.AddressKind(rawValue: record[addressOffset]),
            addressKind != .anonymous || layout == .extended
        else {
            outcome.badAddressType += 1
            return nil
        }
        // Extended reports of legacy PDUs may be longer: some controllers append the answer to a
        // scan request.
        if layout == .legacy, record.count > layout.fixedLength + 31 { outcome.oversize += 1 }
        return AdvertisingReport(
            address: addressKind == .anonymous ? 0 : record.address(at: addressOffset + 1),
            addressKind: addressKind,
            rssi: RSSI(hci: record[layout == .extended ? 13 : record.count - 1]),
            isConnectable: kind.bits & 1 != 0, isScannable: kind.bits & 2 != 0,
            isDirected: kind.bits & 4 != 0, isScanResponse: kind.bits & 8 != 0,
            isLegacy: kind.bits & 0x10 != 0, dataStatus: kind.status)
    }

    /// The properties of an advertisement: the low five bits of an extended report's event type.
    private struct Kind {
        var bits: UInt16
        var status = AdvertisingReport.DataStatus.complete
    }

    private static func kind(of record: Span<UInt8>, as layout: Layout) -> Kind? {
        switch layout {
        case .legacy: legacyKind(record)
        // Nothing but a directed advertisement has a place in this event.
        case .directed: record[0] == 0x01 ? legacyKind(record) : nil
        case .extended: extendedKind(record)
        }
    }

    private static func legacyKind(_ record: Span<UInt8>) -> Kind? {
        switch record[0] {
        case 0x00: Kind(bits: 0b10011)  // ADV_IND
        case 0x01: Kind(bits: 0b10101)  // ADV_DIRECT_IND
        case 0x02: Kind(bits: 0b10010)  // ADV_SCAN_IND
        case 0x03: Kind(bits: 0b10000)  // ADV_NONCONN_IND
        case 0x04: Kind(bits: 0b11000)  // SCAN_RSP
        default: nil
        }
    }

    private static func extendedKind(_ record: Span<UInt8>) -> Kind? {
        // Bits 7 to 15 are reserved, yet controllers were seen that set bit 15.
        let type = record.littleEndian16(at: 0) & 0x7F
        let bits = type & 0x1F
        guard bits & 0x10 == 0 else {
            // A legacy PDU has one of six types and is always complete.
            switch bits {
            case 0x10, 0x12, 0x13, 0x15, 0x1A, 0x1B: return Kind(bits: bits)
            default: return nil
            }
        }
        switch type >> 5 {
        case 0: return Kind(bits: bits)
        case 1: return Kind(bits: bits, status: .incomplete)
        default: return Kind(bits: bits, status: .truncated)  // 3 is reserved.
        }
    }
}

extension AdvertisingEvent {
    /// What became of the packets walked: what was given, and what was wrong, counted.
    package struct Outcome: Equatable, Sendable {
        /// Reports given to the caller.
        package var reports = 0
        /// Extended reports held back because more of the same advertisement follows.
        package var fragments = 0
        /// Advertisements in parts that were given up: too long, or too many at once.
        package var overflows = 0
        /// Well-formed packets that are no advertising reports.
        package var others = 0
        /// Packets shorter than their header says, and reports that announce more than is there.
        package var truncated = 0
        /// Packets with bytes after their end, and events with bytes after their last report.
        package var trailing = 0
        /// Events that announce no report.
        package var empty = 0
        /// Reports of an event type the specification does not define; not given.
        package var badEventType = 0
        /// Reports of an address type the specification does not define; not given.
        package var badAddressType = 0
        /// Reports of the legacy event with more than 31 bytes of data; given all the same.
        package var oversize = 0

        package init() {}

        /// Everything that was wrong, whatever it was.
        package var faults: Int {
            truncated + trailing + empty + badEventType + badAddressType + oversize
                + overflows
        }

        /// Adds the counts of another packet.
        package static func += (total: inout Outcome, more: Outcome) {
            total.reports += more.reports
            total.fragments += more.fragments
            total.overflows += more.overflows
            total.others += more.others
            total.truncated += more.truncated
            total.trailing += more.trailing
            total.empty += more.empty
            total.badEventType += more.badEventType
            total.badAddressType += more.badAddressType
            total.oversize += more.oversize
        }
    }
}

/// What the controller says about one advertisement, beside its data.
package struct AdvertisingReport: Equatable, Sendable {
    /// What sort of address the advertiser showed.
    package enum AddressKind: UInt8, Sendable {
        case `public` = 0
        case random = 1
        /// A private address that the controller itself resolved to a public one.
        case publicIdentity = 2
        /// A private address that the controller itself resolved to a static random one.
        case randomIdentity = 3
        /// Extended advertising without any address; `address` is 0.
        case anonymous = 0xFF
    }

    /// How much of the advertisement's data is in the report.
    package enum DataStatus: String, Sendable {
        case complete
        /// More follows. Such a part is no report of its own: see `AdvertisingEvent`.
        case incomplete
        /// The controller lost the rest.
        case truncated
    }

    /// The advertiser's address, most significant byte first, in the low 48 bits.
    package var address: UInt64
    /// What sort of address that is.
    package var addressKind: AddressKind
    /// The level, or `nil` when the controller had none (127 on the wire).
    package var rssi: RSSI?
    /// Whether the advertiser accepts connections.
    package var isConnectable: Bool
    /// Whether the advertiser answers scan requests.
    package var isScannable: Bool
    /// Whether it called one particular device.
    package var isDirected: Bool
    /// Whether this answers an active scanner. Same address, other data: mostly without the beacon.
    package var isScanResponse: Bool
    /// Whether it was sent as Bluetooth 4 does, at most 31 bytes long.
    package var isLegacy: Bool
    /// Whether all data arrived.
    package var dataStatus: DataStatus

    /// The address if it is there to stay: public, or random and static (top bits 11; Bluetooth
    /// Core 5.4, Vol 6 Part B 1.3.2.1). `nil` for addresses that rotate and for none at all.
    package var fixedAddress: UInt64? {
        switch addressKind {
        case .public, .publicIdentity: address
        case .random, .randomIdentity: address >> 46 == 0b11 ? address : nil
        case .anonymous: nil
        }
    }
}
