import BeaconDecoding
import SiteModel

/// What a walk over a corpus found. Two walks that found the same did the same work.
struct DecodeTotals: Equatable {
    /// Advertising reports.
    var reports: UInt64 = 0
    /// Those with an identity.
    var identified: UInt64 = 0
    /// The sum of all levels in dBm.
    var levels: Int64 = 0
    /// The sum of all identities, each folded into 64 bits.
    var identities: UInt64 = 0

    /// Walks a corpus with the decoder of the nodes.
    init(decoding corpus: DecodeCorpus) {
        var totals = self
        let bytes = corpus.bytes.span
        var start = 0
        for end in corpus.ends {
            _ = AdvertisingEvent.forEachReport(in: bytes.extracting(start..<end)) { report, data in
                totals.reports += 1
                if let level = report.rssi { totals.levels += Int64(level.dBm) }
                guard let found = Identification.identity(of: report, data: data) else { return }
                totals.identified += 1
                totals.identities &+= Self.folded(found.identity)
            }
            start = end
        }
        self = totals
    }

    /// Reads the line of the walk in C: reports, identified, levels, identities.
    init?(words: [Substring]) {
        guard words.count >= 4, let reports = UInt64(words[0]), let identified = UInt64(words[1]),
            let levels = Int64(words[2]), let identities = UInt64(words[3])
        else { return nil }
        self.reports = reports
        self.identified = identified
        self.levels = levels
        self.identities = identities
    }

    private static func folded(_ identity: Identity) -> UInt64 {
        switch identity {
        case .iBeacon(let uuid, let major, let minor):
            uuid.high ^ (uuid.low &+ UInt64(major) << 16 &+ UInt64(minor))
        case .iBeaconRolling(let uuid, let major): uuid.high ^ (uuid.low &+ UInt64(major) << 16)
        case .altBeacon(let head, let tail): head.high ^ (head.low &+ UInt64(tail))
        case .eddystoneUID(let bytes): bytes.high ^ bytes.low
        case .address(let address): address
        // Rules and keys: nobody's name before it is looked up, which the walk does not.
        case .iBeaconRegion, .eddystoneNamespace, .eddystoneEID, .irk, .name: 0
        }
    }
}
