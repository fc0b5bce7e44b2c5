import BeaconDecoding
import Broker
import Glibc
import SiteModel
import Platform
import Wire

/// Listens through a node's radio: asks it, by a lease, to tell every advertisement.
package struct RemoteScan {
    /// The node to look through, and its site.
    package var node: String
    package var site: String
    package var address: BrokerAddress
    /// Whether what identifies strangers' devices is withheld.
    package var isRedacted: Bool
    /// The most advertisements a second.
    package var perSecond: Int64
    /// How long, in seconds, or `nil` until somebody stops us.
    package var seconds: Double?

    package init(
        node: String, site: String, address: BrokerAddress, isRedacted: Bool, perSecond: Int64,
        seconds: Double? = nil
    ) {
        self.node = node
        self.site = site
        self.address = address
        self.isRedacted = isRedacted
        self.perSecond = perSecond
        self.seconds = seconds
    }

    /// The time without an advertisement after which the user is told that nothing comes.
    private static let patience = Timestamp.Span.seconds(10)

    /// Listens until it is time to stop, and ends the lease. Throws an `Exit` that says what to do if
    /// nothing can come.
    package func run(_ view: inout ScanView, decoder: inout ScanDecoder) throws {
        let clock = AnchoredClock()
        let session = LeaseSession(
            topics: SiteTopics(site: site), node: node, address: address,
            terms: LeaseSession.Terms(perSecond: perSecond, isRedacted: isRedacted), clock: clock)
        defer { session.end() }
        let start = clock.now
        let end = seconds.map { start + .seconds($0) }
        var newest = start
        while !StopSignal.isRaised {
            let now = clock.now
            if let end, now >= end { break }
            try session.work(until: min(view.deadline(after: now), end ?? now + .seconds(1)))
            for raw in session.takeAdvertisements() {
                newest = clock.now
                view.title = Self.title(node, leftOut: raw.leftOut)
                guard let heard = decoder.advertisement(raw) else { continue }
                // By our clock: the node's may be another.
                try view.heard(heard, at: newest, leftOut: raw.leftOut)
            }
            view.note =
                session.trouble
                ?? (clock.now - newest < Self.patience
                    ? "" : "nothing comes: see node/\(node)/health for its radio")
            try view.tick(at: clock.now)
        }
        try view.finish(at: clock.now)
    }

    private static func title(_ node: String, leftOut: Int64) -> String {
        leftOut == 0 ? node : "\(node) · \(leftOut) left out by its limit"
    }
}

extension ScanDecoder {
    /// What a node told of an advertisement.
    package mutating func advertisement(_ raw: RawPayload) -> HeardAdvertisement? {
        let number = HexText.address(raw.addr)
        let report = contents(
            of: raw.data ?? [], address: number, kind: AdvertisingReport.AddressKind(raw.addrType))
        guard let report else { return nil }
        var heard = HeardAdvertisement(report)
        heard.level = raw.rssi.flatMap { Int8(exactly: $0.rounded()) }
        heard.address = number.map { HexText.text(address: $0) } ?? raw.addr
        heard.addressKind = raw.addrType.rawValue
        heard.event = raw.event.rawValue
        if heard.identity == nil, let number, raw.addrType.isFixed {
            heard.identity = .address(number)
        }
        return heard
    }
}

extension RawPayload.AddressType {
    /// Whether such an address is there to stay.
    fileprivate var isFixed: Bool {
        switch self {
        case .public, .randomStatic, .publicIdentity, .randomIdentity: true
        case .rpa, .nrpa, .reserved, .anonymous: false
        }
    }
}

extension AdvertisingReport.AddressKind {
    fileprivate init(_ type: RawPayload.AddressType) {
        self =
            switch type {
            case .public: .public
            case .randomStatic, .rpa, .nrpa, .reserved: .random
            case .publicIdentity: .publicIdentity
            case .randomIdentity: .randomIdentity
            case .anonymous: .anonymous
            }
    }
}
