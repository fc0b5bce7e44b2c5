import Positioning
import Scheduling
import SiteModel
import TrainingEngine

/// An input of a site's machines; it always comes with the moment of its arrival.
package enum Input: Equatable, Sendable, Codable {
    /// One second of one node's listening.
    case frame(Frame, from: NodeID)
    /// A sign of life of a node's process, which says what its clock shows.
    case beat(boot: UInt64, told: Timestamp, from: NodeID)
    /// What a node heard in a minute, from its outbox.
    case evidence(Evidence, from: NodeID)
    /// Something that happened at a node, from its outbox.
    case nodeEvent(NodeEvent, from: NodeID)
    /// A record of a node's outbox that cannot be read.
    case unreadable(Record, from: NodeID)
    /// The nodes have seen another stored state than ours: ours begins an epoch, at least this one.
    case epoch(atLeast: Int64)
    /// A node's process came up, or went away.
    case node(NodeID, isOnline: Bool)
    /// Another site tells of a session of a user.
    case elsewhere(Elsewhere, user: UserID)
    /// Somebody asks for something; with what was looked up for it.
    case request(Request, recalled: Recalled? = nil)
    /// A room has done something that was asked for with this id.
    case used(UsedID)
    /// A new plan is in force.
    case plan(Plan)
    /// People decided something about attendance.
    case overrides(Overrides)
    case tick
}

extension Input {
    /// Whether all that is known is to be saved with it: machines start anew from what is saved.
    var isSavedAtOnce: Bool {
        switch self {
        case .plan, .overrides: true
        case .frame, .beat, .evidence, .nodeEvent, .unreadable, .epoch, .node, .elsewhere,
            .request, .used, .tick:
            false
        }
    }
}

extension Input {
    /// The place of what came from a node's outbox; `nil` of anything else.
    package var record: Record? {
        switch self {
        case .evidence(let evidence, _): evidence.record
        case .nodeEvent(let event, _): event.record
        case .unreadable(let record, _): record
        case .frame, .beat, .epoch, .node, .elsewhere, .request, .used, .plan, .overrides,
            .tick:
            nil
        }
    }
}

/// A decision of the mesh: a fact, to be stored and then published, or a live state.
package enum Decision: Equatable, Sendable, Codable {
    /// To be stored, then told.
    case fact(Fact)
    /// To be told at once, and never stored.
    case live(Live)
}

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
    /// A set of a workout.
    case set(WorkoutSet)
    /// A time in which a station is out of order.
    case downtime(Downtime)
    /// A wait for a slot of a station.
    case wait(Wait)
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
    /// What people decided, as the machines now know it.
    case overrides(Overrides)
    /// Something people are to be told of.
    case notification(NotificationRow)
}

/// What a new case of `Fact` has to say of itself.
extension Fact {
    /// Whose it is; `nil` if it is nobody's.
    package var user: UserID? {
        switch self {
        case .ledger(let row): row.user
        case .statement(let statement): statement.user
        case .dispute(let dispute): dispute.user
        case .presence(let row): row.user
        case .session(let session): session.user
        case .stay(let stay): stay.user
        case .workout(let workout): workout.user
        case .claim(let claim): claim.user
        case .set(let set): set.user
        case .wait(let wait): wait.user
        case .event(let event): event.user
        case .answer(let answer): answer.request.verb.user
        case .reasons(let reasons): reasons.user
        case .notification(let row): row.user
        case .site, .evidence, .nodeEvent, .cursor, .offset, .overrides, .downtime: nil
        }
    }

    /// Its row number, if that is of the site's counter, `SiteRow.next`.
    package var number: Int64? {
        switch self {
        case .session(let session): session.id
        case .stay(let stay): stay.id
        case .workout(let workout): workout.id
        case .claim(let claim): claim.id
        case .set(let set): set.id
        case .downtime(let downtime): downtime.id
        case .wait(let wait): wait.id
        case .event(let event): event.id
        case .statement(let statement): statement.id
        case .site, .ledger, .presence, .dispute, .answer, .evidence, .nodeEvent, .cursor, .reasons,
            .offset, .overrides, .notification:
            nil
        }
    }

    /// What facts of the same place are of: of them the newest says all.
    package enum Place: Hashable, Sendable {
        case site
        case overrides
        case ledger(UserID)
        case presence(UserID)
        case reasons(UserID)
        case cursor(NodeID, log: UInt64)
        case offset(Ear)
    }

    /// The place of a fact that a later one replaces wholly, so that it need not be stored any more; `nil`:
    /// each is stored.
    package var place: Place? {
        switch self {
        case .site: .site
        case .overrides: .overrides
        case .ledger(let row): .ledger(row.user)
        case .presence(let row): .presence(row.user)
        case .reasons(let row): .reasons(row.user)
        case .cursor(let row): .cursor(row.node, log: row.log)
        case .offset(let row): .offset(row.device)
        case .session, .stay, .workout, .claim, .set, .downtime, .wait, .event, .answer, .statement,
            .dispute, .evidence, .nodeEvent, .notification:
            nil
        }
    }

    /// Whether it says only how far the machines have got, and nothing that happened.
    package var isProgress: Bool {
        switch self {
        case .site, .ledger, .presence, .evidence, .nodeEvent, .cursor, .reasons, .offset,
            .overrides, .notification:
            true
        case .session, .stay, .workout, .claim, .set, .downtime, .wait, .event, .answer, .statement,
            .dispute:
            false
        }
    }
}

extension Fact {
    init(_ fact: TrainingFact) {
        switch fact {
        case .workout(let workout): self = .workout(workout)
        case .claim(let claim): self = .claim(claim)
        case .set(let set): self = .set(set)
        case .downtime(let downtime): self = .downtime(downtime)
        case .wait(let wait): self = .wait(wait)
        case .event(let event): self = .event(event)
        }
    }
}

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
