/// Decodes advertisements completely, for people who look at single packets. It allocates; what a
/// node does with every packet is `AdvertisingEvent.forEachReport`.
package struct AdvertisementDecoder: Sendable {
    private let keys: DecodingKeys
    private let rules: [DeviceRule]
    private var assembly = AdvertisingAssembly()

    /// A decoder that has heard nothing yet.
    package init(keys: DecodingKeys, rules: [DeviceRule] = []) {
        self.keys = keys
        self.rules = rules
    }

    /// Adds to `packet` what advertising data say of which nothing else is known but, perhaps, who
    /// sent them.
    package func decode(
        data: Span<UInt8>, from sender: DecodedReport.Sender?, into packet: inout DecodedPacket
    ) {
        packet.isAdvertising = true
        packet.add(
            DecodedReport(header: nil, sender: sender, data: data, keys: keys, rules: rules))
    }

    /// Adds to `packet` what the next H4 event says. Advertisements in parts are joined over events
    /// and come with their last part; if `isLast`, those still unfinished come as they are.
    package mutating func decode(
        event: Span<UInt8>, into packet: inout DecodedPacket, isLast: Bool = false
    ) {
        guard event.count == 0 || event[0] == 0x04 else {
            packet.add(.notHCIEvent)
            return
        }
        let droppedBefore = assembly.dropped
        var unfinished: [AdvertisingHeader] = []
        var reports: [DecodedReport] = []
        var outcome = AdvertisingEvent.forEachRecord(in: event) { layout, record, data, outcome in
            guard
                let report = AdvertisingEvent.report(record, as: layout, into: &outcome)
            else { return }
            let header = AdvertisingHeader(report, record, as: layout)
            switch assembly.part(of: report, record, data, as: layout) {
            case .whole: reports.append(decoded(header, data))
            case .joined(let joined): reports.append(decoded(header, joined.span))
            case .held: unfinished.append(header)
            }
        }
        if isLast {
            for header in unfinished.reversed() {
                let key = AdvertisingAssembly.Key(
                    header.report, set: header.extended?.set ?? .max)
                guard let bytes = assembly.remove(key) else { continue }
                reports.append(decoded(header, bytes.span))
            }
        }
        outcome.overflows = assembly.dropped - droppedBefore
        for report in reports { packet.add(report) }
        if outcome.others == 0 { packet.isAdvertising = true }
        note(outcome, of: event, in: &packet)
    }

    private func decoded(_ header: AdvertisingHeader, _ data: Span<UInt8>) -> DecodedReport {
        let kind = header.report.addressKind
        let address = kind == .anonymous ? nil : header.report.address
        return DecodedReport(
            header: header, sender: DecodedReport.Sender(address: address, kind: kind), data: data,
            keys: keys, rules: rules)
    }

    /// Names what was counted.
    private func note(
        _ outcome: AdvertisingEvent.Outcome, of event: Span<UInt8>, in packet: inout DecodedPacket
    ) {
        let length = event.count < 3 ? 3 : 3 + Int(event[2])
        if outcome.truncated > 0 {
            packet.add(event.count < length ? .truncatedEvent : .truncatedReport)
        }
        if event.count > length { packet.add(.trailingBytes) }
        if outcome.trailing > (event.count > length ? 1 : 0) { packet.add(.extraReportBytes) }
        if outcome.empty > 0 { packet.add(.noReports) }
        if outcome.badEventType > 0 { packet.add(.badEventType) }
        if outcome.badAddressType > 0 { packet.add(.badAddressType) }
        if outcome.oversize > 0 { packet.add(.legacyDataTooLong) }
        if outcome.overflows > 0 { packet.add(.reassemblyOverflow) }
    }
}
