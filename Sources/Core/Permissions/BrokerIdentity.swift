import Basics

/// Who signs in at the site's broker: its user name, and what it is there for.
package struct BrokerIdentity: Equatable, Codable, Sendable {
    /// What somebody or something is to the site. Rights follow from it.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case node
        /// A board on the wall: rooms and stations, without who is where.
        case screen
        /// A terminal at the door where anybody checks in and out.
        case kiosk
        /// Another program; what it may read, its scopes say.
        case integration
        /// A person's own phone or program.
        case member
        case coordinator
    }

    /// What an integration may do; nothing without one.
    package enum Scope: String, CaseIterable, Codable, Sendable {
        case presence
        case attendance
        case workouts
        case rooms
        case beacons
        case events
        case nodes
        /// Looks through nodes for a while (`beaconmesh scan --node`), which tells of strangers' devices.
        case diagnosis
        /// Asks for check-ins and workouts of anybody, as a manager may.
        case requests
        /// Sends what it found of strangers' devices, as an external detector.
        case detections
    }

    /// A tool that signs in with the password of a program, beside it: where the broker takes the user name
    /// for the client id, as `BrokerFiles` has it, a second connection of one name ends the first.
    package enum Tool: String, CaseIterable, Sendable {
        case ask
        case calibrate
        case doctor
        case record

        /// The user name beside a program's. No name of an identity has a dot.
        package func userName(beside name: String) -> String { "\(name).\(rawValue)" }
    }

    /// The broker's user name and the topic level `{client}`; of a node its slug.
    package var name: String
    package var kind: Kind
    /// The slug of the person, of members only.
    package var person: String?
    /// Of integrations only, in the order of `Scope.allCases`.
    package var scopes: [Scope]

    package init(name: String, kind: Kind, person: String? = nil, scopes: [Scope] = []) {
        self.name = name
        self.kind = kind
        self.person = person
        self.scopes = Scope.allCases.filter(scopes.contains)
    }

    /// The user names that its password and its rights are for: its own, and those of the tools that are used
    /// beside it.
    package var userNames: [String] {
        let tools = kind == .coordinator ? Tool.allCases : [.doctor]
        return [name] + tools.map { $0.userName(beside: name) }
    }

    /// Why it cannot be, in words, or `nil`. A name with `+`, `#` or `/` would be more than one level of
    /// a topic in the broker's access list.
    package var fault: String? {
        guard name.isSlug else {
            return "name: 1 to 64 of a-z, 0-9 and - expected, as one level of a topic"
        }
        if (kind == .member) != (person != nil) {
            return "user: a member has one, others have none"
        }
        if kind != .integration, !scopes.isEmpty { return "scope: only integrations have scopes" }
        if kind == .integration, scopes.isEmpty { return "scope: an integration has at least one" }
        return nil
    }
}
