import ArgumentParser
import Reporting
import SiteModel
import SiteStore
import Platform

/// In which zone a verb prints times.
struct TimeOptions: ParsableArguments {
    @Flag(help: "Print times in UTC, not as the clocks of the site show them.")
    var utc = false

    /// The clock to print by: the site's, unless UTC was asked for or no site was imported yet.
    func clock(of store: Store, at now: Timestamp) throws -> ZonedClock {
        guard !utc, try ReportRows(store).site() != nil else { return .utc }
        do {
            return ZonedClock(try ReportDesk(store, now: now).context.calendar, at: now)
        } catch let error as ZoneError {
            throw Exit(code: 1, text: "\(error), or print times with --utc")
        }
    }
}
