import Notifications
import Platform
import SiteModel
import Synchronization
import Wire

/// Watches the tags of groups that are told of, and stores what comes and goes.
final class RangeFollower: Sendable {
    private let desk: WriteDesk
    /// `nil`: what was told last is not read yet.
    private let watch = Mutex<RangeWatch?>(nil)
    /// What could not be stored yet.
    private let pending = Mutex<[RangeWatch.Crossing]>([])
    /// So much of it is kept.
    private static let mostPending = 1000

    init(_ desk: WriteDesk) { self.desk = desk }

    /// Looks once.
    func turn() async throws {
        let (store, now) = (desk.store, desk.clock.now)
        let groups = try await Blocking.run { try RangeNotices(store).groups() }
        // Where nobody is told of anything, nothing is read.
        guard !groups.isEmpty else { return watch.withLock { $0 = nil } }
        if watch.withLock({ $0 == nil }) {
            let known = try await Blocking.run { try RangeNotices(store).known() }
            watch.withLock { $0 = RangeWatch(known: known) }
        }
        let new = try await Blocking.run { [self] in look(groups, at: now) }
        let crossings = pending.withLock { pending in
            pending = Array((pending + new).suffix(Self.mostPending))
            return pending
        }
        guard !crossings.isEmpty else { return }
        // Of one cause the first stays, so that what was stored after all is not told twice.
        try await desk.mailbox.ask(within: LocalRequest.patience, storing: .together) { store in
            try RangeNotices(store).put(crossings, at: now)
        }
        pending.withLock { $0.removeAll { crossings.contains($0) } }
        desk.mailbox.notifier.ring()
    }

    private func look(
        _ groups: [String: (enter: Bool, leave: Bool)], at now: Timestamp
    ) -> [RangeWatch.Crossing] {
        var told: [String: (enter: Bool, leave: Bool)] = [:]
        var heard: [RangeWatch.Heard] = []
        for (topic, payload) in desk.latest("beacon/") {
            let levels = topic.split(separator: "/").suffix(2)
            guard let beacon = levels.first.map(String.init) else { continue }
            if levels.last == "info" {
                let own = (try? BeaconInfoPayload(json: payload.span))?.groups ?? []
                let rules = own.compactMap { groups[$0] }
                guard !rules.isEmpty else { continue }
                told[beacon] = (rules.contains(where: \.enter), rules.contains(where: \.leave))
            } else if let state = try? BeaconStatePayload(json: payload.span) {
                let moments = state.nodes.map { state.tMs - $0.ageMs }
                guard let last = moments.max() else { continue }
                heard.append(
                    RangeWatch.Heard(
                        beacon: beacon, nodes: Set(state.nodes.map(\.node)),
                        at: Timestamp(milliseconds: last)))
            }
        }
        var listening: Set<String> = []
        for (topic, payload) in desk.latest("node/") where topic.hasSuffix("/status") {
            guard let status = try? NodeStatusPayload(json: payload.span), status.state == .online,
                let node = topic.split(separator: "/").dropLast().last
            else { continue }
            listening.insert(String(node))
        }
        let crossings = watch.withLock {
            $0?.step(Set(told.keys), heard, listening: listening, at: now) ?? []
        }
        return crossings.filter { one in
            told[one.beacon].map { one.isIn ? $0.enter : $0.leave } ?? false
        }
    }
}
