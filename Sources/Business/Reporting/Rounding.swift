import SiteModel

/// How lengths are rounded when a report is written. Nothing is ever rounded before, sums neither.
package struct Rounding: Equatable, Sendable, CustomStringConvertible {
    package enum Mode: String, CaseIterable, Sendable {
        /// Not at all: whole milliseconds.
        case none
        case ceil
        case floor
        /// To the nearest; a half goes up.
        case nearest
    }

    package var mode: Mode
    /// To a multiple of so many minutes, from 1.
    package var minutes: Int

    package static let exact = Rounding(mode: .none, minutes: 1)

    package init(mode: Mode, minutes: Int) {
        precondition(minutes >= 1, "rounded to less than a minute")
        self.mode = mode
        self.minutes = minutes
    }

    package func callAsFunction(_ length: Timestamp.Span) -> Timestamp.Span {
        let step = Int64(minutes) * 60_000
        let value = length.milliseconds
        let down = value - ((value % step) + step) % step
        switch mode {
        case .none: return length
        case .floor: return .milliseconds(down)
        case .ceil: return .milliseconds(down == value ? down : down + step)
        case .nearest: return .milliseconds((value - down) * 2 >= step ? down + step : down)
        }
    }

    /// `none`, or for example `nearest 5 min`.
    package var description: String {
        mode == .none ? "none" : "\(mode.rawValue) \(minutes) min"
    }
}
