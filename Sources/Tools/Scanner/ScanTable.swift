import BeaconDecoding
import NodeEngine
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

/// What is known about one transmitter.
package struct ScanRow {
    /// How many seconds are remembered, one figure each.
    static let memory = 30
    /// The seconds over which the rate is computed.
    private static let rateSpan: Int64 = 10
    /// The most formats kept of one transmitter.
    private static let mostFormats = 6

    private struct Second {
        var number: Int64 = .min
        var count = 0
        var strongest: Double?
    }

    /// The identity as `identity:` in site.yaml takes it, or the address of one that has none.
    private(set) var id: String
    /// When it was first heard.
    let first: Timestamp
    /// When it was last heard.
    private(set) var last: Timestamp
    /// The last address, as people write it.
    private(set) var address = ""
    /// What sort of address that is.
    private(set) var addressKind = ""
    /// What it calls itself: hostile text. `nil` if it has not said.
    private(set) var name: String?
    /// Whether that is all of its name.
    private var isNameComplete = false
    /// What it sends.
    private(set) var formats: [BeaconFrame.Format] = []
    /// What sort of device it is; the surest of the rules that held.
    private(set) var device: DeviceRule?
    /// Advertisements heard.
    private(set) var count = 0
    /// The level in dBm as last heard, possible or not; `nil` if the controller had none.
    private(set) var newest: Int8?
    /// The steadied level.
    private(set) var smoother = Smoother()
    private var seconds = [Second](repeating: Second(), count: Self.memory)

    init(id: String, at moment: Timestamp) {
        self.id = id
        (first, last) = (moment, moment)
    }

    /// The same, under the name it turned out to have.
    func renamed(_ id: String) -> ScanRow {
        var row = self
        row.id = id
        return row
    }

    /// One more advertisement of it.
    mutating func heard(_ advertisement: HeardAdvertisement, at moment: Timestamp) {
        last = max(last, moment)
        count += 1
        address = advertisement.address
        addressKind = advertisement.addressKind
        if let said = advertisement.contents.name, !said.text.isEmpty,
            said.isComplete || !isNameComplete
        {
            (name, isNameComplete) = (said.text, said.isComplete)
        }
        for format in advertisement.formats
        where formats.count < Self.mostFormats && !formats.contains(format) {
            formats.append(format)
        }
        if let rule = advertisement.device, rule.confidence > device?.confidence ?? -1 {
            device = rule
        }
        newest = advertisement.level
        let level = advertisement.level.flatMap { RSSI(hci: UInt8(bitPattern: $0)) }
        if let level { smoother.heard(level, at: moment) }
        note(level, at: moment.second)
    }

    private mutating func note(_ level: RSSI?, at number: Int64) {
        let place = Self.place(number)
        if seconds[place].number != number { seconds[place] = Second(number: number) }
        seconds[place].count += 1
        guard let level else { return }
        seconds[place].strongest = max(seconds[place].strongest ?? level.dBm, level.dBm)
    }

    /// The strongest level of each of the last `length` seconds, at most `memory`, the present one
    /// last; `nil` where nothing was heard.
    func levels(at now: Timestamp, length: Int = Self.memory) -> [Double?] {
        let length = min(length, Self.memory)
        return (0..<Int64(length)).map { index in
            let number = now.second - Int64(length) + 1 + index
            let second = seconds[Self.place(number)]
            return second.number == number ? second.strongest : nil
        }
    }

    /// Advertisements a second, of the last ten seconds or since it was first heard.
    func rate(at now: Timestamp) -> Double {
        let start = now.second - Self.rateSpan + 1
        let heard = seconds.reduce(0) { sum, second in
            (start...now.second).contains(second.number) ? sum + second.count : sum
        }
        let elapsed = now - max(first, Timestamp(second: start))
        return Double(heard) / max(1, elapsed.seconds)
    }

    private static func place(_ number: Int64) -> Int {
        let rest = Int(number % Int64(memory))
        return rest < 0 ? rest + memory : rest
    }
}
