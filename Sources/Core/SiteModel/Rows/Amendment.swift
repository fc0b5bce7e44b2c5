/// An approved correction: nothing that was decided about `replaced` holds, and `stated` is a
/// session. Either may be missing, not both.
public struct Amendment: Hashable, Sendable, Codable {
    /// The row of the correction; of two about the same time the later one holds.
    public var id: Int64
    /// Whose attendance.
    public var user: UserID
    /// The session as it was, or `nil` if there was none.
    public var replaced: Interval?
    /// The session as it is to be, or `nil` if there was none in truth.
    public var stated: Interval?

    /// An amendment.
    public init(id: Int64, user: UserID, replaced: Interval?, stated: Interval?) {
        self.id = id
        self.user = user
        self.replaced = replaced
        self.stated = stated
    }
}
