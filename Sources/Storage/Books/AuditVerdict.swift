/// What a walk over the audit chain showed.
public struct AuditVerdict: Equatable, Sendable {
    /// What is wrong, at the first row that is.
    public enum Fault: Equatable, Sendable, CustomStringConvertible {
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

        /// A sentence that names the row.
        public var description: String {
            switch self {
            case .changed(let id): "row \(id) was changed"
            case .missing(let id): "row \(id) was removed"
            case .unlinked(let id): "row \(id) does not follow row \(id - 1)"
            case .value(let id, let side): "the value “\(side)” of row \(id) was changed"
            case .cut(let id):
                "row \(id) is not the one that was noted: rows were cut off or written anew"
            }
        }
    }

    /// Rows that were walked over.
    public var rows: Int
    /// Values that were there and checked.
    public var values: Int
    /// The end of the chain, to be noted elsewhere.
    public var head: AuditHead
    /// The first fault, or `nil` if the chain is whole.
    public var fault: Fault?
}
