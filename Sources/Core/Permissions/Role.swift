/// What a person or a program is to a site. What each may do is `Right.reach(of:)`, and nowhere else.
package enum Role: String, CaseIterable, Codable, Sendable {
    /// Whoever runs the site: everything.
    case owner
    /// Runs the gym day by day: people, places, attendance and its corrections.
    case manager
    /// Sees who is where and trains with them; nothing of what wages are paid on.
    case trainer
    /// Themselves, and where those are who share it.
    case member
    /// Reads everything, changes nothing.
    case auditor
    /// A board on the wall: rooms and stations, no names.
    case screen
    /// A tablet at the door: checks people in and out.
    case kiosk
    /// A program: what its scopes say.
    case integration
    /// A scanner: nothing over HTTP.
    case node

    /// Whether people sign in as this; the others have tokens only.
    package var signsIn: Bool {
        switch self {
        case .owner, .manager, .trainer, .member, .auditor: true
        case .screen, .kiosk, .integration, .node: false
        }
    }

    /// Whether it is a tablet or a screen that shows pages by its token alone.
    package var isBoard: Bool { self == .screen || self == .kiosk }

    /// Whether it reads or changes what wages are paid on, of everybody. Its sessions are short, and nobody
    /// ends its accounts and tokens without `Right.accounts`, nor by retiring whose they are.
    package var isPrivileged: Bool {
        switch self {
        case .owner, .manager, .auditor: true
        case .trainer, .member, .screen, .kiosk, .integration, .node: false
        }
    }
}

/// What a token of an integration opens, or to what one of a member is narrowed.
package enum Scope: String, CaseIterable, Codable, Sendable {
    case liveRead = "live:read"
    case placesRead = "places:read"
    case placesWrite = "places:write"
    case peopleRead = "people:read"
    case peopleWrite = "people:write"
    case attendanceRead = "attendance:read"
    case attendanceWrite = "attendance:write"
    case workoutsRead = "workouts:read"
    case workoutsWrite = "workouts:write"
    case reportsRead = "reports:read"
    case nodesCommand = "nodes:command"
    case metricsRead = "metrics:read"
    /// What external detectors found.
    case detectionsWrite = "detections:write"
    /// What a phone sends of its person; of tokens of members only.
    case activity

    /// Whether it is private to a person, so that no program has it for the whole site.
    package var isPersonal: Bool { self == .activity }
}

/// How far a right goes. Each step includes the ones before.
package enum Reach: Int, CaseIterable, Comparable, Sendable {
    /// Refused.
    case nothing
    /// Without anything that names or means a person, but what `privacy.wall_names` leaves of names.
    case nameless
    /// What is about themselves, and where others are who share it.
    case own
    /// The whole site.
    case site

    package static func < (a: Reach, b: Reach) -> Bool { a.rawValue < b.rawValue }

    /// For the table in the documentation.
    package var word: String {
        switch self {
        case .nothing: "–"
        case .nameless: "no names"
        case .own: "own"
        case .site: "yes"
        }
    }
}

/// Who asks for something, however they proved it.
package struct Principal: Equatable, Sendable {
    /// What the audit calls them: `account:ada`, `token:door`, `local`.
    package var name: String
    package var role: Role
    /// The slug of the person behind it, or `nil` for programs and for accounts of nobody registered.
    package var user: String?
    /// What an integration may do. A member with scopes may do no more than these say.
    package var scopes: Set<Scope>

    package init(
        name: String, role: Role, user: String? = nil, scopes: Set<Scope> = []
    ) {
        self.name = name
        self.role = role
        self.user = user
        self.scopes = scopes
    }

    /// The name of the account that somebody has signed in with; `nil` for tokens and whoever is here unasked.
    package var account: String? {
        name.hasPrefix("account:") ? String(name.dropFirst("account:".count)) : nil
    }

    /// So many requests that change something one principal may make within a day, so that nobody fills the
    /// disk with what is kept to answer them alike.
    package static let mostRequestsADay = 10_000

    /// Whoever may connect to the socket beside the database: the user who runs the coordinator.
    package static let local = Principal(name: "local", role: .owner)
    /// Whoever uses this machine, where the configuration opens the live page to them.
    package static let neighbour = Principal(
        name: "anonymous", role: .integration, scopes: [.liveRead, .metricsRead])

    /// Whether somebody must have agreed before this principal sees, or says, what they train: to trainers people
    /// give that by sharing. `person`: `nil` for anybody else.
    package func needsConsent(of person: String?, for right: Right) -> Bool {
        role == .trainer && [.workoutsRead, .workoutsWrite].contains(right)
            && (person == nil || person != user)
    }

    /// How far this principal may go. Without a person there is nothing of one's own.
    package func reach(_ right: Right) -> Reach {
        if role == .integration {
            return right.scope.map { scopes.contains($0) && !$0.isPersonal ? .site : .nothing }
                ?? (right == .documentation || right == .session ? .site : .nothing)
        }
        if !scopes.isEmpty, right != .documentation, right != .session {
            guard let scope = right.scope, scopes.contains(scope) else { return .nothing }
        }
        let reach = right.reach(of: role)
        guard reach == .own, user == nil, right != .session else { return reach }
        return right == .live ? .nameless : .nothing
    }
}
