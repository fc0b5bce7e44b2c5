import Permissions
import Platform
import Records
import SiteModel
import SiteStore
import Synchronization
import WebServer

/// Who asked for what they may not: gathered on the web's threads, and written to the audit a line a
/// person and path, however often they tried. Attempts cannot fill the audit: of more than `most`
/// different ones between two writes the rest is counted together.
package final class RefusedAttempts: Sendable {
    /// The most lines that are written at once.
    private static let most = 64

    private struct Attempt: Hashable {
        var actor: String
        var path: String
    }

    private let counts = Mutex<[Attempt: Int]>([:])

    package init() {}

    /// Notes that somebody was refused, where that tells more than a page that asks for too much: of
    /// changes, and of what accounts, the audit and reports hold.
    package func note(_ visitor: Visitor, _ route: Route) {
        guard
            route.method != .get
                || route.right.map([Right.accounts, .audit, .reports].contains) ?? false
        else { return }
        let path = "\(route.method.rawValue) \(route.path)"
        counts.withLock { counts in
            let attempt = Attempt(actor: visitor.principal.name, path: path)
            if counts[attempt] == nil, counts.count >= Self.most {
                counts[Attempt(actor: "others", path: "different paths"), default: 0] += 1
            } else {
                counts[attempt, default: 0] += 1
            }
        }
    }

    /// The entries since the last call, by who and what.
    func take(at now: Timestamp) -> [AuditEntry] {
        let taken = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        return taken.sorted { ($0.key.actor, $0.key.path) < ($1.key.actor, $1.key.path) }.map {
            AuditEntry(
                at: now, actor: $0.key.actor, via: .rest, action: "refuse", entity: "route",
                entityID: $0.key.path, after: "{\"times\":\"\($0.value)\"}")
        }
    }
}
