import SiteModel

/// How long somebody who is present has been in rooms with stations, and never at one of them.
///
/// Only seconds count in which they would have been noticed at a station. Nothing of it is stored: of
/// a session that was open before, nobody knows, and it is not doubted.
struct Inactivity: Sendable {
    private var session: Int64?
    private var isSettled = true
    private var idle: Int64 = 0

    /// A second of a session. Returns whether it has now lasted so long without a station; once a
    /// session.
    ///
    /// - Parameters:
    ///   - isAtStation: whether they are at one.
    ///   - isSeen: whether they would be noticed at one of the room they are in.
    ///   - began: when we began to look.
    mutating func step(
        _ open: Session, isAtStation: Bool, isSeen: Bool, after limit: Timestamp.Span,
        since began: Timestamp
    ) -> Bool {
        if session != open.id {
            session = open.id
            isSettled = open.from < began
            idle = 0
        }
        if isAtStation { isSettled = true }
        guard !isSettled, isSeen else { return false }
        idle += 1
        guard Timestamp.Span.seconds(Double(idle)) >= limit else { return false }
        isSettled = true
        return true
    }
}
