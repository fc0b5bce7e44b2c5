import BeaconDecoding
import Glibc
import NodeEngine
import NodePipeline
import Outbox
import SiteModel
import Platform
import Wire

/// Keeps evidence and events on disk until a coordinator has stored them, and sends them in order,
/// repeatedly if needed.
final class NodeOutbox {
    private let outbox: Outbox
    private let log: Log
    private let node: String
    private let topics: SiteTopics
    private let boot: UInt64
    private var replay: Replay
    /// Records that the disk did not take, one after the other.
    private var failures = 0
    private var wasListening = false
    private var wasLost = false
    /// When records were last lost, and when damage was last found.
    private var lostAt: Timestamp?
    private var damagedAt: Timestamp?

    /// For how long after it a loss or damage is worth an alert.
    private static let alerting = Timestamp.Span.seconds(3600)

    /// Opens the outbox and notes that the process began.
    init(
        _ settings: NodeSettings, boot: UInt64, log: Log, at now: Timestamp
    ) throws(OutboxError) {
        // Beyond a limit on file sizes, a write is to fail like any other.
        signal(SIGXFSZ, SIG_IGN)
        outbox = try Outbox(
            path: settings.outbox.path, megabytes: settings.outbox.megabytes,
            log: UInt64.random(in: .min ... .max))
        self.log = log
        self.boot = boot
        node = settings.node
        topics = SiteTopics(site: settings.site)
        replay = Replay(
            log: outbox.log, boot: boot, newest: outbox.newest, acknowledged: outbox.acknowledged,
            at: now)
        log(.info, "\(outbox.waiting) records of outbox \(settings.outbox.path) wait to be stored")
        keep(.init(.started, at: now, detail: NodeCommand.version))
        reportDamage(at: now)
    }

    /// The log our records go by.
    var id: UInt64 { outbox.log }

    /// The retained topic that says how far our records are stored.
    var cursorTopic: String { topics[.cursor, node] }

    /// How many records wait for an acknowledgement, at most.
    var waiting: Int64 { outbox.waiting }

    /// How many were lost unacknowledged, since the outbox was made.
    var dropped: Int64 { outbox.dropped }

    /// When there is something to send.
    var deadline: Timestamp? { replay.deadline }

    /// Keeps the runs of a minute. `isSynced`: whether a time server keeps the clock.
    func keep(_ evidence: NodeEvidence, slugs: [String], isSynced: Bool, at now: Timestamp) {
        keep(NodeRecord.bytes(of: evidence, slugs: slugs, isSynced: isSynced))
        tellLosses(at: now)
    }

    func keep(_ event: NodeRecord.Event) {
        keep(NodeRecord.bytes(of: event, boot: boot))
    }

    /// The radio listens, or does not any longer.
    func radio(_ state: AdapterState, at now: Timestamp) {
        switch (wasListening, state == .up) {
        case (true, false):
            wasLost = true
            keep(.init(.adapterLost, at: now, detail: state.rawValue))
        case (false, true) where wasLost: keep(.init(.adapterBack, at: now))
        default: break
        }
        wasListening = state == .up
    }

    /// The wall clock was set, and is now `offset` ahead of ours.
    func clockStepped(to offset: Timestamp.Span, at now: Timestamp) {
        keep(.init(.clockStepped, at: now, value: offset.seconds))
    }

    /// What a person should look at.
    func alerts(at now: Timestamp) -> Set<NodeAlert> {
        var alerts: Set<NodeAlert> = []
        if failures > 0 || lostAt.map({ now - $0 < Self.alerting }) ?? false {
            alerts.insert(.outboxFull)
        }
        if damagedAt.map({ now - $0 < Self.alerting }) ?? false { alerts.insert(.outboxDamaged) }
        return alerts
    }

    /// The broker accepted us and was asked for the cursor.
    func connected(at now: Timestamp) { replay.connected(at: now) }

    /// The connection is gone.
    func disconnected() { replay.disconnected() }

    /// A cursor came. Whether it could be read.
    func heard(cursor bytes: [UInt8], at now: Timestamp) -> Bool {
        // Somebody cleared it.
        if bytes.isEmpty { return true }
        do {
            let cursor = try CursorPayload(json: bytes.span)
            let old = replay.acknowledged
            let news = replay.heard(
                Acknowledgement(epoch: cursor.epoch, sequence: cursor.seq), log: cursor.log,
                at: now)
            if let news {
                let isLower = news.epoch < old.epoch
                _ = outbox.acknowledge(news, evenLower: isLower)
                if isLower {
                    log(
                        .warning,
                        """
                        no coordinator confirms epoch \(old.epoch): going by epoch \(news.epoch), \
                        and sending again what follows \(news.sequence)
                        """)
                }
                if news.epoch > old.epoch {
                    log(
                        .notice,
                        "cursor of epoch \(news.epoch): sending again what follows \(news.sequence)"
                    )
                }
            }
            return true
        } catch {
            log(.warning, about: "cursor", at: now, "cursor refused: \(error.reason)")
            return false
        }
    }

    /// The next message to send now; `nil` if it is not time, or there is none.
    func due(at now: Timestamp) -> Publication? {
        while let position = replay.due(at: now) {
            guard let record = outbox.record(after: position) else {
                replay.exhausted()
                reportDamage(at: now)
                return nil
            }
            replay.sent(record.sequence, at: now)
            reportDamage(at: now)
            let message = NodeRecord.publication(
                of: record.bytes, log: outbox.log, sequence: record.sequence,
                after: record.previous, node: node, topics: topics)
            if let message { return message }
            log(.warning, "record \(record.sequence) is of another version, and not sent")
        }
        return nil
    }

    /// Puts on the disk what would go with the next record.
    func close() {
        do {
            try outbox.flush()
        } catch {
            log(.warning, "\(error)")
        }
    }

    private func keep(_ record: [UInt8]) {
        do {
            replay.appended(try outbox.append(record))
            if failures > 0 { log(.notice, "the outbox takes records again") }
            failures = 0
        } catch {
            failures += 1
            // At first each time, then ever less often.
            guard LogThrottle.isTold(failures) else { return }
            log(.error, "a record is lost: \(error) (\(failures) in a row)")
        }
    }

    private func tellLosses(at now: Timestamp) {
        let count = outbox.untold
        guard count > 0, failures == 0 else { return }
        lostAt = now
        log(.warning, "\(count) records were lost before a coordinator stored them")
        keep(.init(.outboxDropped, at: now, value: Double(count)))
        if failures == 0 { outbox.toldDropped(count) }
    }

    private func reportDamage(at now: Timestamp) {
        for line in outbox.quarantine() {
            damagedAt = now
            log(.error, "outbox: \(line)")
            keep(.init(.outboxDamaged, at: now, detail: line))
        }
    }
}
