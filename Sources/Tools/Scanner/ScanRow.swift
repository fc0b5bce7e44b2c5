import BeaconDecoding
import NodeEngine
import SiteModel

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
