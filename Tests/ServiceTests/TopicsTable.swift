import BrokerAccess
import Permissions
import Wire

/// The table of topics in `docs/topics.md`: made from the code that decides.
enum TopicsTable {
    /// `page` with the table as it should be.
    static func text(in page: String) -> String {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("| topic ") }) else { return page }
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        return (lines[..<start] + rows + lines[end...]).joined(separator: "\n")
    }

    private static var rows: [String] {
        let head = ["topic", "what", "who says it", "kept", "who sees it over HTTP", "scope"]
        return [row(head), row(head.map { _ in "---" })]
            + PayloadKind.allCases.map { kind in
                let topic = kind.topic
                return row([
                    "`\(topic.address.replacing("mesh/v1/{site}/", with: ""))`", topic.text,
                    topic.writer.rawValue, topic.isRetained ? "yes" : "no",
                    "`\(topic.reader.rawValue)`" + consent(topic.reader) + topic.subject.words,
                    topic.scopes.map(\.rawValue).joined(separator: ", "),
                ])
            }
    }

    /// Whose agreement a right asks for beside.
    private static func consent(_ right: Right) -> String {
        let trainer = Principal(name: "", role: .trainer)
        return trainer.needsConsent(of: nil, for: right) ? ", trainers of who lets them" : ""
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }
}

extension TopicSpec.Subject {
    fileprivate var words: String {
        switch self {
        case .places: ", all of them"
        case .placesWithPeople: ", others without people"
        case .person(let isShared):
            isShared ? ", else their own and shared ones" : ", else their own"
        case .everybody: ""
        }
    }
}

/// The access list that stands in `deploy/mosquitto` for sites where nobody is enrolled: made from the
/// rights of those who are.
enum AccessListExample {
    static var text: String {
        let node = BrokerRights(of: BrokerIdentity(name: "%u", kind: .node), site: "+")
        let coordinator = BrokerRights(
            of: BrokerIdentity(name: "coordinator", kind: .coordinator), site: "+")
        return """
            # Who may say and read what. A node signs in with its id as user name, the coordinator as
            # “coordinator”. What is not listed is refused, and nobody is told: `beaconmesh doctor` tries it.
            # A test makes this file from the rights of those who are enrolled: change those.

            # Nodes. %u is the user name, so that each speaks for itself only. Level by level: with
            # “write mesh/v1/+/node/%u/#” a node, or whoever has its password, could tell itself how far its
            # evidence is stored (cursor) and what to listen to (config/desired).
            \(lines(node, "pattern"))

            # The coordinator reads what the others say and, once after connecting, what it said itself, to clear
            # what is no longer true. What `beaconmesh doctor` tries is below debug/doctor.
            user coordinator
            \(lines(coordinator, "topic"))
            # Scanners of other makers, if `foreign:` names them:
            # topic read espresense/#
            # topic read home/#

            # Tools beside the coordinator, with its password: as one user they would end its connection. Without these
            # users they sign in as the coordinator.
            user coordinator.calibrate
            topic read mesh/v1/#
            user coordinator.record
            topic read mesh/v1/#
            user coordinator.doctor
            topic read mesh/v1/#
            topic write mesh/v1/core/#
            topic write mesh/v1/+/debug/doctor/+

            # Others, as you need them. Here: a front desk that checks people in and out under its own name
            # (beaconmesh attendance check-in --username frontdesk), and a board on the wall.
            \(example("frontdesk", .kiosk))
            #
            \(example("board", .screen))

            """
    }

    private static func example(_ name: String, _ kind: BrokerIdentity.Kind) -> String {
        let rights = BrokerRights(of: BrokerIdentity(name: name, kind: kind), site: "+")
        return "# user \(name)\n" + lines(rights, "# topic")
    }

    private static func lines(_ rights: BrokerRights, _ word: String) -> String {
        rights.rules.map { "\(word) \($0.access.rawValue) \($0.filter)" }.joined(separator: "\n")
    }
}
