/// An approved correction: nothing that was decided about `replaced` holds, and `stated` is a
/// session. Either may be missing, not both.
package struct Amendment: Hashable, Sendable, Codable {
    /// The row of the correction; of two about the same time the later one holds.
    package var id: Int64
    /// Whose attendance.
    package var user: UserID
    /// The session as it was, or `nil` if there was none.
    package var replaced: Interval?
    /// The session as it is to be, or `nil` if there was none in truth.
    package var stated: Interval?

    /// An amendment.
    package init(id: Int64, user: UserID, replaced: Interval?, stated: Interval?) {
        self.id = id
        self.user = user
        self.replaced = replaced
        self.stated = stated
    }
}
