/// The units of a file that does not name its own.
package struct HistoryUnits: Equatable, Sendable {
    package enum Weight: String, Sendable, CaseIterable {
        case kilograms = "kg"
        /// Avoirdupois pounds: 453.59237 g, exactly (international yard and pound agreement, 1959).
        case pounds = "lb"
    }

    package enum Distance: String, Sendable, CaseIterable {
        case metres = "m"
        case kilometres = "km"
        /// International miles: 1609.344 m, exactly.
        case miles = "mi"
    }

    /// `nil`: unknown, and a file with weights that does not name their unit is refused.
    package var weight: Weight?
    /// `nil`: unknown, and a file with distances that does not name their unit is refused.
    package var distance: Distance?

    package init(weight: Weight? = nil, distance: Distance? = nil) {
        self.weight = weight
        self.distance = distance
    }
}

/// A unit in which other programs give an amount.
protocol ForeignUnit: Sendable {
    /// The unit of a heading or a cell, or `nil` for any other word. Case and points do not matter.
    init?(named word: String)
    /// By which millionths of it become ours: grams or metres.
    var ratio: Ratio { get }
    /// The most of ours that a set may have.
    static var most: Int64 { get }
    /// What people may say.
    static var names: String { get }
    /// What a cell may hold, in words.
    static var expectation: String { get }
}

extension HistoryUnits.Weight: ForeignUnit {
    init?(named word: String) {
        switch word.lowercased().filter(\.isLetter) {
        case "kg", "kgs": self = .kilograms
        case "lb", "lbs": self = .pounds
        default: return nil
        }
    }

    var ratio: Ratio {
        switch self {
        case .kilograms: Ratio(over: 1000)
        case .pounds: Ratio(45_359_237, over: 100_000_000_000)
        }
    }

    static let most: Int64 = 1_000_000
    static let names = "kg or lb"
    static let expectation = "a weight from 0 to 1000 kg"
}

extension HistoryUnits.Distance: ForeignUnit {
    init?(named word: String) {
        switch word.lowercased().filter(\.isLetter) {
        case "m", "meters", "metres": self = .metres
        case "km", "kilometers", "kilometres": self = .kilometres
        case "mi", "miles": self = .miles
        default: return nil
        }
    }

    var ratio: Ratio {
        switch self {
        case .metres: Ratio(over: 1_000_000)
        case .kilometres: Ratio(over: 1000)
        case .miles: Ratio(1_609_344, over: 1_000_000_000)
        }
    }

    static let most: Int64 = 1_000_000
    static let names = "m, km or mi"
    static let expectation = "a distance from 0 to 1000 km"
}

/// A column of weights or distances, with what is known of their unit.
struct MeasuredColumn<Unit: ForeignUnit>: Sendable {
    /// In small letters.
    let name: String
    /// The column that names the unit of each row; it need not be there.
    private let unitColumn: String
    private let headed: Unit?
    private let given: Unit?

    /// The column whose heading begins with a stem: `Weight`, `Weight (kg)` and `weight_kg` with
    /// “weight”. `nil` if there is none. Throws if there are two, or if its heading names a unit
    /// that nobody knows. `given` is what people say of files that name no unit.
    init?(_ stem: String, in header: HistoryHeader, given: Unit?) throws(HistoryFault) {
        unitColumn = "\(stem) unit"
        self.given = given
        let known = unitColumn
        let found = header.columns.filter { $0.hasPrefix(stem) && $0 != known }
        guard let heading = found.first else { return nil }
        guard found.count == 1 else {
            throw HistoryFault(
                line: header.line, column: found[1],
                "\(HistoryFault.shown(heading)) is there too, expected one of them")
        }
        name = heading.lowercased()
        let word = String(name.dropFirst(stem.count)).filter { !" ()_".contains($0) }
        headed = Unit(named: word)
        guard word.isEmpty || headed != nil else {
            throw HistoryFault(
                line: header.line, column: heading, "its unit is unknown, expected \(Unit.names)")
        }
    }

    /// The unit of a row: that of the heading, else that of the row, else what was given; `nil` if
    /// none is known. Throws if the row names one that nobody knows.
    func unit(in row: HistoryRow) throws(HistoryFault) -> Unit? {
        if let headed { return headed }
        let word = row.cell(unitColumn)
        if word.isEmpty { return given }
        guard let unit = Unit(named: word) else {
            throw row.fault(unitColumn, expected: Unit.names)
        }
        return unit
    }
}

/// A factor for millionths: multiply by the one, divide by the other.
struct Ratio: Equatable, Sendable {
    let numerator: Int64
    let denominator: Int64

    init(_ numerator: Int64 = 1, over denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
    }
}

/// A decimal number that is not negative, in millionths. Decimals behind the sixth do not count.
struct DecimalAmount: Equatable, Sendable {
    private static let places = 6

    let millionths: Int64
    /// How many decimals it was written with.
    let decimals: Int

    /// Digits, at most nine of them before a point, as in `80` and `80.25`; `nil` for any other
    /// text, so also for signs, exponents and formulas. With `allowsComma` also `80,5` and `80,25`:
    /// with three digits behind it the comma might separate thousands.
    init?(_ text: String, allowsComma: Bool) {
        var value: Int64 = 0
        var digits = 0
        var decimals: Int?
        var hasComma = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if let count = decimals {
                    decimals = count + 1
                    if count >= Self.places { continue }
                } else {
                    digits += 1
                    guard digits <= 9 else { return nil }
                }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: ".") where decimals == nil: decimals = 0
            case UInt8(ascii: ",") where decimals == nil && allowsComma:
                decimals = 0
                hasComma = true
            default: return nil
            }
        }
        guard digits > 0, decimals != 0, !hasComma || (decimals ?? 0) <= 2 else { return nil }
        self.decimals = decimals ?? 0
        for _ in min(self.decimals, Self.places)..<Self.places { value *= 10 }
        millionths = value
    }

    /// It in another unit, rounded to whole ones, halves up; `nil` if it is beyond all bounds.
    func rounded(_ ratio: Ratio) -> Int64? {
        let (product, isBeyond) = millionths.multipliedReportingOverflow(by: ratio.numerator)
        guard !isBeyond else { return nil }
        let (whole, rest) = product.quotientAndRemainder(dividingBy: ratio.denominator)
        return rest >= ratio.denominator - rest ? whole + 1 : whole
    }
}
