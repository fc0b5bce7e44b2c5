/// What the ears heard of one device in the last seconds: a beacon by fixed nodes, or fixed beacons by
/// a mobile node. Readings may come late and in any order.
package struct EarLog: Sendable {
    /// How many seconds are kept: those that may come late, and the window of a mean before them.
    static let length = 32
    private static let unheard = Int16.min

    private let width: Int
    /// Levels in hundredths of a dB: two bytes each, for there are many.
    private var levels: [Int16]
    /// Which second each slot holds.
    private var seconds: [Int64]
    /// The newest second in which anything was heard.
    private(set) var newest = Int64.min
    /// The earliest second that changed since it was last asked for.
    private(set) var changedFrom = Int64.max

    /// A log of `width` ears in which nothing was heard.
    init(width: Int) {
        self.width = width
        levels = Array(repeating: Self.unheard, count: width * Self.length)
        seconds = Array(repeating: .min, count: Self.length)
    }

    /// An ear heard `level` dBm, within ±300, in a second. What is older than the log is ignored.
    mutating func put(_ level: Double, ear: Int, second: Int64) {
        let slot = Self.slot(of: second)
        guard seconds[slot] <= second else { return }
        if seconds[slot] < second {
            seconds[slot] = second
            for index in slot * width..<(slot + 1) * width { levels[index] = Self.unheard }
        }
        levels[slot * width + ear] = Int16((level * 100).rounded())
        newest = max(newest, second)
        changedFrom = min(changedFrom, second)
    }

    /// What an ear heard in a second, in dBm.
    func level(ear: Int, second: Int64) -> Double? {
        let slot = Self.slot(of: second)
        guard seconds[slot] == second else { return nil }
        let level = levels[slot * width + ear]
        return level == Self.unheard ? nil : Double(level) / 100
    }

    /// Whether any ear heard anything in a second.
    func isHeard(in second: Int64) -> Bool { seconds[Self.slot(of: second)] == second }

    /// From now on only what comes after this counts as changed.
    mutating func settle() { changedFrom = .max }

    /// The bytes it takes.
    var bytes: Int { levels.count * 2 + seconds.count * 8 }

    private static func slot(of second: Int64) -> Int {
        Int(((second % Int64(length)) + Int64(length)) % Int64(length))
    }
}

/// Which nodes listened throughout each of the last seconds.
package struct ListenLog: Sendable {
    private let width: Int
    private var isListening: [Bool]
    private var seconds: [Int64]

    /// A log of `width` nodes that have not listened.
    init(width: Int) {
        self.width = width
        isListening = Array(repeating: false, count: width * EarLog.length)
        seconds = Array(repeating: .min, count: EarLog.length)
    }

    /// A node listened throughout a second.
    mutating func put(node: Int, second: Int64) {
        let slot = Self.slot(of: second)
        guard seconds[slot] <= second else { return }
        if seconds[slot] < second {
            seconds[slot] = second
            for index in slot * width..<(slot + 1) * width { isListening[index] = false }
        }
        isListening[slot * width + node] = true
    }

    /// Whether a node listened throughout a second.
    func listened(node: Int, second: Int64) -> Bool {
        let slot = Self.slot(of: second)
        return seconds[slot] == second && isListening[slot * width + node]
    }

    private static func slot(of second: Int64) -> Int {
        let length = Int64(EarLog.length)
        return Int(((second % length) + length) % length)
    }
}
