import SiteModel

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
