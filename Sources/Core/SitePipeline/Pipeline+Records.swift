import JSON
import SiteEngine
import SiteModel
import Wire

// What nodes keep in their outboxes until it is stored here.
extension Pipeline {
    /// A record of an outbox arrived. What cannot be read is passed over where it says its number:
    /// sent again it would be no better, and nothing behind it would ever be acknowledged.
    package mutating func record(
        _ payload: Span<UInt8>, of slug: String, at now: Timestamp,
        _ read: (Names, Span<UInt8>) throws(PayloadError) -> (NodeID) -> Input
    ) -> [Effect] {
        guard let node = names.nodes.id(slug) else { return refuse("unknown-node") }
        // The node keeps it.
        guard factsWaiting < Self.patience else { return refuse("unavailable") }
        do throws(PayloadError) {
            let input = try read(names, payload)(node)
            if let log = input.record?.log { alarm.saw(log: log, of: node, at: now) }
            let effects = handle(input, at: now)
            if let verdict = mesh.verdict, verdict != .taken { counts.refuse(verdict.rawValue) }
            return effects
        } catch {
            counts.refuse(error.reason)
            guard let record = try? Record(json: payload) else { return [] }
            return handle(.unreadable(record, from: node), at: now)
        }
    }
}

extension Record {
    /// The number alone of a record that may be faulty otherwise.
    fileprivate init(json: Span<UInt8>) throws(PayloadError) {
        let object = try JSONObject(document: json, limit: EvidencePayload.limit)
        let sequence = try object.required("seq", json).integer(json, from: 1)
        self.init(
            log: try object.required("log", json).boot(json), sequence: sequence,
            after: min(try object.required("after", json).integer(json), sequence - 1))
    }
}

/// Cursors on our topics that we did not tell: of an older life of this site, of another coordinator,
/// or of somebody who may write there and must not.
package struct EpochWatch: Sendable {
    /// Between two epochs that are raised because of what was seen: who keeps forging cursors makes
    /// the nodes go back once a minute, to what they have not been acknowledged.
    static let rest = Timestamp.Span.seconds(60)
    /// An epoch farther ahead of ours is nobody's: a site begins one when a backup is restored. The
    /// nodes find that out by themselves (`Replay.confirmation`).
    static let leap: Int64 = 1000

    private var raised: Timestamp?
    private var wanted: Int64?
    private var warned: Timestamp?

    /// Somebody told this epoch: ours is to be a higher one.
    mutating func saw(_ epoch: Int64) { wanted = max(wanted ?? 0, epoch + 1) }

    /// What our epoch is to be raised to now; `nil` if it is to stay.
    mutating func due(above own: Int64, at now: Timestamp) -> Int64? {
        guard let wanted, raised.map({ now - $0 >= Self.rest }) ?? true else { return nil }
        self.wanted = nil
        guard wanted > own, wanted <= Acknowledgement.greatestEpoch else { return nil }
        raised = now
        return wanted
    }

    /// Whether a line about a cursor that is not believed is not one too many.
    mutating func mayWarn(at now: Timestamp) -> Bool {
        guard warned.map({ now - $0 >= Self.rest }) ?? true else { return false }
        warned = now
        return true
    }
}

extension Pipeline {
    /// A cursor was retained from before we connected, or somebody told one. Our own come back to us,
    /// too: they never say more than is stored. One that is ahead of that would let a node leave out
    /// what nobody has: a new epoch lets the nodes go back.
    package mutating func compare(_ topic: String, _ payload: Span<UInt8>, at now: Timestamp)
        -> [Effect]
    {
        guard let levels = PayloadKind.cursor.topic.names(in: topic), levels[0] == names.site,
            case let slug = levels[1], let node = names.nodes.id(slug),
            let told = try? CursorPayload(json: payload)
        else { return [] }
        let own = mesh.saved.cursors.cursor(of: node, log: told.log)?.sequence ?? 0
        guard (told.epoch, told.seq) > (mesh.epoch, mesh.epoch == told.epoch ? own : .max)
        else { return [] }
        guard told.epoch - mesh.epoch <= EpochWatch.leap else {
            return contradict(topic, epoch: told.epoch, of: slug, at: now)
        }
        epochs.saw(told.epoch)
        guard let effects = raiseEpoch(at: now) else { return refuse("cursor") }
        return [
            .warn(
                """
                the nodes have seen a newer state than the database holds (epoch \(told.epoch), \
                \(slug) through \(told.seq) instead of \(own)): they are asked to send again what \
                is missing
                """)
        ] + effects
    }

    /// Begins a higher epoch if one was seen and it is time; `nil` if not.
    mutating func raiseEpoch(at now: Timestamp) -> [Effect]? {
        epochs.due(above: mesh.epoch, at: now).map { handle(.epoch(atLeast: $0), at: now) }
    }

    /// Puts our own cursor in the place of one that cannot be true.
    private mutating func contradict(
        _ topic: String, epoch: Int64, of slug: String, at now: Timestamp
    ) -> [Effect] {
        counts.refuse("cursor")
        let ours = Publication.retained(topic, board.topics[topic] ?? [])
        guard epochs.mayWarn(at: now) else { return [.publish(ours)] }
        return [
            .warn(
                """
                somebody told node \(slug) a cursor of epoch \(epoch), which cannot be: who else may \
                write mesh/v1/…/node/+/cursor? See the broker's access list
                """), .publish(ours),
        ]
    }
}

extension Pipeline {
    /// The age of a move after which a command that follows it is of no use.
    private static let freshness: Int64 = 10_000

    /// Where somebody came to a room or left one, the nodes there are asked for frames for a while, if
    /// the site wants that: what follows a move is worth more than a reading every 30 s.
    package func bursts(after fact: Fact, at now: Timestamp) -> [Publication] {
        guard mesh.plan.policy.bursts, case .event(let event) = fact,
            [.entered, .observed, .left].contains(event.kind), case .room(let room) = event.place
        else { return [] }
        return mesh.plan.nodes.filter {
            $0.room == room && names.profile(of: $0.id, in: mesh.plan.policy) == .sparse
        }.map { node in
            let slug = names.nodes.slug(node.id)
            let command = NodeCommandPayload(
                id: "burst-\(event.id)-\(node.id.row)", op: NodeOperation.burst.rawValue,
                expMs: now.milliseconds + Self.freshness)
            return board.paths.message(.nodeCommand, slug, saying: command)
        }
    }
}

/// What a pipeline has taken and refused since it started.
package struct Counts: Equatable, Sendable {
    /// Messages that arrived.
    package internal(set) var messages = 0
    /// Refused messages by reason.
    package private(set) var refused: [String: Int] = [:]

    package init(messages: Int = 0, refused: [String: Int] = [:]) {
        self.messages = messages
        self.refused = refused
    }

    /// Counts a refusal. The reasons are our own words, so there are few.
    package mutating func refuse(_ reason: String) { refused[reason, default: 0] += 1 }
}
