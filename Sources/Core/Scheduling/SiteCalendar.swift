import Basics
import SiteModel

/// What the clocks on the walls of a site show, and which day work counts for.
///
/// A business day begins when the clocks first show `dayStart` of its date or later, and lasts until
/// the next one begins. So business days follow one another without a gap or an overlap, whatever is
/// done to the clocks; most have 24 hours.
package struct SiteCalendar: Equatable, Sendable {
    /// A zone and since when the site goes by it.
    package struct Zone: Equatable, Sendable, Codable {
        /// The first moment by this zone's clocks.
        package var from: Timestamp
        package var table: TimeZoneTable

        package init(from: Timestamp, table: TimeZoneTable) {
            self.from = from
            self.table = table
        }

        /// Coordinated universal time, always.
        package static let utc = Zone(from: Timestamp(milliseconds: 0), table: .utc)
    }

    /// The moments at which the clocks show a date and a time.
    package enum Reading: Equatable, Sendable {
        /// As nearly always.
        case one(Timestamp)
        /// The clocks were set back over it: it comes twice.
        case ambiguous(Timestamp, Timestamp)
        /// The clocks were set forward over it: it never comes.
        case nonexistent
    }

    /// A stretch with one offset; it ends where the next begins.
    private struct Piece: Equatable, Sendable {
        var from: Int64
        var offset: Int64
    }

    /// How far from UTC a clock may be, and more, in milliseconds.
    private static let reach: Int64 = 2 * day
    private static let day: Int64 = 86_400_000

    /// When a business day begins, as the clocks show it.
    package let dayStart: LocalTime
    private let pieces: [Piece]
    private let names: [(from: Int64, name: String)]

    /// The calendar of a site.
    ///
    /// - Parameters:
    ///   - zones: The zones it went by, oldest first, at least one; the first holds for all time
    ///     before it too.
    ///   - dayStart: When a business day begins.
    package init(zones: [Zone], dayStart: LocalTime) {
        precondition(!zones.isEmpty, "a site is in some zone")
        self.dayStart = dayStart
        var pieces: [Piece] = []
        var names: [(from: Int64, name: String)] = []
        for (index, zone) in zones.enumerated() {
            let from = index == 0 ? Int64.min : zone.from.milliseconds
            let to = index + 1 < zones.count ? zones[index + 1].from.milliseconds : Int64.max
            guard from < to else { continue }
            names.append((from, zone.table.name))
            pieces.append(
                Piece(
                    from: from,
                    offset: zone.table.offset(at: .init(milliseconds: from)).milliseconds))
            for change in zone.table.transitions
            where change.at.milliseconds > from && change.at.milliseconds < to {
                pieces.append(
                    Piece(from: change.at.milliseconds, offset: change.offset.milliseconds))
            }
        }
        self.pieces = pieces
        self.names = names
    }

    /// A site that was always in one zone.
    package init(_ table: TimeZoneTable, dayStart: LocalTime) {
        self.init(
            zones: [Zone(from: Timestamp(milliseconds: 0), table: table)], dayStart: dayStart)
    }

    /// Two calendars are the same if their clocks show the same.
    package static func == (a: SiteCalendar, b: SiteCalendar) -> Bool {
        a.dayStart == b.dayStart && a.pieces == b.pieces
            && a.names.elementsEqual(b.names) { $0.from == $1.from && $0.name == $1.name }
    }
}

extension SiteCalendar {
    /// The IANA name of the zone the site goes by at a moment.
    package func zone(at moment: Timestamp) -> String {
        (names.last { $0.from <= moment.milliseconds } ?? names[0]).name
    }

    /// By how much the site's clocks are ahead of UTC at a moment.
    package func offset(at moment: Timestamp) -> Timestamp.Span {
        .milliseconds(pieces[index(at: moment.milliseconds)].offset)
    }

    /// What the site's clocks show at a moment, with their offset from UTC, as ISO 8601 has them:
    /// `2026-10-25 02:30:00+02:00`. Without it, the hour over which clocks are set back would be two.
    package func text(_ moment: Timestamp) -> String {
        let (date, time) = local(moment)
        let offset = offset(at: moment).milliseconds
        let minutes = Int(offset.magnitude) / 60_000
        let digits = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        let sign = offset < 0 ? "-" : "+"
        return "\(date) \(time.withSeconds)\(sign)\(digits.joined(separator: ":"))"
    }

    /// What the clocks show at a moment.
    package func local(_ moment: Timestamp) -> (date: LocalDate, time: LocalTime) {
        let wall = moment.milliseconds + offset(at: moment).milliseconds
        return (
            LocalDate(day: wall.quotientDown(Self.day)),
            LocalTime(millisecondsOfDay: wall.remainderDown(Self.day))
        )
    }

    /// When the clocks show a date and a time.
    package func moment(of date: LocalDate, _ time: LocalTime) -> Reading {
        let wall = date.day * Self.day + time.milliseconds
        var found: [Int64] = []
        var index = index(at: wall - Self.reach)
        while index < pieces.count, pieces[index].from <= wall + Self.reach {
            let moment = wall - pieces[index].offset
            if moment >= pieces[index].from, moment < end(of: index) { found.append(moment) }
            index += 1
        }
        guard let first = found.first, let last = found.last else { return .nonexistent }
        return first == last
            ? .one(Timestamp(milliseconds: first))
            : .ambiguous(Timestamp(milliseconds: first), Timestamp(milliseconds: last))
    }

    /// The first moment at which the clocks show a date and a time, or anything later.
    ///
    /// Where the time comes twice this is the first, where it never comes the end of the gap: plans
    /// are made for times of a clock, and someone must be told when to come.
    package func first(_ date: LocalDate, _ time: LocalTime) -> Timestamp {
        let wall = date.day * Self.day + time.milliseconds
        var index = index(at: wall - Self.reach)
        while max(pieces[index].from, wall - pieces[index].offset) >= end(of: index) { index += 1 }
        return Timestamp(milliseconds: max(pieces[index].from, wall - pieces[index].offset))
    }

    /// The business day a moment belongs to.
    package func businessDay(of moment: Timestamp) -> LocalDate {
        let wall = moment.milliseconds + offset(at: moment).milliseconds - dayStart.milliseconds
        var date = LocalDate(day: wall.quotientDown(Self.day))
        while first(date + 1, dayStart) <= moment { date = date + 1 }
        while first(date, dayStart) > moment { date = date + -1 }
        return date
    }

    /// From the beginning of a business day to that of the next: mostly 24 hours, 23 or 25 when the
    /// clocks are changed, none if they skip the date.
    package func bounds(of date: LocalDate) -> Interval {
        Interval(from: first(date, dayStart), to: first(date + 1, dayStart))
    }

    /// From the beginning of the first of some business days to the end of the last.
    package func bounds(of dates: ClosedRange<LocalDate>) -> Interval {
        Interval(
            from: first(dates.lowerBound, dayStart), to: first(dates.upperBound + 1, dayStart))
    }

    private func index(at moment: Int64) -> Int {
        // The first piece holds for all time before it, too.
        max(0, pieces.partitioningIndex { $0.from > moment } - 1)
    }

    private func end(of index: Int) -> Int64 {
        index + 1 < pieces.count ? pieces[index + 1].from : Int64.max
    }
}

/// By how much the clocks of a zone are ahead of UTC, and since when.
package struct TimeZoneTable: Equatable, Sendable, Codable {
    /// A change of the clocks.
    package struct Transition: Equatable, Sendable, Codable {
        /// From this moment on…
        package var at: Timestamp
        /// …local time is UTC plus this; negative west of Greenwich.
        package var offset: Timestamp.Span

        package init(at: Timestamp, offset: Timestamp.Span) {
            self.at = at
            self.offset = offset
        }
    }

    /// Its IANA name, for example `Europe/Berlin`.
    package var name: String
    /// The offset before the first transition.
    package var first: Timestamp.Span
    /// The changes, oldest first.
    package var transitions: [Transition]

    /// A zone. Offsets are less than a day either way, as all that ever were.
    package init(name: String, first: Timestamp.Span, transitions: [Transition]) {
        let day = 86_400_000
        precondition(
            ([first] + transitions.map(\.offset)).allSatisfy {
                abs($0.milliseconds) < day
            }, "an offset of a day or more")
        precondition(
            zip(transitions, transitions.dropFirst()).allSatisfy { $0.at < $1.at },
            "transitions out of order")
        self.name = name
        self.first = first
        self.transitions = transitions
    }

    /// Coordinated universal time, all the year.
    package static let utc = TimeZoneTable(name: "UTC", first: .milliseconds(0), transitions: [])

    /// By how much local time is ahead of UTC at a moment.
    package func offset(at moment: Timestamp) -> Timestamp.Span {
        let index = transitions.count { $0.at <= moment }
        return index == 0 ? first : transitions[index - 1].offset
    }
}
