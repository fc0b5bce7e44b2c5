import SiteModel
import SiteStore

/// A change of attendance records that a person asks for: a correction, a decision, a lock, an
/// excuse.
package enum BooksCall: Equatable, Sendable, Codable {
    /// Ask for a correction.
    case request(SessionChange, reason: String)
    /// Let a correction have its effect.
    case approve(Int64, reason: String)
    /// Decide against a correction.
    case refuse(Int64, reason: String)
    /// Lock everything that began on a date or before. `boundary` is the first moment after that
    /// date. `force`: also what is not final yet. With `unlocks` the date may be an earlier one than
    /// that of the lock in force, which is moved back. With the same date nothing is done.
    case lock(
        through: String, boundary: Timestamp, reason: String, force: Bool, unlocks: Bool = false)
    /// Wait no longer for what a node, named by its slug, has not told.
    case excuse(node: String, reason: String)
    /// Wait for it again.
    case endExcuse(node: String)
    /// Try again what is set aside, because the database refused what followed from it.
    case retry(reason: String)
}

/// What a correction is to change.
package enum SessionChange: Equatable, Sendable, Codable {
    /// A session has other times. `revision` is the one that was looked at, `nil` for the newest;
    /// a session that stays open has no end.
    case times(Int64, revision: Int64?, from: Timestamp, to: Timestamp?)
    /// There was no such session.
    case remove(Int64, revision: Int64?)
    /// A session is missing. `user` is their slug.
    case add(user: String, from: Timestamp, to: Timestamp)
    /// The session was looked at and stands as it is, whatever is doubted.
    case reviewed(Int64, revision: Int64?)
}

/// What the books did.
package enum BooksOutcome: Equatable, Sendable, Codable {
    /// A correction as it now stands.
    case correction(CorrectionRow)
    /// The lock now in force.
    case lock(LockRow)
    /// An excuse as it now stands.
    case excuse(ExcuseRow)
    /// What was set aside is tried again: the approved corrections among it, by row.
    case retry([Int64])
}

/// Why the books refused something. Nothing was written.
package struct BooksRefusal: Refusing, Equatable, Sendable, CustomStringConvertible {
    /// The code that REST and MQTT answer with.
    package var code: ProblemCode
    /// What is wrong, and where; for people.
    package var text: String

    package init(_ code: ProblemCode, _ text: String) {
        self.code = code
        self.text = text
    }
}
