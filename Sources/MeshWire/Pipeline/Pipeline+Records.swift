import MeshCore

// What nodes keep in their outboxes until it is stored here.
extension Pipeline {
    /// No coordinator gets as far as this, and no node is to be made to believe it.
    static let latestEpoch: Int64 = 1_000_000_000_000

    /// A record of an outbox arrived. What cannot be read is passed over where it says its number:
    /// sent again it would be no better, and nothing behind it would ever be acknowledged.
    mutating func record(
        _ payload: Span<UInt8>, of slug: String, at now: Timestamp,
        _ read: (Names, Span<UInt8>) throws(PayloadError) -> (NodeID) -> Input
    ) -> [Effect] {
        guard let node = names.nodes.id(slug) else { return refuse("unknown-node") }
        // The node keeps it.
        guard factsWaiting < Self.patience else { return refuse("unavailable") }
        do throws(PayloadError) {
            let effects = handle(try read(names, payload)(node), at: now)
            if let verdict = mesh.verdict, verdict != .taken { counts.refuse(verdict.rawValue) }
            return effects
        } catch {
            counts.refuse(error.reason)
            guard let record = try? Record(json: payload) else { return [] }
            return handle(.unreadable(record, from: node), at: now)
        }
    }

    /// The broker retained a cursor from before we connected. Where it is ahead of what is stored,
    /// our database is an older one than the nodes have seen: a new epoch lets them go back.
    mutating func compare(_ topic: String, _ payload: Span<UInt8>, at now: Timestamp) -> [Effect] {
        guard let slug = board.paths.node(ofCursor: topic), let node = names.nodes.id(slug),
            let told = try? CursorPayload(json: payload), told.epoch < Self.latestEpoch
        else { return [] }
        let saved = mesh.saved
        let own = saved.cursors.cursor(of: node, log: told.log)?.sequence ?? 0
        guard (told.epoch, told.seq) > (mesh.epoch, mesh.epoch == told.epoch ? own : .max)
        else { return [] }
        let warning = """
            the nodes have seen a newer state than the database holds (epoch \(told.epoch), \(slug) \
            through \(told.seq) instead of \(own)): they are asked to send again what is missing
            """
        return [.warn(warning)] + handle(.epoch(atLeast: told.epoch + 1), at: now)
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
