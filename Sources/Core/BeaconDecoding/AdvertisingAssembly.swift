/// The parts of extended advertisements whose rest is still to come, joined when it does.
///
/// Bounded, whatever the radio says: an advertisement that grows too long is given up, and of too
/// many at once the one that began first.
package struct AdvertisingAssembly: Sendable {
    /// The bytes an advertisement may have in all its parts (Bluetooth Core 5.4, Vol 6 Part B 2.3.4.9).
    package static let longest = 1650
    /// How many advertisements may be unfinished at once.
    package static let capacity = 512

    /// What became of a report.
    package enum Part: Equatable, Sendable {
        /// It stands for itself.
        case whole
        /// It was the last part; this is all there was.
        case joined([UInt8])
        /// It is kept, or belongs to what was given up: nothing is to be told yet.
        case held
    }

    /// Whose parts belong together.
    package struct Key: Hashable, Sendable {
        package var addressKind: AdvertisingReport.AddressKind
        package var address: UInt64
        package var set: UInt8
        package var isScanResponse: Bool

        package init(
            addressKind: AdvertisingReport.AddressKind, address: UInt64, set: UInt8,
            isScanResponse: Bool
        ) {
            self.addressKind = addressKind
            self.address = address
            self.set = set
            self.isScanResponse = isScanResponse
        }
    }

    fileprivate struct Chain: Sendable {
        var bytes: [UInt8] = []
        /// Chains are numbered in the order they began.
        var number: Int
        /// Too long: what still comes of it is swallowed.
        var isGivenUp = false
    }

    /// Advertisements given up so far.
    package private(set) var dropped = 0
    private var chains: [Key: Chain] = [:]
    private var began = 0

    package init() {}

    /// Takes the next report, read from `record`.
    package mutating func part(
        of report: AdvertisingReport, _ record: Span<UInt8>, _ data: Span<UInt8>,
        as layout: AdvertisingEvent.Layout
    ) -> Part {
        guard layout == .extended, !report.isLegacy else { return .whole }
        if report.dataStatus != .incomplete, chains.isEmpty { return .whole }
        let key = Key(report, set: record[11])
        guard report.dataStatus == .incomplete else { return end(key, data) }
        hold(key, data)
        return .held
    }

    /// Takes out what is held of an advertisement, if anything is.
    package mutating func remove(_ key: Key) -> [UInt8]? {
        guard let chain = chains.removeValue(forKey: key), !chain.isGivenUp else { return nil }
        return chain.bytes
    }

    private mutating func hold(_ key: Key, _ data: Span<UInt8>) {
        if chains[key] == nil {
            if chains.count == Self.capacity { dropOldest() }
            began += 1
            chains[key] = Chain(number: began)
        }
        if chains[key]?.append(data) == false { dropped += 1 }
    }

    private mutating func end(_ key: Key, _ data: Span<UInt8>) -> Part {
        guard var chain = chains.removeValue(forKey: key) else { return .whole }
        guard !chain.isGivenUp else { return .held }
        guard chain.append(data) else {
            dropped += 1
            return .held
        }
        return .joined(chain.bytes)
    }

    private mutating func dropOldest() {
        // The numbers differ, so the dictionary's order does not matter.
        guard let oldest = chains.min(by: { $0.value.number < $1.value.number }) else { return }
        chains[oldest.key] = nil
        if !oldest.value.isGivenUp { dropped += 1 }
    }
}

extension AdvertisingAssembly.Chain {
    /// Adds a part, unless that makes it too long; then it gives up and says `false`, once.
    mutating func append(_ data: Span<UInt8>) -> Bool {
        guard !isGivenUp else { return true }
        guard bytes.count + data.count <= AdvertisingAssembly.longest else {
            bytes = []
            isGivenUp = true
            return false
        }
        for index in data.indices { bytes.append(data[index]) }
        return true
    }
}

extension AdvertisingAssembly.Key {
    /// The key of an extended report of an advertising set.
    package init(_ report: AdvertisingReport, set: UInt8) {
        self.init(
            addressKind: report.addressKind, address: report.address, set: set,
            isScanResponse: report.isScanResponse)
    }
}
