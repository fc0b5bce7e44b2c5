import Operations
import Registry
import SiteModel
import WebServer

// What is answered of rows of a site, and of its policy, as `SiteFileWriter` writes them.

extension SiteCollection {
    /// What is answered to whoever asked for some members, or may write rows and not read them.
    package var partly: [RouteText.Field] {
        members.map { $0.name == "id" ? $0 : $0.optional }
    }

    /// What is sent to add or replace a row.
    package var sent: [RouteText.Field] {
        members.map { member in
            var field = member
            field.isNeeded = required.contains(member.name)
            // As if it were not there.
            field.isNullable = !field.isNeeded
            return field
        }
    }

    /// What is sent to change a row.
    package var changed: [RouteText.Field] {
        members.filter { $0.name != "id" }.map { member in
            var field = member.optional
            field.isNullable = true
            return field
        }
    }
}

extension SiteRows {
    package static let siteAnswer: [RouteText.Field] = [
        .always("id", .slug), .always("name", .anyText), .always("time_zone", .anyText),
        .always("demo", .flag), .always("day_start", .anyText, "Such as 04:00."),
        .always("revision", .count),
    ]

    package static let policyAnswer: [RouteText.Field] = [
        .always(
            "presence",
            .object([
                .always("site", .object(timing)), .always("room", .object(timing)),
                .always("station", .object(timing)),
            ])),
        .always("station_floor_dbm", .number), .always("site_floor_dbm", .number),
        .always("publish_unregistered", .flag),
        .init("publish_unregistered_until_ms", .time, "When they stop by themselves."),
        .init("profile", .oneOf(NodePolicy.Profile.self)),
        .init("burst", .flag),
        .init("max_range_m", .object([.init("ranging", .number), .init("sparse", .number)])),
        .init("allow", .list(.object([.always("identity", .anyText)]))),
        .init(
            "locating",
            .object([
                .always("method", .oneOf(LocatingPolicy.Method.self)),
                .always("quickness", .number, "From 0, calm, to 1, quick."),
                .init("shadow", .oneOf(LocatingPolicy.Method.self)),
            ])),
        .init(
            "attendance",
            .object([
                .always("merge_gap_s", .number), .always("longest_break_s", .number),
                .always("longest_session_s", .number),
            ])),
        .init(
            "doubts",
            .object([
                .init("two_places", .flag), .init("speed", .flag), .init("rate", .flag),
                .init("teleport", .flag), .init("fingerprint", .flag), .init("inactive", .flag),
                .always("inactive_after_s", .number),
            ]), "Of the flags those that are off."),
    ]

    private static let timing: [RouteText.Field] = [
        .always("enter_s", .number), .always("lost_s", .number), .always("leave_s", .number),
    ]
}
