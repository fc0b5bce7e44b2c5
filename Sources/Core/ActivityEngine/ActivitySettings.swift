import Basics
import SiteModel

/// What somebody has set for their activity. Goals stand beside it: they have a history.
package struct ActivitySettings: Equatable, Sendable, Codable {
    /// Which units are shown.
    package enum Units: String, CaseIterable, Sendable, Codable {
        case kilometres = "km"
        case miles = "mi"
    }

    /// When somebody is reminded to move.
    package struct Reminder: Equatable, Sendable, Codable {
        /// By the clocks on the wall.
        package var at: LocalTime
        /// 1 Monday to 7 Sunday, each once, sorted.
        package var weekdays: [Int]

        package init(at: LocalTime, weekdays: [Int]) {
            self.at = at
            self.weekdays = weekdays
        }
    }

    /// The goal of a day: steps from a day on, until the next one; `nil` steps: none.
    package struct Goal: Equatable, Sendable, Codable {
        package var from: LocalDate
        package var steps: Int64?

        package init(from: LocalDate, steps: Int64?) {
            self.from = from
            self.steps = steps
        }
    }

    package var reminder: Reminder?
    package var units = Units.kilometres
    package var primary: String?
    package var body = BodyFigures()

    package init() {}
}

extension Sequence where Element == ActivitySettings.Goal {
    /// The goal that holds on a day; `nil`: none.
    package func goal(on date: LocalDate) -> Int64? {
        self.filter { $0.from <= date }.max { $0.from < $1.from }?.steps
    }
}
