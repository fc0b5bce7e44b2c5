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
