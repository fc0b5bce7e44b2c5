import AnomalyDetection
import Basics
import Foundation
import Operations
import Settings
import SiteEngine
import SiteModel

// What can be set of a site, in the order of its file. The texts say what a setting does, for whoever runs a site.

extension SiteDocument {
    /// All of it: the site itself, how it decides, what it promises.
    package static let settings: [SettingMember<SiteDocument>] =
        [.section("site", site, \.self)] + policySettings
        + [
            .section("privacy", PrivacyPolicy.settings, \.privacy),
            .section(
                "content", ContentSettings.settings, \.shown,
                "What is shown of beacons and stations."),
        ]

    /// How it decides.
    package static let policySettings: [SettingMember<SiteDocument>] = Policy.settings.map {
        $0.of(\SiteDocument.policy)
    }

    /// The site itself.
    static let site: [SettingMember<SiteDocument>] = [
        SettingMember(
            parameter: .always("name", .text(1...120), "What people call the site.")
        ) { settings, site in
            site.name = settings.name(default: site.slug)
        } write: {
            .text($0.name)
        },
        SettingMember(
            parameter: .preset(
                "time_zone", .text(1...64), "\"UTC\"",
                "The zone of its clocks, such as Europe/Berlin. Another one is in force from now on."
            )
        ) { settings, site in
            site.timeZone = settings.string("time_zone", default: "UTC")
            if !site.timeZone.isEmpty, TimeZone(identifier: site.timeZone) == nil {
                settings.refuse("time_zone", "no such time zone, expected one like Europe/Berlin")
            }
        } write: {
            .text($0.timeZone)
        },
        SettingMember(
            parameter: .preset(
                "day_start", .text(5...5), "\"00:00\"",
                "When a working day begins, such as 04:00: who leaves before it belongs to the day before."
            )
        ) { settings, site in
            let start = settings.string("day_start", default: "00:00")
            // To the minute: that is how it is stored.
            site.dayStart = LocalTime(start.utf8.count == 5 ? start : "") ?? .midnight
            if !start.isEmpty, site.dayStart.description != start {
                settings.refuse("day_start", "no time of day, expected one like 04:00")
            }
        } write: {
            .text("\($0.dayStart)")
        },
    ]
}

extension PrivacyPolicy {
    static let settings: [SettingMember<PrivacyPolicy>] = [
        Declaring(usual: PrivacyPolicy()).flag(
            "requires_consent", \.requiresConsent,
            "Whether a tag stands only for people who agreed to be located."),
        SettingMember(
            parameter: Parameter(
                "attendance_days",
                .integer(Int64(possibleDays.lowerBound)...Int64(possibleDays.upperBound)),
                "For how many days attendance is kept; two years where nothing is said.")
        ) { settings, privacy in
            privacy.attendanceDays = settings.intIfPresent("attendance_days", in: possibleDays)
        } write: {
            $0.attendanceDays.map { .scalar("\($0)") }
        },
        Declaring(usual: PrivacyPolicy()).word(
            "wall_names", \.wallNames,
            "What a screen on the wall shows of the names of those at stations who let others see where they are."
        ),
    ]
}

extension ContentSettings {
    static let settings: [SettingMember<ContentSettings>] = [
        of.flag(
            "visitors", \.visitors,
            "Whether anybody who scans the code at a station sees its card and whether it is free, without an account."
        ),
        SettingMember(
            parameter: Parameter(
                "source", .text(1...512),
                "The address of a list of cards, beacons.json, that is asked every quarter of an hour."
            )
        ) { settings, shown in
            let text = settings.stringIfPresent("source", length: 512)
            if let text, !text.isEmpty, let fault = WebLink.fault(in: text) {
                settings.refuse("source", fault)
            }
            shown.source = text
        } write: {
            $0.source.map { .text($0) }
        },
        SettingMember(
            parameter: Parameter(
                "source_group", .slug,
                "The group whose minors the list names; all beacons where nothing is said.")
        ) { settings, shown in
            shown.group = settings.slugIfPresent("source_group")
        } write: {
            $0.group.map { .text($0) }
        },
        of.flag(
            "private_source", \.isPrivate,
            "Whether the source may be a machine of our own network."),
    ]

    private static let of = Declaring(usual: ContentSettings())
}

extension Policy {
    /// How a site decides.
    package static let settings: [SettingMember<Policy>] = [
        .section("presence", levels, \.self, "How soon presence is believed and given up."),
        of.level(
            "station_floor_dbm", \.stationFloor,
            "Only from this level on is somebody believed at a station."),
        of.level(
            "site_floor_dbm", \.siteFloor, "Below this level a tag does not count as being here."),
        of.flag(
            "publish_unregistered", \.publishesUnregistered,
            "Whether nodes tell of transmitters that nobody registered."),
        unregisteredUntil,
        ofNodes.word("profile", \.saidPractice.profile, "How much nodes tell."),
        ofNodes.flag(
            "burst", \.saidPractice.bursts,
            "Whether nodes that tell little are asked for more where somebody moved."),
        sparseHours,
        ofNodes.flag(
            "detect", \.saidPractice.detects,
            "Whether nodes tell what sort of strangers' devices they hear, by the device rules."),
        range, allowed,
        .section(
            "locating", LocatingPolicy.settings, \.locating, usual: LocatingPolicy(),
            "How it is decided where people are."),
        .section(
            "attendance", AttendancePolicy.settings, \.attendance, usual: AttendancePolicy(),
            "What counts as one session."),
        .section(
            "doubts", DoubtPolicy.settings, \.doubts, usual: DoubtPolicy(),
            "Which doubts are told; of the flags those that are off."),
    ]

    /// Reads how a site decides. What is not said keeps its default.
    package init(_ settings: inout SettingsReader) {
        self.init()
        Self.settings.read(&settings, &self)
    }

    private static let of = Declaring(usual: Policy())
    private static let ofNodes = Declaring(usual: Policy()) { $0.practice != nil }

    private static let levels: [SettingMember<Policy>] = [
        level("site", \.site), level("room", \.room), level("station", \.station),
    ]

    private static func level(
        _ name: String, _ path: WritableKeyPath<Policy, Timing> & Sendable
    ) -> SettingMember<Policy> {
        .section(name, Timing.settings(usual: Policy()[keyPath: path]), path) { timing, section in
            guard !section.hasFaults, timing.leave < timing.lost else { return }
            section.refuse(
                "leave_s",
                "\(timing.leave.seconds) is less than lost_s, \(timing.lost.seconds); it counts all"
                    + " of the silence")
        }
    }

    private static let unregisteredUntil = SettingMember<Policy>(
        parameter: Parameter(
            "publish_unregistered_until_ms", .time, "When they stop that by themselves.")
    ) { settings, policy in
        let until = settings.intIfPresent(
            "publish_unregistered_until_ms", in: 0...253_402_300_799_999)
        policy.unregisteredUntil =
            policy.publishesUnregistered
            ? until.map { Timestamp(milliseconds: Int64($0)) } : nil
    } write: {
        $0.unregisteredUntil.map { .scalar("\($0.milliseconds)") }
    }

    private static let sparseHours: SettingMember<Policy> = {
        let name = "sparse_hours"
        return SettingMember(
            parameter: Parameter(
                name, .text(11...11),
                "When nodes tell little every day by the clocks of the site, such as 22:00-06:00.")
        ) { settings, policy in
            let text = settings.stringIfPresent(name, length: 11)
            policy.saidPractice.sparseHours = text.flatMap { DailyHours($0) }
            if let text, !text.isEmpty, policy.saidPractice.sparseHours == nil {
                settings.refuse(name, "expected two times of a day, such as 22:00-06:00")
            }
        } write: {
            $0.practice?.sparseHours.map { .text($0.text) }
        }
    }()

    /// A file may say one range for all profiles.
    private static let range: SettingMember<Policy> = {
        let (name, metres) = ("max_range_m", 1.0...1000.0)
        let of = Declaring(usual: NodePractice())
        let profiles = [
            of.number(
                "ranging", in: metres, \.rangingRange,
                "How far away a tag may seem, in metres; 20 where nothing is said."),
            of.number("sparse", in: metres, \.sparseRange, "The same of nodes that tell little."),
        ]
        return SettingMember(
            parameter: Parameter(name, .object(profiles.map(\.parameter)))
        ) { settings, policy in
            if settings.holdsSection(name) {
                settings.section(name) { profiles.read(&$0, &policy.saidPractice) }
            } else {
                let range = settings.numberIfPresent(name, in: metres)
                (policy.saidPractice.rangingRange, policy.saidPractice.sparseRange) = (range, range)
            }
        } write: { policy in
            guard let practice = policy.practice,
                practice.rangingRange != nil || practice.sparseRange != nil
            else { return nil }
            return profiles.tree(of: practice)
        }
    }()

    private static let allowed = SettingMember<Policy>(
        parameter: Parameter(
            "allow", .list(.object([.always("identity", .anyText)])),
            "What nodes regard at all beside the registered tags; everything where nothing is said."
        )
    ) { settings, policy in
        guard settings.holds("allow") else {
            policy.allowed = nil
            return
        }
        var seen: [Identity] = []
        policy.allowed = settings.list("allow", count: 1...NodePolicy.mostRules) { item in
            guard let identity = SiteIdentity.read(&item) else { return Identity?.none }
            if seen.contains(where: { $0 == identity || $0.hides(identity) }) {
                item.refuse("identity", "is allowed already")
            }
            seen.append(identity)
            return identity
        }.compactMap(\.self)
    } write: {
        $0.allowed.map { allowed in
            .list(allowed.map { .section([("identity", .text($0.text))]) })
        }
    }

    /// What nodes are to do, as if something were said of it in any case.
    fileprivate var saidPractice: NodePractice {
        get { practice ?? NodePractice() }
        set { practice = newValue == NodePractice() ? nil : newValue }
    }
}

extension Policy.Timing {
    /// Half a second is the least that can be told apart from a lost packet, a day the most that
    /// makes sense.
    private static let limits = 0.5...86400.0

    fileprivate static func settings(usual: Policy.Timing) -> [SettingMember<Policy.Timing>] {
        let of = Declaring(usual: usual)
        return [
            of.seconds(
                "enter_s", in: limits, \.enter, "For how long somebody is heard until it counts."),
            of.seconds(
                "lost_s", in: limits, \.lost, "After how long a silence they seem to leave."),
            of.seconds(
                "leave_s", in: limits, \.leave,
                "After how long a silence they have left, from when they were last heard."),
        ]
    }
}

extension AttendancePolicy {
    fileprivate static let settings: [SettingMember<AttendancePolicy>] = {
        let of = Declaring(usual: AttendancePolicy())
        return [
            of.seconds("merge_gap_s", in: 0...86400, \.mergeGap, "An absence up to this is none."),
            of.seconds(
                "longest_break_s", in: 0...86400, \.longestBreak,
                "An absence up to this is a break in one session; 0: never."),
            of.seconds(
                "longest_session_s", in: 3600...129_600, \.longestOpen,
                "A session longer than this needs review."),
        ]
    }()
}

extension DoubtPolicy {
    fileprivate static let settings: [SettingMember<DoubtPolicy>] =
        Doubts.kinds.map(flag) + [
            SettingMember(
                parameter: .preset(
                    "inactive_after_s", .decimal(inactive),
                    SiteTree.number(usualInactive.seconds).json,
                    "For how long somebody may be here without ever being at a station.")
            ) { settings, doubts in
                doubts.inactiveAfter = .seconds(
                    settings.seconds(
                        "inactive_after_s", in: inactive, default: usualInactive.seconds))
            } write: {
                .number(($0.inactiveAfter ?? usualInactive).seconds)
            }
        ]

    private static let inactive = 60.0...86400.0

    /// Whether a doubt is told.
    private static func flag(_ kind: Review) -> SettingMember<DoubtPolicy> {
        let key = String(kind.rawValue.map { $0 == "-" ? "_" : $0 })
        var parameter = Parameter(key, .flag, "Whether this doubt is told.")
        parameter.preset = "true"
        return SettingMember(parameter: parameter) { settings, doubts in
            if !settings.bool(key, default: true) {
                doubts = DoubtPolicy(off: doubts.off + [kind], inactiveAfter: doubts.inactiveAfter)
            }
        } write: {
            $0.off.contains(kind) ? .flag(false) : nil
        }
    }
}

extension LocatingPolicy {
    /// What a person may write instead of a number.
    private static let words = ["calm": 0, "balanced": 0.5, "quick": 1]

    fileprivate static let settings: [SettingMember<LocatingPolicy>] = [
        Declaring(usual: LocatingPolicy()).word("method", \.method, "The rule that decides."),
        SettingMember(
            parameter: .preset(
                "quickness", .decimal(0...1), "0.5",
                "From 0, calm: rather late than wrong, to 1, quick: rather wrong than late.")
        ) { settings, locating in
            guard settings.holds("quickness") else {
                _ = settings.word("quickness", default: "balanced")
                return
            }
            let word = settings.word("quickness")
            let number = words[word] ?? Double(word)
            if let number, (0...1).contains(number) {
                locating.quickness = number
            } else if !word.isEmpty {
                settings.refuse(
                    "quickness",
                    "expected a number from 0 to 1, calm, balanced or quick, got \"\(word)\"")
            }
        } write: {
            .number($0.quickness)
        },
        SettingMember(
            parameter: Parameter(
                "shadow", .oneOf(Method.self), "A rule that runs beside it and tells figures only.")
        ) { settings, locating in
            guard settings.holds("shadow") else {
                _ = settings.word("shadow", default: "none")
                return
            }
            let named: Method = settings.choice("shadow")
            locating.shadow = named
        } write: {
            $0.shadow.map { .text($0.rawValue) }
        },
    ]
}
