/// A session as it follows from a ledger, before it has a row.
public struct Attended: Equatable, Sendable {
    /// The first heard second, or what was stated.
    public var from: Timestamp
    /// The end of the last heard second, or what was stated; `nil` while it is open.
    public var to: Timestamp?
    /// What its beginning rests on.
    public var inCause: Session.InCause
    /// What its end rests on; `nil` while it is open.
    public var outCause: Session.OutCause?
    /// The end of the last second they were heard in it or right after it; `nil` if never.
    public var lastHeard: Timestamp?
    /// Absences that count as breaks, oldest first.
    public var breaks: [Interval] = []
    /// Why a person should look at it.
    public var review: Set<Review> = []
}
