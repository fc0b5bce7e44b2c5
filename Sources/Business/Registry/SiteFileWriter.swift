import Foundation
import SiteModel

/// Writes a site as the file that makes it: reading what was written changes nothing.
package struct SiteFileWriter {
    /// The file as a tree.
    package let tree: SiteTree

    package init(_ document: SiteDocument) {
        var rows = document.content
        rows["rooms"] = document.rooms.map(Self.row)
        rows["stations"] = document.stations.map(Self.row)
        rows["nodes"] = document.nodes.map(Self.row)
        rows["users"] = document.users.map(Self.row)
        rows["beacons"] = document.beacons.map(Self.row)
        self.init(document, rows: rows)
    }

    /// The file of a site whose rows are given by the names of their collections.
    init(_ site: SiteDocument, rows: [String: [SiteTree]]) {
        var members: [(key: String, value: SiteTree)] = [("site", Self.head(of: site))]
        members += SiteCollection.all.map { ($0.name, .list(rows[$0.name] ?? [])) }
        members += Self.members(of: site.policy)
        var privacy: [(key: String, value: SiteTree)] = [
            ("requires_consent", .flag(site.privacy.requiresConsent))
        ]
        if let days = site.privacy.attendanceDays {
            privacy.append(("attendance_days", .scalar("\(days)")))
        }
        members.append(("privacy", .section(privacy)))
        tree = .section(members)
    }

    /// The lists in which another file differs, and `nil` if anything else does: the site itself, privacy, policy.
    package func partsChanged(from other: SiteTree) -> [SiteCollection?] {
        func rest(_ tree: SiteTree) -> SiteTree {
            guard case .section(let members) = tree else { return .section([]) }
            return .section(members.filter { SiteCollection.named($0.key) == nil })
        }
        let lists: [SiteCollection?] = SiteCollection.all.filter {
            tree[$0.name] != other[$0.name]
        }
        return lists + (rest(tree) == rest(other) ? [] : [nil])
    }

    /// The section `site`.
    static func head(of site: SiteDocument) -> SiteTree {
        .section([
            ("id", .text(site.slug)), ("name", .text(site.name)),
            ("time_zone", .text(site.timeZone)), ("demo", .flag(site.isDemo)),
            ("day_start", .text("\(site.dayStart)")),
        ])
    }

    static func row(_ room: SiteDocument.Room) -> SiteTree {
        var row = head(room.slug, ("name", room.name))
        if let area = room.area {
            let corners = [area.low.x, area.low.y, area.high.x, area.high.y]
            row.append(("area_m", .list(corners.map { .number($0) })))
        }
        return .section(row)
    }

    static func row(_ station: SiteDocument.Station) -> SiteTree {
        .section(
            head(station.slug, ("name", station.name)) + [
                ("room", .text(station.room)), ("slots", .scalar("\(station.slots)")),
            ] + members(of: station.use) + position(station.x, station.y))
    }

    private static func members(
        of use: SiteDocument.Station.Use
    ) -> [(key: String, value: SiteTree)] {
        func seconds(_ number: Int?) -> SiteTree { number.map { .scalar("\($0)") } ?? .null }
        var members: [(key: String, value: SiteTree)] = [("kind", .text(use.kind.rawValue))]
        if let equipment = use.equipment { members.append(("equipment", .text(equipment))) }
        if let location = use.location { members.append(("location", .text(location))) }
        if !use.exercises.isEmpty {
            members.append(("exercises", .list(use.exercises.map { .text($0) })))
        }
        return members + [
            ("auto_start_s", seconds(use.autoStart)), ("auto_pause_s", seconds(use.autoPause)),
            ("claim_grace_s", seconds(use.claimGrace)),
        ]
    }

    static func row(_ node: SiteDocument.Node) -> SiteTree {
        var row = head(node.slug, ("name", node.name))
        if node.carrier != nil { row.append(("role", .text("mobile"))) }
        row.append(("room", .text(node.room)))
        if let station = node.station { row.append(("station", .text(station))) }
        if let carrier = node.carrier { row.append(("user", .text(carrier))) }
        return .section(row + position(node.x, node.y))
    }

    static func row(_ user: SiteDocument.User) -> SiteTree {
        var row = head(user.slug, ("name", user.name))
        if let consent = user.consent { row.append(("consent", .text(consent))) }
        return .section(row)
    }

    static func row(_ beacon: SiteDocument.Beacon) -> SiteTree {
        var row = head(beacon.slug, ("title", beacon.title))
        row.append(("identity", .text(beacon.identity.text)))
        if let user = beacon.user { row.append(("user", .text(user))) }
        if let until = beacon.until { row.append(("until", .text(text(until)))) }
        if let room = beacon.room { row.append(("room", .text(room))) }
        if let station = beacon.station { row.append(("station", .text(station))) }
        if let threshold = beacon.threshold {
            row.append(("threshold_dbm", .number(threshold.dBm)))
        }
        return .section(row)
    }

    /// A moment in UTC, to the second, which is all a file can say.
    static func text(_ moment: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000).formatted(.iso8601)
    }

    private static func head(
        _ slug: String, _ name: (String, String)
    ) -> [(key: String, value: SiteTree)] {
        [("id", .text(slug)), (name.0, .text(name.1))]
    }

    private static func position(_ x: Double?, _ y: Double?) -> [(key: String, value: SiteTree)] {
        guard let x, let y else { return [] }
        return [("x_m", .number(x)), ("y_m", .number(y))]
    }

    // MARK: The policy

    static func members(of policy: Policy) -> [(key: String, value: SiteTree)] {
        var members: [(key: String, value: SiteTree)] = [
            (
                "presence",
                .section([
                    ("site", timing(policy.site)), ("room", timing(policy.room)),
                    ("station", timing(policy.station)),
                ])
            ),
            ("station_floor_dbm", .number(policy.stationFloor.dBm)),
            ("site_floor_dbm", .number(policy.siteFloor.dBm)),
            ("publish_unregistered", .flag(policy.publishesUnregistered)),
        ]
        if let until = policy.unregisteredUntil {
            members.append(("publish_unregistered_until_ms", .scalar("\(until.milliseconds)")))
        }
        if let practice = policy.practice {
            members += [
                ("profile", .text(practice.profile.rawValue)), ("burst", .flag(practice.bursts)),
            ]
            let ranges = [("ranging", practice.rangingRange), ("sparse", practice.sparseRange)]
            let known = ranges.compactMap { name, range in range.map { (name, SiteTree.number($0)) }
            }
            if !known.isEmpty { members.append(("max_range_m", .section(known))) }
        }
        if let allowed = policy.allowed {
            members.append(
                ("allow", .list(allowed.map { .section([("identity", .text($0.text))]) })))
        }
        if let locating = policy.locating {
            members.append(
                (
                    "locating",
                    .section(
                        [
                            ("method", .text(locating.method.rawValue)),
                            ("quickness", .number(locating.quickness)),
                        ] + (locating.shadow.map { [("shadow", .text($0.rawValue))] } ?? []))
                ))
        }
        if let attendance = policy.attendance {
            members.append(
                (
                    "attendance",
                    .section([
                        ("merge_gap_s", .number(attendance.mergeGap.seconds)),
                        ("longest_break_s", .number(attendance.longestBreak.seconds)),
                        ("longest_session_s", .number(attendance.longestOpen.seconds)),
                    ])
                ))
        }
        if let doubts = policy.doubts {
            var section = doubts.off.map { kind in
                (
                    key: String(kind.rawValue.map { $0 == "-" ? "_" : $0 }),
                    value: SiteTree.flag(false)
                )
            }
            let after = doubts.inactiveAfter ?? DoubtPolicy.usualInactive
            section.append(("inactive_after_s", .number(after.seconds)))
            members.append(("doubts", .section(section)))
        }
        return members
    }

    private static func timing(_ timing: Policy.Timing) -> SiteTree {
        .section([
            ("enter_s", .number(timing.enter.seconds)), ("lost_s", .number(timing.lost.seconds)),
            ("leave_s", .number(timing.leave.seconds)),
        ])
    }
}
