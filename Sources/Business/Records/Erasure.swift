/// What an erasure did.
package struct Erasure: Equatable, Sendable, Codable {
    /// The pseudonym under which attendance is kept; nothing leads from the old one to it.
    package var user: String
    /// Rows deleted, by table.
    package var deleted: [String: Int]
    /// Rows in which a name was blanked, by table.
    package var blanked: [String: Int]
    /// The number of sessions kept under the new pseudonym.
    package var sessionsKept: Int

    /// The names in JSON.
    package enum CodingKeys: String, CodingKey {
        case user, deleted, blanked
        case sessionsKept = "sessions_kept"
    }
}

/// What an erasure spares, and what not.
package struct ErasureOptions: Equatable, Sendable, Codable {
    /// Also the attendance goes, which a law may ask to keep.
    package var deletesAttendance: Bool
    /// The beacons they carry stay registered, for somebody else; else they are retired and their
    /// identities and keys blanked.
    package var keepsBeacons: Bool

    /// Options.
    package init(deletesAttendance: Bool = false, keepsBeacons: Bool = false) {
        self.deletesAttendance = deletesAttendance
        self.keepsBeacons = keepsBeacons
    }
}
