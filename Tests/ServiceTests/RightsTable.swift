@testable import Permissions
@testable import WebServer

/// The table of who may do what, as `docs/rights.md` shows it: made from the code that decides.
enum RightsTable {
    static func text(_ routes: [Route]) -> String {
        let roles = Role.allCases.filter { $0 != .integration && $0 != .node }
        let head = ["right"] + roles.map(\.rawValue) + ["scope of an integration"]
        var lines = [
            "# Who may do what", "",
            "Made from `Sources/Core/Permissions/Right.swift`, the one place that decides; a test compares.",
            "*own*: about themselves only, and where others are who share it. *no names*: nothing that "
                + "names or means a person.",
            "A node has no right over HTTP. The user who runs the coordinator has all, at the socket "
                + "beside the database.",
            "", row(head), row(head.map { _ in "---" }),
        ]
        for right in Right.allCases {
            let cells = roles.map { right.reach(of: $0).word }
            let isFree = right == .documentation || right == .session
            let scope = right.scope.map { "`\($0.rawValue)`" } ?? (isFree ? "any" : "–")
            lines.append(row(["`\(right.rawValue)`"] + cells + [scope]))
        }
        lines += ["", "## What people agree to", ""] + agreements
        lines += [
            "", "## What each right opens", "", row(["right", "routes"]), row(["---", "---"]),
        ]
        let all = routes + WebServer.described
        for right in Right.allCases {
            let opened = all.filter { $0.right == right }
                .map { "`\($0.method.rawValue) \($0.path)`" }.sorted()
            lines.append(
                row(["`\(right.rawValue)`", opened.isEmpty ? "–" : opened.joined(separator: ", ")]))
        }
        let open = all.filter { $0.right == nil }.map { "`\($0.method.rawValue) \($0.path)`" }
        lines.append(row(["nobody is asked", open.sorted().joined(separator: ", ")]))
        return lines.joined(separator: "\n") + "\n"
    }

    /// What of somebody else is seen and written: by everybody of a role, by nobody, or if they let others
    /// (`PUT /api/v1/users/{id}/sharing`). `ProcessConsentTests` asks each door.
    private static var agreements: [String] {
        let roles: [Role] = [.owner, .manager, .auditor, .trainer, .member]
        func cell(_ right: Right, _ role: Role, isShared: Bool) -> String {
            let principal = Principal(name: "", role: role, user: "u-a")
            switch principal.reach(right) {
            case .site:
                return principal.needsConsent(of: "u-b", for: right) ? "if `training`" : "yes"
            case .own where isShared: return "if `shares`"
            case .own, .nameless, .nothing: return "–"
            }
        }
        let doors: [(String, Right, Bool)] = [
            ("where they are, and their name: live page, `/snapshot`, the stream", .live, true),
            ("what they train now: live page, `/snapshot`, the stream", .workoutsRead, false),
            ("workouts, sets, notes, records, statistics, export", .workoutsRead, false),
            (
                "to write sets, notes and histories for them, over HTTP and MQTT", .workoutsWrite,
                false
            ),
        ]
        let head = ["of somebody else"] + roles.map(\.rawValue)
        return [row(head), row(head.map { _ in "---" })]
            + doors.map { what, right, isShared in
                row([what] + roles.map { cell(right, $0, isShared: isShared) })
            }
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }
}
