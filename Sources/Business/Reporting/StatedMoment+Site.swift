import Records
import SiteModel
import SiteStore

extension StatedMoment {
    /// By the clocks of the site that a database holds. Throws a `StoreError`, a `ReportError` where no
    /// site was imported, a `ZoneError` where its zone is not known here.
    package init(site store: Store, at now: Timestamp) throws {
        self.init(calendar: try ReportDesk(store, now: now).context.calendar)
    }
}
