import SiteModel

/// All transmitters heard, by identity: two of one name stay two, and one whose address changes
/// stays one if it says who it is.
///
/// It holds no clock. The caller sees to it that times do not run backwards.
package struct ScanTable {
    /// The most transmitters; then the one unheard for longest is forgotten.
    static let capacity = 4096
    /// The most addresses whose beacon is remembered.
    private static let addressCapacity = 8192

    /// Transmitters forgotten for want of room.
    private(set) var forgotten = 0
    /// Advertisements heard.
    private(set) var count = 0
    private var rows: [String: ScanRow] = [:]
    /// Which row an address's beacon has, so that what else it sends (names, readings, answers to a
    /// scanner) goes there, too.
    private var beaconsOfAddresses: [String: String] = [:]
    private let capacity: Int

    init(capacity: Int = Self.capacity) { self.capacity = max(1, capacity) }

    /// Transmitters known.
    var transmitters: Int { rows.count }

    /// Takes an advertisement and returns the row it belongs to.
    @discardableResult
    mutating func heard(_ advertisement: HeardAdvertisement, at moment: Timestamp) -> ScanRow {
        count += 1
        let id = id(of: advertisement)
        var row = rows[id] ?? ScanRow(id: id, at: moment)
        row.heard(advertisement, at: moment)
        if rows[id] == nil, rows.count >= capacity { forgetOldest() }
        rows[id] = row
        return row
    }

    /// The rows of those heard since `earliest`, the strongest first, then by identity.
    func rows(since earliest: Timestamp? = nil) -> [ScanRow] {
        rows.values.filter { row in earliest.map { row.last >= $0 } ?? true }.sorted { a, b in
            let levels = (a.smoother.level?.dBm, b.smoother.level?.dBm)
            let (first, second) = (levels.0 ?? -.infinity, levels.1 ?? -.infinity)
            return first == second ? a.id < b.id : first > second
        }
    }

    private mutating func id(of advertisement: HeardAdvertisement) -> String {
        let address = advertisement.address
        if let beacon = advertisement.beacon {
            let id = beacon.text
            if !address.isEmpty, beaconsOfAddresses[address] != id { remember(id, for: address) }
            return id
        }
        if let owner = advertisement.owner { return owner }
        if let id = beaconsOfAddresses[address] { return id }
        if let identity = advertisement.identity { return identity.text }
        return address.isEmpty ? "(no address)" : address
    }

    /// From now on what `address` sends is of the beacon `id`, and so is what it has sent, if that
    /// came first: an answer to a scanner may be heard before the beacon.
    private mutating func remember(_ id: String, for address: String) {
        if beaconsOfAddresses.count >= Self.addressCapacity { beaconsOfAddresses.removeAll() }
        beaconsOfAddresses[address] = id
        for earlier in [address, "mac-" + address.filter { $0 != ":" }] {
            guard let row = rows.removeValue(forKey: earlier) else { continue }
            if rows[id] == nil { rows[id] = row.renamed(id) }
        }
    }

    private mutating func forgetOldest() {
        let oldest = rows.values.min { a, b in (a.last, a.id) < (b.last, b.id) }
        guard let oldest else { return }
        rows[oldest.id] = nil
        forgotten += 1
    }
}
