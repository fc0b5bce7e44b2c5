import SiteModel

/// A report as a table: what its columns mean, not yet how they are written.
package struct Sheet: Sendable {
    /// What is in a column.
    package enum Kind: Sendable {
        /// Text, hostile or not.
        case text
        case count
        /// A length of time: written as `…_s`, in seconds.
        case length
        /// A moment: written as `…_ms`, Unix milliseconds, and as `…_local`, what the site's clocks
        /// showed, and by how much they were ahead of UTC.
        case moment
        case date
        /// Yes or no.
        case flag
        /// Several words.
        case words
    }

    /// A column.
    package struct Column: Sendable {
        /// Its name without the unit. Names never change.
        package var name: String
        package var kind: Kind

        package init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// What stands in a row under a column of its kind. `nil` in a row means: nothing.
    package enum Cell: Equatable, Sendable {
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
    package var report: String
    /// The site's slug.
    package var site: String
    /// Whether the site is a demonstration: nothing in it happened.
    package var isDemo: Bool
    /// What was asked for.
    package var asked: Interval
    /// The site's clocks.
    package var calendar: SiteCalendar
    package var columns: [Column]
    /// How lengths are rounded.
    package var rounding: Rounding

    package init(
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
    package func local(_ moment: Timestamp) -> String { calendar.text(moment) }
}
