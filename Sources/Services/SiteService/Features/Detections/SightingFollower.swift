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
    }

    /// Stores some at a moment.
    typealias Put = @Sendable ([DetectionVisits.Seen], Timestamp) async throws -> Void

    private let queue: SightingQueue
    private let put: Put
    private let tidy: @Sendable (Timestamp) async throws -> Void
    private let state = Mutex(State())
    /// So much is kept, and so much stored at once: whatever else is written waits for it.
    static let (mostWaiting, slice) = (20_000, 500)
    /// So often it is looked what is to be forgotten.
    private static let tidying = Timestamp.Span.seconds(60)

    convenience init(_ desk: WriteDesk) {
        let tidier = DetectionTidier(desk)
        self.init(
            desk.mailbox.sightings,
            put: { seen, now in
                try await desk.mailbox.ask(within: LocalRequest.patience, storing: .together) {
                    try DetectionVisits($0).put(seen, at: now)
                }
                desk.mailbox.notifier.ring()
            }, tidy: { try await tidier.tidy(at: $0) })
    }

    init(
        _ queue: SightingQueue, put: @escaping Put,
        tidy: @escaping @Sendable (Timestamp) async throws -> Void = { _ in }
    ) {
        self.queue = queue
        self.put = put
        self.tidy = tidy
    }

    /// Looks once.
    func turn(at now: Timestamp) async throws {
        let seen = queue.drain().flatMap(Self.seen)
        let excess = state.withLock { state in
            state.waiting += seen
            let excess = max(0, state.waiting.count - Self.mostWaiting)
            state.waiting.removeFirst(excess)
            return excess
        }
        queue.leaveOut(excess)
        if let fault = try await storeWaiting(at: now) { throw fault }
        guard state.withLock({ $0.nextTidying <= now }) else { return }
        try await tidy(now)
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
                try await put(some, now)
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

    /// By our clock: a node's may be wrong.
    static func seen(_ told: SightingQueue.Told) -> [DetectionVisits.Seen] {
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

/// What is done now and then about what is stored: addresses are forgotten, of too many the oldest go, and whoever a device came and
/// went with is told.
private final class DetectionTidier: Sendable {
    private let desk: WriteDesk
    /// When it was looked last for whom devices came and went with.
    private let looked = Mutex<Timestamp?>(nil)
    /// So often, and so far back, as visits are told late and stays end later.
    private static let (looking, longestLook) = (
        Timestamp.Span.seconds(600), Timestamp.Span.seconds(86_400)
    )

    init(_ desk: WriteDesk) { self.desk = desk }

    func tidy(at now: Timestamp) async throws {
        while try await write({ try DetectionVisits($0).forgetAddresses(at: now) }) {}
        while try await write({ try DetectionVisits($0).trim() }) {}
        guard looked.withLock({ $0.map { now - $0 >= Self.looking } ?? true }) else { return }
        let through = now - DeviceCompanions.patience
        try await write {
            try DeviceCompanions($0).look(
                after: through - Self.longestLook, through: through, at: now)
        }
        looked.withLock { $0 = now }
    }

    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value {
        try await desk.mailbox.ask(within: LocalRequest.patience, storing: .together, work)
    }
}
