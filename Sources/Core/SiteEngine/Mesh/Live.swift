import Positioning
import SiteModel

/// The present state of something, published at once and never stored. Whole states, never changes.
package enum Live: Equatable, Sendable, Codable {
    /// Where a user is.
    case presence(PresenceState)
    /// The same, a little newer, for open pages only.
    case glance(PresenceState)
    /// How many people are in a room.
    case room(RoomState)
    /// Whether a station can be used.
    case station(StationState)
    /// Whether a node listens.
    case node(NodeState)
    /// Who hears a beacon.
    case beacon(BeaconState)
    /// Counts of the whole site.
    case site(SiteState)
    /// How the locator that decides compares with the one beside it.
    case shadow(ShadowState)
    /// A node sends what is stored already, or what does not follow: it is told again how far that
    /// outbox is stored.
    case cursorAgain(NodeID, log: UInt64)
    /// An answer that changes nothing: a request told again, or refused before it was looked at.
    case answer(Answer)
}
