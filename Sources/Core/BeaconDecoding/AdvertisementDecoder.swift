import SiteModel

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

/// One advertisement with everything it says.
package struct DecodedReport: Equatable, Sendable {
    /// What the controller said about it, or `nil` if only its data are known.
    package var header: AdvertisingHeader?
    /// Who sent it, or `nil` if nobody said.
    package var sender: Sender?
    /// All its data, parts joined.
    package var data: [UInt8]
    /// What the data say.
    package var contents: AdvertisingContents
    /// The label of the key that resolves the sender's private address, or `nil`.
    package var owner: String?
    /// The rule that tells what sort of device it is, or `nil` if none does.
    package var device: DeviceRule?

    /// An address and its kind.
    package struct Sender: Equatable, Sendable {
        /// In the low 48 bits, or `nil` for an advertiser without one.
        package var address: UInt64?
        /// What sort of address it is, or `nil` if nobody said.
        package var kind: AdvertisingReport.AddressKind?

        /// An address as it was told.
        package init(address: UInt64?, kind: AdvertisingReport.AddressKind?) {
            self.address = address
            self.kind = kind
        }
    }

    package init(
        header: AdvertisingHeader?, sender: Sender?, data: Span<UInt8>, keys: DecodingKeys,
        rules: [DeviceRule]
    ) {
        self.header = header
        self.sender = sender
        self.data = data.bytes
        contents = AdvertisingContents(data, sender: sender?.address, keys: keys)
        let publicAddress = sender?.kind == .public ? sender?.address : nil
        device = DeviceRule.surest(of: rules, for: contents, publicAddress: publicAddress)
            .map { rules[$0] }
        guard sender?.kind == .random, let address = sender?.address else { return }
        owner = PrivateAddress.owner(of: address, keys: keys)
    }
}

/// What one packet, or several that belong together, came to.
package struct DecodedPacket: Equatable, Sendable {
    package enum Status: String, Sendable {
        /// Nothing wrong.
        case ok
        /// Something wrong, and at least one report.
        case partial
        /// Something wrong, and no report.
        case error
        /// Well-formed, and not about advertisements.
        case ignored
    }

    /// The advertisements, in order.
    package var reports: [DecodedReport] = []
    /// What was wrong, each fault once, in the order met.
    package private(set) var faults: [DecodingFault] = []
    /// Whether it was about advertisements.
    package var isAdvertising = false

    package init() {}

    package var status: Status {
        guard faults.isEmpty else { return reports.isEmpty ? .error : .partial }
        return isAdvertising ? .ok : .ignored
    }

    package mutating func add(_ fault: DecodingFault) {
        if !faults.contains(fault) { faults.append(fault) }
    }

    package mutating func add(_ report: DecodedReport) {
        reports.append(report)
        for fault in report.contents.faults { add(fault) }
    }
}

/// What is wrong with an advertisement, by the code that `beaconmesh decode` prints.
package enum DecodingFault: String, Error, Sendable, CaseIterable {
    /// The text is no hexadecimal, or no line we understand.
    case badHex = "bad-hex"
    /// The packet is of another type than an event.
    case notHCIEvent = "not-hci-event"
    /// Fewer bytes than the packet's header says.
    case truncatedEvent = "truncated-event"
    /// More bytes than the packet's header says.
    case trailingBytes = "trailing-bytes"
    /// The event announces no report.
    case noReports = "no-reports"
    /// A report runs past the end of its event.
    case truncatedReport = "truncated-report"
    /// Bytes are left after the announced reports.
    case extraReportBytes = "extra-report-bytes"
    /// A type of advertisement that is not defined.
    case badEventType = "bad-event-type"
    /// A type of address that is not defined.
    case badAddressType = "bad-address-type"
    /// More than 31 bytes in a legacy report.
    case legacyDataTooLong = "legacy-data-too-long"
    /// A structure runs past the end of the data.
    case overrun = "ad-overrun"
    /// Something stands behind the length of 0 that ends the data.
    case dataAfterTerminator = "ad-data-after-terminator"
    /// A structure is too short for its type, or no multiple of its element.
    case badLength = "ad-bad-length"
    case eddystoneTruncated = "eddystone-truncated"
    /// The scheme of a web address is none of the four.
    case eddystoneScheme = "eddystone-url-scheme"
    /// A byte of a web address stands for nothing.
    case eddystoneCharacter = "eddystone-url-byte"
    /// Telemetry of a version that is not defined.
    case eddystoneVersion = "eddystone-tlm-version"
    /// BTHome of another version than 2.
    case bthomeVersion = "bthome-version"
    case bthomeTruncated = "bthome-truncated"
    /// An object whose length nobody knows, so that the rest cannot be read.
    case bthomeUnknownObject = "bthome-unknown-object"
    /// The key does not fit, or the message was changed.
    case bthomeBadCheck = "bthome-bad-mic"
    /// Encrypted, and there is no key: nothing wrong with the advertisement.
    case bthomeNoKey = "bthome-no-key"
    case ruuviTruncated = "ruuvi-truncated"
    /// A format of RuuviTag that is not assigned.
    case ruuviFormat = "ruuvi-format"
    /// An advertisement in parts was given up: too long, or too many at once.
    case reassemblyOverflow = "reassembly-overflow"
}

/// The secrets that make encrypted and disguised advertisements readable, and the ciphers for it.
package struct DecodingKeys: Sendable {
    /// The key that resolves somebody's private addresses.
    package struct Resolving: Sendable {
        /// What to call the owner.
        package var label: String
        /// The identity resolving key, most significant byte first.
        package var key: Identity.Bytes16

        /// A key and whose it is.
        package init(label: String, key: Identity.Bytes16) {
            self.label = label
            self.key = key
        }
    }

    /// Keys of private addresses. The first that fits counts.
    package var resolving: [Resolving] = []
    /// Keys of encrypted BTHome, by the sender's address.
    package var sensors: [UInt64: Identity.Bytes16] = [:]
    /// Keys of Eddystone beacons with changing names. The first that fits counts.
    package var identities: [EddystoneIdentityKey] = []
    /// What the keys are used with.
    package var cryptography: Cryptography

    package init(cryptography: Cryptography) { self.cryptography = cryptography }
}

/// Who sent an advertisement, and how strong it should be.
package struct Identified: Equatable, Sendable {
    /// The transmitter's stable name.
    package var identity: Identity
    /// The level the sender claims to have at 1 m, as sent, or `nil` if it claims none.
    package var measuredPower: RSSI?

    package init(identity: Identity, measuredPower: RSSI?) {
        self.identity = identity
        self.measuredPower = measuredPower
    }
}

/// Finds the stable name in an advertisement.
package enum Identification {
    /// The first iBeacon of the data, else the first AltBeacon, else the first Eddystone UID, in
    /// whatever structure it stands; else the address if it is fixed; else `nil`.
    package static func identity(
        of report: AdvertisingReport, data: Span<UInt8>
    ) -> Identified? {
        beacon(in: data)
            ?? report.fixedAddress.map { Identified(identity: .address($0), measuredPower: nil) }
    }

    /// The beacon that advertising data hold, if any, in the same order. Allocates nothing.
    package static func beacon(in data: Span<UInt8>) -> Identified? { AdvertisedNames(data).beacon }
}
