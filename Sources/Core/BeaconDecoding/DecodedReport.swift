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
