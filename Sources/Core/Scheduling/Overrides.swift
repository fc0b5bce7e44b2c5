import SiteModel

/// What people decided: approved corrections, locked days, nodes nobody waits for, shifts and leave, when
/// to be told.
///
/// It is no part of the plan: nodes and topics do not depend on it. The machines take it in with
/// `Input.overrides` and save it as a fact, so that a restarted coordinator decides with what the one
/// before decided with.
package struct Overrides: Equatable, Sendable, Codable {
    /// Grows by one with each decision of a person.
    package var revision: Int64
    /// Approved corrections of what may still change, by row.
    package var amendments: [Amendment]
    /// The first moment that is not locked, or `nil` if nothing is.
    package var lockedThrough: Timestamp?
    /// The nodes nobody needs to wait for, by row.
    package var excuses: [NodeExcuse]
    /// Who is to be there when, and when people are told what; `nil` where nobody has said.
    package var duties: Duties?

    /// The lists are sorted here.
    package init(
        revision: Int64, amendments: [Amendment] = [], lockedThrough: Timestamp? = nil,
        excuses: [NodeExcuse] = [], duties: Duties? = nil
    ) {
        self.revision = revision
        self.amendments = amendments.sorted { $0.id < $1.id }
        self.lockedThrough = lockedThrough
        self.excuses = excuses.sorted { $0.node < $1.node }
        self.duties = duties
    }
}

extension Overrides {
    /// The sessions that are stated and not in the books.
    package var missing: [Amendment] { amendments.filter { $0.isMade == false } }

    /// How they stand once these are made.
    package var made: Overrides {
        var made = self
        for index in made.amendments.indices where made.amendments[index].isMade == false {
            made.amendments[index].isMade = true
        }
        return made
    }
}
