import Basics
import Scheduling
import SiteModel

/// A session, or the part of one that counts for a shift.
struct Counted {
    var session: Session
    var from: Timestamp
    /// To when; of an open session as far as it is known that they are there.
    var to: Timestamp
    /// Of an open session, how long nobody has known since.
    var unknown: Timestamp.Span
    /// Whether it goes on: they are in.
    var isOpen: Bool

    /// All of a session. `knownThrough`: see `PersonRecord`.
    init(_ session: Session, knownThrough: Timestamp?, _ context: ReportContext) {
        self.session = session
        from = session.from
        to = context.end(of: session, knownThrough: knownThrough)
        isOpen = session.to == nil
        unknown = isOpen ? max(.milliseconds(0), context.now - to) : .milliseconds(0)
    }

    /// The part of it inside an interval, which may be empty.
    func part(from: Timestamp, to: Timestamp) -> Counted {
        var part = self
        part.from = min(max(self.from, from), self.to)
        part.to = max(part.from, min(self.to, to))
        part.isOpen = isOpen && part.to == self.to
        if !part.isOpen { part.unknown = .milliseconds(0) }
        return part
    }

    /// Time that was recorded as a break, inside.
    var breaks: Timestamp.Span { length(of: session.breaks) }

    /// Time there without breaks.
    var present: Timestamp.Span {
        .milliseconds((to - from).milliseconds - breaks.milliseconds)
    }

    private func length(of intervals: [Interval]) -> Timestamp.Span {
        .milliseconds(
            intervals.reduce(0) { sum, pause in
                sum + max(0, (min(pause.to, to) - max(pause.from, from)).milliseconds)
            })
    }
}

/// How lengths are rounded when a report is written, each line by itself; a sum is that of the lines as they are
/// written.
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
    /// The minutes of which a length is rounded to a multiple, from 1.
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

/// How long somebody was in a room or at a station on a business day.
package struct PlaceTime: Equatable, Sendable {
    /// The day.
    package var date: LocalDate
    package var place: Stay.Place
    /// The time of all stays on that day; of an open one up to now.
    package var time: Timestamp.Span
    /// How many stays there were, or parts of them.
    package var stays: Int

    /// The times of one person, by day, rooms before stations, then by row. A stay over the end of a
    /// day counts for both days, with its part of each.
    package static func rows(
        of stays: [Stay], days: ClosedRange<LocalDate>, _ calendar: SiteCalendar, now: Timestamp
    ) -> [PlaceTime] {
        let asked = calendar.bounds(of: days)
        var rows: [LocalDate: [Stay.Place: PlaceTime]] = [:]
        for stay in stays {
            var from = max(stay.from, asked.from)
            let end = min(stay.to ?? max(stay.from, now), asked.to)
            while from < end {
                let date = calendar.businessDay(of: from)
                let to = min(end, calendar.bounds(of: date).to)
                var row =
                    rows[date]?[stay.place]
                    ?? PlaceTime(date: date, place: stay.place, time: .milliseconds(0), stays: 0)
                row.time = row.time + (to - from)
                row.stays += 1
                rows[date, default: [:]][stay.place] = row
                from = to
            }
        }
        return rows.values.flatMap(\.values).sorted { $0.order < $1.order }
    }

    private var order: (LocalDate, Int, Int64) {
        switch place {
        case .room(let room): (date, 0, room.row)
        case .station(let station): (date, 1, station.row)
        }
    }
}
