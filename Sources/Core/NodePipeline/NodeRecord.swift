import JSON
import NodeEngine
import SiteModel
import Wire

/// What a node keeps in its outbox: a message without its number, which is given when it is kept,
/// and without what is known only when it is sent.
///
/// Bytes: the kind, `E` for evidence or `e` for an event, then the payload's JSON after `after`.
package enum NodeRecord {
    /// Something that happened at a node.
    package struct Event: Equatable, Sendable {
        package var kind: NodeEventPayload.Kind
        /// When, by the node's clock.
        package var at: Timestamp
        /// More, for people; cut to what a payload may have.
        package var detail: String?
        /// The slug of the beacon concerned.
        package var beacon: String?
        /// A figure whose meaning depends on the kind; it must be finite.
        package var value: Double?

        package init(
            _ kind: NodeEventPayload.Kind, at moment: Timestamp, detail: String? = nil,
            beacon: String? = nil, value: Double? = nil
        ) {
            self.kind = kind
            at = moment
            self.detail = detail
            self.beacon = beacon
            self.value = value
        }
    }

    private static let evidenceMark = UInt8(ascii: "E")
    private static let eventMark = UInt8(ascii: "e")

    /// The record of evidence; `slugs` are the beacons' names by index.
    package static func bytes(
        of evidence: NodeEvidence, slugs: [String], isSynced: Bool
    ) -> [UInt8] {
        let payload = EvidencePayload(
            log: 0, seq: 1, after: 0, boot: evidence.boot,
            fromMs: evidence.from.milliseconds, toMs: evidence.to.milliseconds,
            listenedMs: evidence.listened.milliseconds, floorDbm: evidence.floor.dBm,
            synced: isSynced, gaps: evidence.gaps,
            runs: evidence.runs.map { run in
                EvidencePayload.Run(
                    beacon: slugs[run.beacon], first: run.first, last: run.last,
                    count: run.count, strongest: run.strongest.dBm, mean: run.mean.dBm)
            })
        return [evidenceMark] + payload.json.dropFirst(blank.count)
    }

    /// The record of an event of a node's process.
    package static func bytes(of event: Event, boot: UInt64) -> [UInt8] {
        let detail = event.detail.map { detail in
            String(
                String.UnicodeScalarView(
                    detail.unicodeScalars.prefix(NodeEventPayload.longestDetail)))
        }
        let payload = NodeEventPayload(
            log: 0, seq: 1, after: 0, boot: boot, tMs: event.at.milliseconds, kind: event.kind,
            detail: detail, beacon: event.beacon, value: event.value)
        return [eventMark] + payload.json.dropFirst(blank.count)
    }

    /// What is kept of a notice; `slugs` are the beacons' names by index.
    package static func event(of notice: BeaconNotice, slugs: [String]) -> Event {
        let kind: NodeEventPayload.Kind =
            switch notice.kind {
            case .batteryLow: .batteryLow
            case .fingerprintChanged: .fingerprintChanged
            }
        return Event(
            kind, at: notice.at, detail: notice.detail, beacon: slugs[notice.beacon],
            value: notice.value)
    }

    /// The message a record is sent as; `nil` for a record of a kind this version does not know.
    package static func publication(
        of record: [UInt8], log: UInt64, sequence: Int64, after: Int64, node: String,
        topics: SiteTopics
    ) -> Publication? {
        let kind: PayloadKind
        switch record.first {
        case evidenceMark: kind = .evidence
        case eventMark: kind = .nodeEvent
        default: return nil
        }
        return topics.message(
            kind, node,
            bytes: start(log: log, seq: sequence, after: after) + record.dropFirst())
    }

    /// What both payloads begin with when they are not numbered yet.
    private static let blank = start(log: 0, seq: 1, after: 0)

    private static func start(log: UInt64, seq: Int64, after: Int64) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("log", boot: log)
        writer.field("seq", seq)
        writer.field("after", after)
        return writer.bytes
    }
}

extension NodeKeys {
    /// A line for each key: what its holder calls it, and what it is called elsewhere.
    package var names: [String] {
        func line(_ label: ShortText, _ identity: Identity) -> String {
            "key \(label.text) is \(identity.text)"
        }
        return resolving.indices.map { line(resolving[$0].label, ownName(resolving: $0)) }
            + ephemeral.indices.map { line(ephemeral[$0].label, ownName(ephemeral: $0)) }
    }
}
