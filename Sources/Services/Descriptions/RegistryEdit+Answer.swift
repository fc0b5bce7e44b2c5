import Operations
import Registry
import SiteModel
import WebServer

// What is answered of rows of a site, and of its policy, as `SiteFileWriter` writes them.

extension RegistryEdit.Kind {
    package var answer: [RouteText.Field] { head + others }

    /// What is answered to whoever asked for some members, or may write rows and not read them.
    package var partly: [RouteText.Field] {
        answer.map { $0.name == "id" ? $0 : $0.optional }
    }

    private var head: [RouteText.Field] { [.always("id", .slug), .always(label, .anyText)] }

    private var others: [RouteText.Field] {
        switch self {
        case .rooms: [.init("area_m", .list(.number), "Two opposite corners, x0, y0, x1, y1.")]
        case .stations:
            [
                .always("room", .slug), .always("slots", .count), .init("x_m", .number),
                .init("y_m", .number),
            ]
        case .nodes:
            [
                .init("role", .word(["fixed", "mobile"]), "Not there of a fixed one."),
                .always("room", .slug), .init("station", .slug),
                .init("user", .slug, "Who carries it."), .init("x_m", .number),
                .init("y_m", .number),
            ]
        case .users: [.init("consent", .anyText, "To which text.")]
        case .beacons:
            [
                .always("identity", .anyText), .init("user", .slug, "Who carries it."),
                .init("until", .anyText, "Until when, in UTC."), .init("room", .slug),
                .init("station", .slug), .init("threshold_dbm", .number),
            ]
        }
    }
}

extension RegistryEdit {
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
        .always("publish_unregistered", .flag), .init("profile", .oneOf(NodePolicy.Profile.self)),
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
