import Foundation
import Platform
import Scheduling
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
        sheet(order.kind.rawValue, order.kind.columns, order.asked, order.rounding)
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
    ///
    /// - Throws: A `ReportOrder.Refusal` with `not_found` if nobody has the id asked about; else a
    ///   reader's `StoreError`.
    package func people(of order: ReportOrder) throws -> [ReportPerson] {
        let people = try ReportRows(store).people()
        guard let user = order.user else { return people }
        let found = people.filter { $0.slug == user }
        guard !found.isEmpty else {
            throw ReportOrder.Refusal(
                code: .notFound, parameter: "user", reason: "nobody has this id")
        }
        return found
    }
}

extension ReportOrder.Kind {
    /// The columns of its sheet.
    package var columns: [Sheet.Column] {
        switch self {
        case .day: DayReport.day.columns
        case .month: DayReport.month.columns
        case .overtime: DayReport.overtime.columns
        case .lateEarly: DayReport.lateEarly.columns
        case .timeInPlace: Sheet.Column.timeInPlace
        case .stays: Sheet.Column.stays
        case .present: Sheet.Column.present
        case .between: Sheet.Column.between
        case .contacts: Sheet.Column.contacts
        case .twins: Sheet.Column.twins
        case .usualDay: Sheet.Column.usualDay
        }
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

extension ReportDesk {
    /// A session's line.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func cells(
        _ session: Session, _ people: [ReportPerson]
    ) throws(StoreError) -> [Sheet.Cell?] {
        let person = people.first { $0.user == session.user }
        return session.cells(
            slug: person?.slug ?? "", name: person?.name ?? "",
            knownThrough: try ReportRows(store).knownThrough(of: session), context)
    }
}

/// Where the text of a report goes: standard output, or a file that is whole or not there.
package final class ReportOutput {
    private let path: String?
    private var screen = Output()
    private var file: FileHandle?

    /// A file at `path`, or standard output.
    ///
    /// - Throws: An `Exit` with 73 if the file cannot be made.
    package init(path: String?) throws {
        self.path = path
        guard let path else { return }
        let partial = path + ".part"
        // It holds names and times of people: nobody else on this machine reads it.
        guard
            FileManager.default.createFile(
                atPath: partial, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: partial)
        else {
            throw Exit(code: 73, text: "\(path): cannot be written")
        }
        file = handle
    }

    /// Writes some text.
    ///
    /// - Throws: An `Exit` with 74 on standard output, the system's error on a file. The file at
    ///   `path` is as it was.
    package func write(_ text: String) throws {
        if let file {
            try file.write(contentsOf: Data(text.utf8))
        } else {
            try screen.add(Array(text.utf8))
        }
    }

    /// Nothing more comes. Throws if not all of it could be written.
    package func finish() throws {
        try screen.flush()
        guard let path, let file else { return }
        try file.close()
        guard rename(path + ".part", path) == 0 else {
            throw Exit(code: 73, text: "\(path): \(String(cString: strerror(errno)))")
        }
    }
}
