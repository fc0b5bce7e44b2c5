import Foundation
import SiteModel
import SiteStore

/// What reports of a site are made from, at one moment.
package struct ReportDesk: Sendable {
    package let store: Store
    package let site: ReportSite
    package let context: ReportContext

    /// Reads what holds for everybody. Throws a `ReportError` where there is no site, a `ZoneError`
    /// where its zone is not known here.
    package init(_ store: Store, now: Timestamp) throws {
        guard let site = try ReportRows(store).site() else { throw ReportError.noSite(store.path) }
        self.store = store
        self.site = site
        let zones = try site.zones.map {
            SiteCalendar.Zone(from: $0.from, table: try TimeZoneTable(iana: $0.name))
        }
        guard !zones.isEmpty else { throw ReportError.noSite(store.path) }
        context = ReportContext(
            calendar: SiteCalendar(zones: zones, dayStart: site.dayStart), shifts: site.shifts,
            now: now, finalThrough: site.finalThrough)
    }

    /// The sheet of an order, without rows.
    package func sheet(for order: ReportOrder) -> Sheet {
        let columns: [Sheet.Column] =
            switch order.kind {
            case .day: DayReport.day.columns
            case .month: DayReport.month.columns
            case .overtime: DayReport.overtime.columns
            case .lateEarly: DayReport.lateEarly.columns
            case .timeInPlace: Sheet.Column.timeInPlace
            case .present: Sheet.Column.present
            case .between: Sheet.Column.between
            case .contacts: Sheet.Column.contacts
            case .twins: Sheet.Column.twins
            }
        return sheet(order.kind.rawValue, columns, order.asked, order.rounding)
    }

    /// A sheet of sessions, without rows.
    package func sheet(
        _ name: String, _ columns: [Sheet.Column], _ asked: Interval, _ rounding: Rounding = .exact
    ) -> Sheet {
        Sheet(
            report: name, site: site.slug, isDemo: site.isDemo, asked: asked,
            calendar: context.calendar, columns: columns, rounding: rounding)
    }

    /// The people of an order: everybody, or the one asked about.
    package func people(of order: ReportOrder) throws -> [ReportPerson] {
        let people = try ReportRows(store).people()
        guard let user = order.user else { return people }
        let found = people.filter { $0.slug == user }
        guard !found.isEmpty else {
            throw ReportOrder.Refusal(
                code: "not_found", parameter: "user", reason: "nobody has this id")
        }
        return found
    }
}

/// Why no report can be made.
package enum ReportError: Error, Equatable, CustomStringConvertible {
    /// The database holds no site.
    case noSite(String)

    package var description: String {
        switch self {
        case .noSite(let path): "\(path): no site was imported yet"
        }
    }
}
