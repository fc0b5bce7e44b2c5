import Basics
import SiteModel

extension SeededRandom {
    /// A length of time between two bounds in seconds, in whole milliseconds.
    package mutating func span(seconds range: ClosedRange<Double>) -> Timestamp.Span {
        .seconds(number(in: range))
    }
}
