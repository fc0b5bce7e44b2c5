/// What a clock on the wall shows, from 00:00 to before 24:00, on no day in particular.
package struct LocalTime: Hashable, Comparable, Sendable {
    /// Milliseconds that the clock shows since midnight, from 0 to 86,399,999. Not how long ago
    /// midnight was: that differs when the clock is changed.
    package let milliseconds: Int64

    /// A time of a clock, or `nil` if it never shows it.
    package init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        milliseconds = Int64((hour * 60 + minute) * 60 + second) * 1000
    }

    /// So many minutes after a clock's midnight, or `nil` unless from 0 to 1,439.
    package init?(minutes: Int) {
        guard minutes >= 0 else { return nil }
        self.init(hour: minutes / 60, minute: minutes % 60)
    }

    /// `22:00` or `22:00:30`; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5 || bytes.count == 8, bytes[2] == UInt8(ascii: ":"),
            let hour = Self.number(bytes[0..<2]), let minute = Self.number(bytes[3..<5])
        else { return nil }
        var second = 0
        if bytes.count == 8 {
            guard bytes[5] == UInt8(ascii: ":"), let last = Self.number(bytes[6..<8]) else {
                return nil
            }
            second = last
        }
        self.init(hour: hour, minute: minute, second: second)
    }

    /// 00:00.
    package static let midnight = LocalTime(millisecondsOfDay: 0)

    package init(millisecondsOfDay: Int64) { milliseconds = millisecondsOfDay }

    /// Whole minutes the clock shows since midnight.
    package var minutes: Int { Int(milliseconds / 60_000) }

    /// Earlier on the clock first.
    package static func < (a: LocalTime, b: LocalTime) -> Bool { a.milliseconds < b.milliseconds }

    /// A number of decimal digits only.
    package static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

extension LocalTime: CustomStringConvertible {
    /// `22:00`, with seconds only if there are any.
    package var description: String {
        let seconds = Int(milliseconds / 1000)
        return seconds % 60 == 0 ? String(withSeconds.dropLast(3)) : withSeconds
    }

    /// `22:00:00`, always with seconds.
    package var withSeconds: String {
        let seconds = Int(milliseconds / 1000)
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Self.twoDigits)
            .joined(separator: ":")
    }
}

extension LocalTime: Codable {
    /// Reads `22:00` or `22:00:30`.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = LocalTime(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no time of a clock"))
        }
        self = value
    }

    /// Writes `22:00` or `22:00:30`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
