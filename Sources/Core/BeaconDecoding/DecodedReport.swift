/// One advertisement with everything it says.
public struct DecodedReport: Equatable, Sendable {
    /// What the controller said about it, or `nil` if only its data are known.
    public var header: AdvertisingHeader?
    /// Who sent it, or `nil` if nobody said.
    public var sender: Sender?
    /// All its data, parts joined.
    public var data: [UInt8]
    /// What the data say.
    public var contents: AdvertisingContents
    /// The label of the key that resolves the sender's private address, or `nil`.
    public var owner: String?
    /// The rule that tells what sort of device it is, or `nil` if none does.
    public var device: DeviceRule?

    /// An address and its kind.
    public struct Sender: Equatable, Sendable {
        /// In the low 48 bits, or `nil` for an advertiser without one.
        public var address: UInt64?
        /// What sort of address it is, or `nil` if nobody said.
        public var kind: AdvertisingReport.AddressKind?

        /// An address as it was told.
        public init(address: UInt64?, kind: AdvertisingReport.AddressKind?) {
            self.address = address
            self.kind = kind
        }
    }

    init(
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
public struct DecodedPacket: Equatable, Sendable {
    /// In a word.
    public enum Status: String, Sendable {
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
    public var reports: [DecodedReport] = []
    /// What was wrong, each fault once, in the order met.
    public private(set) var faults: [DecodingFault] = []
    /// Whether it was about advertisements.
    public var isAdvertising = false

    /// Nothing yet.
    public init() {}

    /// In a word.
    public var status: Status {
        guard faults.isEmpty else { return reports.isEmpty ? .error : .partial }
        return isAdvertising ? .ok : .ignored
    }

    /// Notes a fault.
    public mutating func add(_ fault: DecodingFault) {
        if !faults.contains(fault) { faults.append(fault) }
    }

    mutating func add(_ report: DecodedReport) {
        reports.append(report)
        for fault in report.contents.faults { add(fault) }
    }
}
