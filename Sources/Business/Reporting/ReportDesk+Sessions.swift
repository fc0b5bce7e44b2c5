import SiteStore
import SiteModel

extension ReportDesk {
    /// A session's line.
    package func cells(
        _ session: Session, _ people: [ReportPerson]
    ) throws(StoreError) -> [Sheet.Cell?] {
        let person = people.first { $0.user == session.user }
        return session.cells(
            slug: person?.slug ?? "", name: person?.name ?? "",
            knownThrough: try ReportRows(store).knownThrough(of: session), context)
    }
}
