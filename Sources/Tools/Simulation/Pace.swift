import Basics
import SiteModel

/// How long simulated people stay at things, and when they come.
package struct Pace: Equatable, Sendable {
    /// When somebody comes again.
    enum Return: Equatable, Sendable {
        /// Seconds until the next look.
        case after(seconds: ClosedRange<Double>)
        /// On some days, with this chance each, at a usual hour.
        case onSomeDays(chance: Double)
    }

    /// Seconds at one station.
    package var training: ClosedRange<Double>
    /// Seconds of rest between stations.
    package var resting: ClosedRange<Double>
    /// Seconds in the open in the middle of a visit: shorter than what ends a session by default.
    package var outside: ClosedRange<Double>
    /// Seconds from coming in to going home.
    package var visit: ClosedRange<Double>
    /// How visits follow each other.
    var comesBack: Return

    /// Everything happens soon, so that a page is lively: stations 40 ... 180 s, visits 5 ... 20
    /// min, away 1 ... 6 min; most people come in within half a minute of the start.
    package static let live = Pace(
        training: 40...180, resting: 20...60, outside: 15...45, visit: 300...1200,
        comesBack: .after(seconds: 60...360))

    /// As in a real gym: on about half the days a visit of 45 ... 90 min between 06:00 and 22:00
    /// local time, 5 ... 15 min at a station.
    package static let everyday = Pace(
        training: 300...900, resting: 60...240, outside: 15...45, visit: 2700...5400,
        comesBack: .onSomeDays(chance: 0.5))

    /// When the first visit of somebody begins, in a world that starts at `start`.
    func firstVisit(
        from start: Timestamp, ahead: Timestamp.Span, _ random: inout SeededRandom
    ) -> Timestamp {
        switch comesBack {
        case .after(let seconds):
            start + random.span(seconds: random.chance(0.75) ? 0...30 : seconds)
        case .onSomeDays: nextVisit(after: start, ahead: ahead, &random)
        }
    }

    /// When somebody comes again who went home at `moment`.
    func nextVisit(
        after moment: Timestamp, ahead: Timestamp.Span, _ random: inout SeededRandom
    ) -> Timestamp {
        switch comesBack {
        case .after(let seconds): return moment + random.span(seconds: seconds)
        case .onSomeDays(let chance):
            let day: Int64 = 86_400_000
            var midnight = (moment + ahead).milliseconds
            midnight -= (midnight % day + day) % day
            while true {
                let hours = Self.hours(&random)
                let sinceMidnight = Timestamp.Span.seconds(random.number(in: hours) * 3600)
                let begin = Timestamp(milliseconds: midnight) + sinceMidnight - ahead
                if random.chance(chance), begin > moment { return begin }
                midnight += day
            }
        }
    }

    /// Local hours in which people come: before work, at noon, after work.
    ///
    /// The last is early enough for the longest visit to end before 22:00.
    private static func hours(_ random: inout SeededRandom) -> ClosedRange<Double> {
        let part = random.unit()
        return part < 0.35 ? 6.2...9.5 : part < 0.5 ? 11...14 : 16.5...20.3
    }
}

extension SeededRandom {
    /// A length of time between two bounds in seconds, in whole milliseconds.
    package mutating func span(seconds range: ClosedRange<Double>) -> Timestamp.Span {
        .seconds(number(in: range))
    }
}
