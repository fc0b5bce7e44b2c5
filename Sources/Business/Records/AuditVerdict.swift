import SiteStore

/// What a walk over the audit chain showed.
package struct AuditVerdict: Equatable, Sendable {
    /// What even a whole chain leaves open, for people.
    package static let limits = """
        not proven: sessions that were neither locked nor changed by hand (they follow from evidence \
        and check-ins), breaks and marks of any session, check-ins, shifts and leave, what was erased \
        or deleted by age, and an end of the chain that was cut off unless its head was noted
        """

    /// What is wrong, at the first row that is.
    package enum Fault: Equatable, Sendable, CustomStringConvertible {
        /// The row does not have the digest it was written with.
        case changed(Int64)
        /// The row is not there, although later ones are.
        case missing(Int64)
        /// The row was written after another one than the one that stands before it.
        case unlinked(Int64)
        /// A value is not the one the row was written with.
        case value(Int64, side: String)
        /// The chain ends before this row, or has another one in its place, although a proof names it.
        case cut(Int64)
        /// A row of the books is not what the chain last said of it.
        case row(table: String, id: Int64, String)

        /// A sentence that names the row.
        package var description: String {
            switch self {
            case .changed(let id): "row \(id) was changed"
            case .missing(let id): "row \(id) was removed"
            case .unlinked(let id): "row \(id) does not follow row \(id - 1)"
            case .value(let id, let side): "the value “\(side)” of row \(id) was changed"
            case .cut(let id):
                "row \(id) is not the one that was noted: rows were cut off or written anew"
            case .row(let table, let id, let what): "\(table) \(id) \(what)"
            }
        }
    }

    /// Rows that were walked over.
    package var rows: Int
    /// Values that were there and checked.
    package var values: Int
    /// Rows of the books that are what the chain last said of them.
    package var compared = 0
    /// Rows of the books of which the chain said something that was erased since.
    package var unknown = 0
    /// The end of the chain, to be noted elsewhere.
    package var head: AuditHead
    /// The first fault, or `nil` if the chain is whole.
    package var fault: Fault?
}
