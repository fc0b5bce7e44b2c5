import Foundation

/// How one ear hears somebody who stands still.
struct EarQuality {
    /// What the ear is called.
    var name: String
    /// The median level, in dBm.
    var median: Double
    /// 1.48 times the median absolute deviation, in dB.
    var scatter: Double
    /// The share of seconds in which it heard anything, 0 ... 1.
    var share: Double

    /// `nil` if it heard nothing.
    init?(name: String, levels: [Double?]) {
        let heard = levels.compactMap(\.self)
        guard let median = Self.median(heard) else { return nil }
        self.name = name
        self.median = median
        scatter = 1.48 * (Self.median(heard.map { abs($0 - median) }) ?? 0)
        share = Double(heard.count) / Double(levels.count)
    }

    /// The middle of some numbers, or `nil` if there are none.
    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle] + sorted[middle - 1]) / 2 : sorted[middle]
    }
}

/// Tells who stands still from who walks, by the levels alone.
///
/// Who turns round shadows some nodes and uncovers others by a few dB. Who walks off makes all of
/// them change: the mean change over the nodes is what tells.
enum Steadiness {
    /// Seconds on each side of a moment that are compared.
    static let window = 8
    /// What may change on average over two ears or more, and of one alone, in dB.
    static let mostOfSeveral = 8.0
    static let mostOfOne = 14.0

    /// The change of the last `window` seconds from those before, in dB, if it is more than somebody
    /// makes who stands still. `levels`: by ear, second by second, all as long.
    static func jump(_ levels: [[Double?]]) -> Double? {
        let changes = levels.compactMap { ear -> Double? in
            guard ear.count >= 2 * window else { return nil }
            let after = ear.suffix(window).compactMap(\.self)
            let before = ear.dropLast(window).suffix(window).compactMap(\.self)
            guard after.count * 2 >= window, before.count * 2 >= window,
                let new = EarQuality.median(after), let old = EarQuality.median(before)
            else { return nil }
            return abs(new - old)
        }
        guard !changes.isEmpty else { return nil }
        let mean = changes.reduce(0, +) / Double(changes.count)
        return mean >= (changes.count > 1 ? mostOfSeveral : mostOfOne) ? mean : nil
    }
}
