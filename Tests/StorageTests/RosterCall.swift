import Basics
import Records
import Scheduling
import SiteModel

/// A change of shifts, of who works them, or of leave, as a value.
enum RosterCall: Sendable {
    case addShift(Shift)
    /// `last`: the last day it is worked.
    case removeShift(String, last: LocalDate)
    case assign([String], shift: String, from: LocalDate, to: LocalDate?, weekdays: [Int])
    case endAssignment(Int64, last: LocalDate)
    case addLeave(String, from: LocalDate, to: LocalDate, kind: String, isHalf: Bool)
    case removeLeave(String, LocalDate)
}

extension Roster {
    /// Does what is asked for. Returns the rows of what was added. `force`: also where locked days change.
    ///
    /// - Throws: What can be corrected, or `.store` if the database failed. Nothing was written.
    func perform(
        _ call: RosterCall, force: Bool, by asker: Asker
    ) throws(RosterError) -> [Int64] {
        switch call {
        case .addShift(let shift): return [try add(shift, by: asker)]
        case .removeShift(let shift, let last):
            try removeShift(shift, last: last, force: force, by: asker)
        case .assign(let users, let shift, let from, let to, let weekdays):
            return try assign(
                users, to: shift, from: from, to: to, weekdays: weekdays, force: force, by: asker)
        case .endAssignment(let row, let last):
            try endAssignment(row, last: last, force: force, by: asker)
        case .addLeave(let user, let from, let to, let kind, let isHalf):
            try addLeave(
                user, from: from, to: to, kind: kind, isHalf: isHalf, force: force, by: asker)
        case .removeLeave(let user, let date):
            try removeLeave(user, date, force: force, by: asker)
        }
        return []
    }
}
