import Reporting
import Simulation
import SiteModel
import SiteStore

/// The month sheets of a simulated site, added up, against its sessions.
struct MonthSheets: Codable, Equatable {
    /// What the lines of all days of all people say they were present, in seconds.
    var sheets = 0.0
    /// How long their sessions are without breaks, in seconds.
    var sessions = 0.0

    /// Reads both from a site's database.
    init(_ store: Store, _ life: MonthLife) throws {
        let desk = try ReportDesk(store, now: life.end)
        let calendar = desk.context.calendar
        let days = calendar.businessDay(of: life.start)...calendar.businessDay(of: life.end)
        for person in try ReportRows(store).people() {
            let record = try ReportRows(store).record(
                of: person.user, touching: Interval(from: life.start, to: life.end))
            let rows = DaySheet.rows(
                of: PersonRecord(
                    user: person.user, slug: person.slug, name: person.name,
                    sessions: record.sessions), days: days, desk.context)
            sheets += rows.reduce(0) { $0 + $1.present.seconds }
        }
        for session in try AttendanceTable(store).everySession() {
            let breaks = session.breaks.reduce(0) { $0 + $1.length.seconds }
            sessions += ((session.to ?? session.from) - session.from).seconds - breaks
        }
    }
}
