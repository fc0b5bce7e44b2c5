import SiteModel

/// A decision that is stored before it is published. Always a whole new row, never a change to one:
/// writing it twice does no harm.
package enum Fact: Equatable, Sendable, Codable {
    /// The site's own row: clock, counters, coverage.
    case site(SiteRow)
    /// When a user was heard at the site.
    case ledger(LedgerRow)
    /// What somebody said of a user's attendance.
    case statement(Statement)
    /// Evidence that somebody must decide about.
    case dispute(Dispute)
    /// Where the presence machines of a user stand.
    case presence(PresenceRow)
    /// An attendance session opened, changed or closed.
    case session(Session)
    /// A stay at a room or station opened or closed.
    case stay(Stay)
    /// A workout, with its pauses.
    case workout(Workout)
    /// A use of a slot of a station.
    case claim(Claim)
    /// A transition, to be told once.
    case event(Event)
    /// What a request was answered.
    case answer(Answer)
    /// What a node heard in a minute.
    case evidence(EvidenceRow)
    /// Something that happened at a node.
    case nodeEvent(NodeEventRow)
    /// How far the outbox of a node is stored.
    case cursor(CursorRow)
    /// Why somebody was decided to be at another place.
    case reasons(Reasons)
    /// How much louder than others a node hears, or a beacon sends.
    case offset(OffsetRow)
    /// What people decided about attendance, as the machines now know it.
    case overrides(Overrides)
}
