import MeshCore
import Settings

extension Policy {
    /// Reads how a site decides: `presence.{site,room,station}.{enter,lost,leave}_s`, the floors
    /// in dBm, whether nodes publish what is not registered, and what they regard of it. What is
    /// not said keeps its default.
    init(_ settings: inout SettingsReader) {
        self.init()
        (site, room, station) = settings.section("presence") { [self] presence in
            (
                presence.section("site") { Timing(&$0, default: site) },
                presence.section("room") { Timing(&$0, default: room) },
                presence.section("station") { Timing(&$0, default: station) }
            )
        }
        stationFloor = RSSI(
            dBm: settings.number("station_floor_dbm", in: -127...20, default: stationFloor.dBm))
        siteFloor = RSSI(
            dBm: settings.number("site_floor_dbm", in: -127...20, default: siteFloor.dBm))
        publishesUnregistered = settings.bool(
            "publish_unregistered", default: publishesUnregistered)
        guard settings.holds("allow") else { return }
        var seen: [Identity] = []
        allowed = settings.list("allow", count: 1...NodePolicy.mostRules) { item in
            guard let identity = SiteIdentity.read(&item) else { return Identity?.none }
            if seen.contains(where: { $0 == identity || $0.hides(identity) }) {
                item.refuse("identity", "is allowed already")
            }
            seen.append(identity)
            return identity
        }.compactMap(\.self)
    }
}

extension Policy.Timing {
    /// Half a second is the least that can be told apart from a lost packet, a day the most that
    /// makes sense.
    private static let limits = 0.5...86400.0

    fileprivate init(_ level: inout SettingsReader, default preset: Policy.Timing) {
        func span(_ key: String, _ preset: Timestamp.Span) -> Timestamp.Span {
            .seconds(level.seconds(key, in: Self.limits, default: preset.seconds))
        }
        self.init(
            enter: span("enter_s", preset.enter), lost: span("lost_s", preset.lost),
            leave: span("leave_s", preset.leave))
        if !level.hasFaults, leave < lost {
            level.refuse(
                "leave_s",
                "\(leave.seconds) is less than lost_s, \(lost.seconds); it counts all"
                    + " of the silence")
        }
    }
}
