import AnomalyDetection
import Settings
import SiteEngine
import SiteModel

extension Policy {
    /// Reads how a site decides: `presence.{site,room,station}.{enter,lost,leave}_s`, the floors
    /// in dBm, whether nodes publish what is not registered, what they regard of it, and how it is
    /// decided where people are. What is not said keeps its default.
    package init(_ settings: inout SettingsReader) {
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
        let until = settings.intIfPresent(
            "publish_unregistered_until_ms", in: 0...253_402_300_799_999)
        unregisteredUntil =
            publishesUnregistered ? until.map { Timestamp(milliseconds: Int64($0)) } : nil
        practice = NodePractice(&settings)
        allowed = Self.allowed(&settings)
        locating = settings.sectionIfPresent("locating") { LocatingPolicy(&$0) }
        attendance = settings.sectionIfPresent("attendance") { AttendancePolicy(&$0) }
        doubts = settings.sectionIfPresent("doubts") { DoubtPolicy(&$0) }
    }

    private static func allowed(_ settings: inout SettingsReader) -> [Identity]? {
        guard settings.holds("allow") else { return nil }
        var seen: [Identity] = []
        return settings.list("allow", count: 1...NodePolicy.mostRules) { item in
            guard let identity = SiteIdentity.read(&item) else { return Identity?.none }
            if seen.contains(where: { $0 == identity || $0.hides(identity) }) {
                item.refuse("identity", "is allowed already")
            }
            seen.append(identity)
            return identity
        }.compactMap(\.self)
    }
}

extension AttendancePolicy {
    private static let limits = 0.0...86400.0

    /// Reads which absences are none (`merge_gap_s`), which are breaks (`longest_break_s`), and from
    /// which length on a session needs review (`longest_session_s`).
    fileprivate init(_ attendance: inout SettingsReader) {
        let usual = AttendancePolicy()
        self.init(
            mergeGap: .seconds(
                attendance.seconds("merge_gap_s", in: Self.limits, default: usual.mergeGap.seconds)),
            longestBreak: .seconds(
                attendance.seconds(
                    "longest_break_s", in: Self.limits, default: usual.longestBreak.seconds)),
            longestOpen: .seconds(
                attendance.seconds(
                    "longest_session_s", in: 3600...129_600, default: usual.longestOpen.seconds)))
    }
}

extension DoubtPolicy {
    /// Reads which doubts are told (a switch each: `two_places`, `speed`, `rate`, `teleport`,
    /// `fingerprint`, `inactive`), and after how long somebody counts as inactive
    /// (`inactive_after_s`).
    fileprivate init(_ doubts: inout SettingsReader) {
        var off: [Review] = []
        for kind in Doubts.kinds {
            let key = String(kind.rawValue.map { $0 == "-" ? "_" : $0 })
            if !doubts.bool(key, default: true) { off.append(kind) }
        }
        let usual = Self.usualInactive.seconds
        self.init(
            off: off,
            inactiveAfter: .seconds(
                doubts.seconds("inactive_after_s", in: 60...86400, default: usual)))
    }
}

extension LocatingPolicy {
    /// What a person may write instead of a number.
    private static let words = ["calm": 0, "balanced": 0.5, "quick": 1]

    /// Reads the rule (`method`), how soon it decides (`quickness`, a number or a word) and a rule
    /// that runs beside it (`shadow`).
    fileprivate init(_ locating: inout SettingsReader) {
        let usual = LocatingPolicy()
        let method = locating.choice("method", default: usual.method)
        var quickness = usual.quickness
        if locating.holds("quickness") {
            let word = locating.word("quickness")
            let number = Self.words[word] ?? Double(word)
            if let number, (0...1).contains(number) {
                quickness = number
            } else if !word.isEmpty {
                locating.refuse(
                    "quickness",
                    "expected a number from 0 to 1, calm, balanced or quick, got \"\(word)\"")
            }
        } else {
            _ = locating.word("quickness", default: "balanced")
        }
        var shadow: Method?
        if locating.holds("shadow") {
            let named: Method = locating.choice("shadow")
            shadow = named
        } else {
            _ = locating.word("shadow", default: "none")
        }
        self.init(method: method, quickness: quickness, shadow: shadow)
    }
}

extension NodePractice {
    private static let ranges = 1.0...1000.0

    /// Reads what nodes are to do: `profile`, `max_range_m` (a number, or one for each profile), `burst`;
    /// `nil` if none of it is said.
    fileprivate init?(_ settings: inout SettingsReader) {
        self.init(
            profile: settings.choice("profile", default: .ranging),
            bursts: settings.bool("burst", default: false))
        if settings.holdsSection("max_range_m") {
            (rangingRange, sparseRange) = settings.section("max_range_m") { range in
                (
                    range.numberIfPresent("ranging", in: Self.ranges),
                    range.numberIfPresent("sparse", in: Self.ranges)
                )
            }
        } else {
            rangingRange = settings.numberIfPresent("max_range_m", in: Self.ranges)
            sparseRange = rangingRange
        }
        if self == NodePractice() { return nil }
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
