import MeshCore

/// A report as a table: what its columns mean, not yet how they are written.
public struct Sheet: Sendable {
    /// What is in a column.
    public enum Kind: Sendable {
        /// Text, hostile or not.
        case text
        /// A whole number.
        case count
        /// A length of time: written as `…_s`, in seconds.
        case length
        /// A moment: written as `…_ms`, Unix milliseconds, and as `…_local`, what the site's clocks
        /// showed, and by how much they were ahead of UTC.
        case moment
        /// A date.
        case date
        /// Yes or no.
        case flag
        /// Several words.
        case words
    }

    /// A column.
    public struct Column: Sendable {
        /// Its name without the unit. Names never change.
        public var name: String
        /// What is in it.
        public var kind: Kind

        /// A column.
        public init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// What stands in a row under a column of its kind. `nil` in a row means: nothing.
    public enum Cell: Equatable, Sendable {
        /// Under a column of kind `text`.
        case text(String)
        /// Under `count`.
        case count(Int64)
        /// Under `length`.
        case length(Timestamp.Span)
        /// Under `moment`.
        case moment(Timestamp)
        /// Under `date`.
        case date(LocalDate)
        /// Under `flag`.
        case flag(Bool)
        /// Under `words`.
        case words([String])
    }

    /// Which report it is, for example `attendance-day`.
    public var report: String
    /// The site's slug.
    public var site: String
    /// Whether the site is a demonstration: nothing in it happened.
    public var isDemo: Bool
    /// What was asked for.
    public var asked: Interval
    /// The site's clocks.
    public var calendar: SiteCalendar
    /// The columns.
    public var columns: [Column]
    /// How lengths are rounded.
    public var rounding: Rounding

    /// A table without rows.
    public init(
        report: String, site: String, isDemo: Bool, asked: Interval, calendar: SiteCalendar,
        columns: [Column], rounding: Rounding = .exact
    ) {
        self.report = report
        self.site = site
        self.isDemo = isDemo
        self.asked = asked
        self.calendar = calendar
        self.columns = columns
        self.rounding = rounding
    }

    /// What the site's clocks showed: `2026-10-25 02:30:00+02:00`.
    func local(_ moment: Timestamp) -> String { calendar.text(moment) }
}

extension SiteCalendar {
    /// What the site's clocks show at a moment, with their offset from UTC, as ISO 8601 has them:
    /// `2026-10-25 02:30:00+02:00`. Without it, the hour over which clocks are set back would be two.
    public func text(_ moment: Timestamp) -> String {
        let (date, time) = local(moment)
        let offset = offset(at: moment).milliseconds
        let minutes = Int(offset.magnitude) / 60_000
        let digits = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        let sign = offset < 0 ? "-" : "+"
        return "\(date) \(time.withSeconds)\(sign)\(digits.joined(separator: ":"))"
    }
}
