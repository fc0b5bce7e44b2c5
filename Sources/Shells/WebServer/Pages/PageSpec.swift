import Permissions

/// A page of the dashboard, declared once: its route, its shell, its place in the navigation, what it is sent
/// of the live state, and the tests that open it follow from here.
struct PageSpec: Sendable {
    /// Where the navigation leads to a page.
    enum Place: Sendable {
        /// Among the sections, for everybody who may open it.
        case sections
        /// Among the sections, for those who are registered as a person.
        case ownSections
        /// Behind the name of whoever is signed in.
        case account
        /// Reached from other pages only.
        case elsewhere
        /// A screen of its own, on a wall or at the door: it leads nowhere.
        case board
    }

    /// Its title in the words: `page.{name}`.
    let name: String
    /// Its module `pages/{module}.js`, as the name if nothing else is said.
    let module: String
    /// From `/`; a part `{name}` takes anything up to the next slash.
    let path: String
    /// What whoever opens it must be allowed; `nil`: it is for anybody, as the door is.
    let right: Right?
    /// About whom it is, for those who may ask about themselves only.
    let whose: Route.Whose
    let place: Place
    /// The filters of the live state it follows, relative to the site as in `?topics=`; none: it has no stream.
    let topics: [String]

    init(
        _ name: String, _ path: String, _ right: Right?, whose: Route.Whose = .anybody,
        place: Place = .elsewhere, module: String? = nil, topics: [String] = []
    ) {
        self.name = name
        self.module = module ?? name
        self.path = path
        self.right = right
        self.whose = whose
        self.place = place
        self.topics = topics
    }

    /// Whether somebody may open it, leaving aside about whom a path is.
    func isOpen(to principal: Principal) -> Bool {
        guard let right else { return true }
        return principal.reach(right) >= whose.least
    }
}

extension PageSpec {
    /// What each page with live data needs: what the site is, and how many are there.
    private static let site = ["info", "state"]
    private static let places = ["room/+/state", "station/+/state", "station/+/info"]
    private static let people = ["user/+/presence", "user/+/attendance", "user/+/workout"]
    private static let nodes = ["node/+/status", "node/+/health"]

    /// Behind the bell in the head of every page.
    static let notices = PageSpec(
        "notices", "/notices", .attendanceRead, whose: .each, topics: site)

    /// Every page, in the order of the navigation.
    static let all: [PageSpec] = [
        PageSpec(
            "live", "/", .live, whose: .filtered, place: .sections,
            topics: site + places + people + nodes + ["core/+/health"]),
        PageSpec(
            "plan", "/plan", .live, whose: .filtered, place: .sections,
            topics: site + places + ["user/+/presence"] + nodes),
        PageSpec(
            "stations", "/stations", .live, whose: .filtered, place: .sections,
            topics: site + places + ["user/+/workout", "user/+/wait"]),
        PageSpec(
            "station", "/stations/{station}", .live, whose: .filtered,
            topics: site + places + ["user/+/workout", "user/+/wait"]),
        PageSpec(
            "workout", "/workout", .workoutsWrite, whose: .each, place: .ownSections,
            topics: site + places + ["user/+/presence", "user/+/workout"]),
        PageSpec(
            "history", "/history", .workoutsRead, whose: .each, place: .ownSections,
            topics: site + ["user/+/workout"]),
        PageSpec(
            "workout-told", "/history/{id}", .workoutsRead, whose: .each,
            topics: site + ["user/+/workout"]),
        PageSpec(
            "activity", "/activity", .activityRead, whose: .each, place: .ownSections,
            topics: site),
        PageSpec(
            "activity-options", "/activity/settings", .activityRead, whose: .each, topics: site),
        PageSpec("activity-shared", "/activity/shared", .activityShared, topics: site),
        PageSpec("records", "/records", .workoutsRead, whose: .each, topics: site),
        PageSpec(
            "trainer", "/training", .workoutsRead, place: .sections,
            topics: site + ["user/+/workout", "user/+/wait"]),
        PageSpec("people", "/people", .live, place: .sections, topics: site + people),
        PageSpec(
            "person", "/people/{user}", .live, whose: .path("user"), topics: site + people),
        PageSpec(
            "me", "/me", .live, whose: .each, place: .ownSections, topics: site + places + people),
        PageSpec(
            "attendance", "/attendance", .attendanceRead, place: .sections, topics: site + people),
        PageSpec(
            "corrections", "/attendance/corrections", .attendanceRead, topics: site),
        PageSpec("roster", "/attendance/roster", .rosterRead, topics: site),
        PageSpec("reports", "/attendance/reports", .reports, topics: site),
        PageSpec(
            "attendance-date", "/attendance/{date}", .attendanceRead, module: "attendance",
            topics: site + people),
        notices,
        PageSpec("accounts", "/accounts", .accounts, place: .sections, topics: site),
        PageSpec(
            "nodes", "/nodes", .live, place: .sections,
            topics: site + nodes + ["node/+/info", "core/+/health"]),
        PageSpec(
            "node", "/nodes/{node}", .live,
            topics: site + nodes + [
                "node/+/info", "node/+/res", "node/+/config/active",
                "core/+/health", "beacon/+/state",
            ]),
        PageSpec(
            "devices", "/devices", .live, place: .sections,
            topics: site + ["beacon/+/+", "node/+/health", "node/+/rssi/+"]),
        PageSpec("discover", "/discover", .detections, place: .sections, topics: site + nodes),
        PageSpec("detection", "/discover/{id}", .detections, topics: site + nodes),
        PageSpec("scanner", "/scanner", .nodesCommand, topics: site + nodes),
        PageSpec("device", "/devices/{beacon}", .live, topics: site),
        PageSpec(
            "near", "/near", .live, whose: .each, place: .sections,
            topics: site + ["user/+/presence"]),
        PageSpec(
            "setup", "/setup", .placesWrite, place: .sections,
            topics: site + nodes + ["user/+/presence"]),
        PageSpec(
            "settings", "/settings", .placesWrite,
            topics: site + nodes + ["node/+/info", "core/+/health"]),
        PageSpec(
            "setup-plan", "/setup/plan", .placesWrite,
            topics: site + ["station/+/info", "user/+/presence"]),
        PageSpec("setup-list", "/setup/{list}", .placesWrite, topics: site),
        PageSpec("data", "/data", .placesRead, topics: site),
        PageSpec("account", "/account", .session, whose: .each, place: .account),
        PageSpec("docs", "/docs", .documentation, whose: .filtered),
        PageSpec(
            "wall", "/wall", .live, whose: .filtered, place: .board, topics: site + places),
        PageSpec("kiosk", "/kiosk", .check, place: .board, topics: site),
        PageSpec("visit", "/v/{id}", nil),
        PageSpec("signin", "/signin", nil),
    ]
}

extension PageSpec {
    /// The sections that whoever asks may open: first the four that people of their role come for, then the others.
    static func sections(of principal: Principal) -> [PageSpec] {
        let open = all.filter { $0.isOpen(to: principal) }.filter {
            switch $0.place {
            case .sections: true
            case .ownSections: principal.user != nil
            case .account, .elsewhere, .board: false
            }
        }
        let first = first(for: principal.role).compactMap { name in open.first { $0.name == name } }
        return first + open.filter { section in !first.contains { $0.name == section.name } }
    }

    /// What stands at the bottom of a phone.
    private static func first(for role: Role) -> [String] {
        switch role {
        case .owner: ["live", "people", "attendance", "setup"]
        case .manager, .auditor: ["live", "people", "attendance", "stations"]
        case .trainer: ["live", "trainer", "people", "stations"]
        case .member: ["live", "workout", "stations", "me"]
        case .screen, .kiosk, .node, .integration: ["live", "plan", "stations"]
        }
    }
}
