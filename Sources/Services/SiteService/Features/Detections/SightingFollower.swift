import Basics
import Detections
import SiteModel
import SiteStore
import Synchronization
import Wire

/// Stores what nodes tell of strangers' devices, a row a visit, and forgets their addresses after a day.
final class SightingFollower: Sendable {
    private struct State {
        /// What was taken and could not be stored yet.
        var waiting: [DetectionVisits.Seen] = []
        var nextTidying = Timestamp(milliseconds: 0)
        /// Visits that ended by then were looked at for whom they came and went with.
        var companions: Timestamp?
    }

    private let desk: WriteDesk
    private let state = Mutex(State())
    /// So much is kept, and so much stored at once: whatever else is written waits for it.
    private static let (mostWaiting, slice) = (20_000, 500)
    /// So often it is looked what is to be forgotten.
    private static let tidying = Timestamp.Span.seconds(60)
    private static let longestLook = Timestamp.Span.seconds(3 * 86_400)

    init(_ desk: WriteDesk) { self.desk = desk }

    /// Looks once.
    func turn() async throws {
        let now = desk.clock.now
        let seen = desk.mailbox.sightings.drain().flatMap(Self.seen)
        state.withLock { $0.waiting = ($0.waiting + seen).suffix(Self.mostWaiting) }
        let fault = try await storeWaiting(at: now)
        if let fault { throw fault }
        guard state.withLock({ $0.nextTidying <= now }) else { return }
        while try await write({ try DetectionVisits($0).forgetAddresses(at: now) }) {}
        while try await write({ try DetectionVisits($0).trim() }) {}
        // What ended while nobody ran is looked at again.
        let through = now - DeviceCompanions.patience
        let after = state.withLock { $0.companions } ?? through - Self.longestLook
        try await write { try DeviceCompanions($0).look(after: after, through: through, at: now) }
        state.withLock { $0.companions = through }
        state.withLock { $0.nextTidying = now + Self.tidying }
    }

    /// Stores what waits. What can never be stored is dropped by itself, and holds up nothing: returns why.
    private func storeWaiting(at now: Timestamp) async throws -> (any Error)? {
        var (singly, fault) = (0, (any Error)?.none)
        while true {
            let count = singly > 0 ? 1 : Self.slice
            let some = state.withLock { Array($0.waiting.prefix(count)) }
            guard !some.isEmpty else { return fault }
            do {
                try await write { try DetectionVisits($0).put(some, at: now) }
                desk.mailbox.notifier.ring()
            } catch let error as StoreError where error != .busy && error != .full {
                // Among several it is one of them.
                guard some.count == 1 else {
                    singly = some.count
                    continue
                }
                fault = error
            }
            state.withLock { $0.waiting.removeFirst(some.count) }
            singly = max(0, singly - 1)
        }
    }

    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value {
        try await desk.mailbox.ask(within: LocalRequest.patience, storing: .together, work)
    }

    /// By our clock: a node's may be wrong.
    private static func seen(_ told: SightingQueue.Told) -> [DetectionVisits.Seen] {
        func ours(_ moment: Int64) -> Timestamp {
            let ago = min(max(0, told.payload.tMs - moment), DetectionVisits.longest)
            return told.at - .milliseconds(ago)
        }
        return told.payload.sightings.map { one in
            let last = ours(one.lastMs)
            let name = one.name.map { HarmlessText.stripped($0) }
            return DetectionVisits.Seen(
                node: told.node, address: one.addr, type: one.type, confidence: one.confidence,
                name: name == "" ? nil : name, rssi: one.rssi, first: min(ours(one.firstMs), last),
                last: last, hits: one.hits,
                since: told.at - .milliseconds(max(0, told.payload.tMs - one.firstMs)))
        }
    }
}
