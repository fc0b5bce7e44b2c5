import Basics
import SiteModel
import SiteStore

/// Why shifts, assignments, leave or feeds cannot be changed as asked. Nothing was written.
package enum RosterError: Refusing, Equatable, Sendable, CustomStringConvertible {
    /// Nobody registered has this slug.
    case unknownUser(String)
    /// There is no shift of this slug, or it was removed.
    case unknownShift(String)
    /// There is no assignment with this number that goes on at that date.
    case unknownAssignment(Int64)
    /// There is no such day of leave.
    case unknownLeave(user: String, date: String)
    /// There is no feed with this number, or it was revoked before.
    case unknownFeed(Int64)
    /// A shift of this slug exists. Its hours are never changed: past days would change with them.
    case shiftExists(String)
    /// The person is assigned to this shift on some of these days already.
    case overlap(user: String, shift: String)
    /// What is wrong with a value, by its name.
    case badValue(name: String, reason: String)
    /// Days up to this one are locked, and one of them would change.
    case locked(through: LocalDate)
    /// The database said no.
    case store(StoreError)

    package var text: String {
        switch self {
        case .unknownUser(let slug): "there is no user “\(slug)”"
        case .unknownShift(let slug): "there is no shift “\(slug)”; shift list shows them"
        case .unknownAssignment(let id):
            "assignment \(id) does not exist, or is over by then; shift list shows them"
        case .unknownLeave(let user, let date): "“\(user)” has no leave on \(date)"
        case .unknownFeed(let id): "there is no feed \(id), or it was revoked before"
        case .shiftExists(let slug):
            """
            shift “\(slug)” exists; its hours cannot change, because past days would: remove it, or \
            add one by another id
            """
        case .overlap(let user, let shift):
            "“\(user)” is assigned to “\(shift)” on some of these days already"
        case .badValue(let name, let reason): "\(name): \(reason)"
        case .locked(let through):
            """
            days through \(through) are locked: move the lock back, or say that locked days are to change \
            (--force, or "force": true)
            """
        case .store(let error): error.description
        }
    }

    package var code: ProblemCode {
        switch self {
        case .unknownUser, .unknownShift, .unknownAssignment, .unknownLeave, .unknownFeed:
            .notFound
        case .shiftExists, .overlap: .overlap
        case .badValue: .badRequest
        case .locked: .lockedPeriod
        case .store: .unavailable
        }
    }
}
