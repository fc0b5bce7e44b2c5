/// What an erasure did.
public struct Erasure: Equatable, Sendable, Codable {
    /// The pseudonym under which attendance is kept; nothing leads from the old one to it.
    public var user: String
    /// Rows deleted, by table.
    public var deleted: [String: Int]
    /// Rows in which a name was blanked, by table.
    public var blanked: [String: Int]
    /// The number of sessions kept under the new pseudonym.
    public var sessionsKept: Int

    /// The names in JSON.
    public enum CodingKeys: String, CodingKey {
        case user, deleted, blanked
        case sessionsKept = "sessions_kept"
    }
}

/// What an erasure spares, and what not.
public struct ErasureOptions: Equatable, Sendable {
    /// Also the attendance goes, which a law may ask to keep.
    public var deletesAttendance: Bool
    /// The beacons they carry stay registered, for somebody else; else they are retired and their
    /// identities and keys blanked.
    public var keepsBeacons: Bool

    /// Options.
    public init(deletesAttendance: Bool = false, keepsBeacons: Bool = false) {
        self.deletesAttendance = deletesAttendance
        self.keepsBeacons = keepsBeacons
    }
}
