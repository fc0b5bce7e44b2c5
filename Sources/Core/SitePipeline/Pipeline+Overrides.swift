import SiteEngine
import SiteModel

/// What people decide about attendance.
extension Pipeline {
    /// People decided something about attendance. No configuration of a node changes by that, and no
    /// topic but those of the sessions it changes, once these are stored; nothing happens if the
    /// machines know it already.
    package mutating func adopt(overrides: Overrides, at now: Timestamp) -> [Effect] {
        guard overrides != mesh.saved.overrides ?? Overrides(revision: 0) else { return [] }
        return handle(.overrides(overrides), at: now)
    }

    /// The revision of the overrides that the machines have taken in and the database has stored.
    package var storedOverrides: Int64 { board.told.overrides?.revision ?? 0 }
}
