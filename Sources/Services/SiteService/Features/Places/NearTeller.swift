import Platform
import Positioning
import Registry
import SiteModel
import Synchronization
import Wire

/// Tells on `user/{u}/near` what is near people, whenever that changes.
final class NearTeller: Sendable {
    private let desk: WriteDesk
    private let orders: NearOrders
    /// Of whom what was told, without its moment.
    private let told = Mutex<[String: NearPayload]>([:])

    init(_ desk: WriteDesk, _ orders: NearOrders) {
        self.desk = desk
        self.orders = orders
    }

    /// Looks once.
    func turn() async throws {
        let now = desk.clock.now
        let sharing = desk.directory.sharing(.place)
        let near = try await Blocking.run { [self] in try look(sharing, at: now) }
        let old = told.withLock { $0 }
        var changes: [String: NearPayload?] = [:]
        for (user, payload) in near where old[user] != payload {
            var dated = payload
            dated.tMs = now.milliseconds
            changes[user] = .some(dated)
        }
        for user in old.keys where near[user] == nil { changes[user] = .some(nil) }
        guard changes.isEmpty || desk.mailbox.put(near: changes) else { return }
        told.withLock { $0 = near }
    }

    /// What is near whom now, of those that are somewhere.
    private func look(
        _ sharing: Set<String>, at now: Timestamp
    ) throws -> [String: NearPayload] {
        var places: NearBeacons.Places?
        var views: [String: (nodes: Set<String>, items: [NearOrder.Item])] = [:]
        var viewOf: [String: String] = [:]
        for (topic, payload) in desk.latest("user/") where topic.hasSuffix("/presence") {
            guard let presence = try? PresencePayload(json: payload.span),
                let user = topic.split(separator: "/").dropLast().last,
                presence.station != nil || presence.room != nil
            else { continue }
            let known = try places ?? NearBeacons(desk.store).places()
            places = known
            let view = NearOrders.View(
                of: known.nodes(atStation: presence.station, inRoom: presence.room))
            viewOf[String(user)] = view.name
            if views[view.name] == nil {
                views[view.name] = (
                    view.nodes, orders.items(view, at: now, of: desk).map(\.item)
                )
            }
        }
        guard !viewOf.isEmpty else { return [:] }
        let beacons = Set(views.values.flatMap { $0.items.map(\.beacon) }).sorted()
        let about = try NearBeacons(desk.store).about(beacons, at: now)
        var near: [String: NearPayload] = [:]
        for (user, name) in viewOf {
            guard let view = views[name] else { continue }
            let seen = view.items.lazy.filter { item in
                guard let one = about[item.beacon] else { return false }
                return one.user.map { $0 != user && sharing.contains($0) } ?? true
            }
            near[user] = NearPayload(
                tMs: 0, nodes: view.nodes.sorted(),
                beacons: seen.prefix(NearPayload.most).compactMap { item in
                    NearPayload.Zone(rawValue: item.zone.rawValue).map {
                        NearPayload.Beacon(id: item.beacon, zone: $0)
                    }
                })
        }
        return near
    }
}
