import Permissions
import SiteModel
import Wire

/// Something that can be asked of a site, declared once: routes, topics of requests, rights at the broker, the
/// descriptions of both and the command line follow from it.
package struct Verb: Sendable {
    /// What is done at a path.
    package enum Method: String, CaseIterable, Sendable {
        /// Reads; `HEAD` comes with it.
        case get = "GET"
        /// Adds or does something.
        case post = "POST"
        /// Replaces.
        case put = "PUT"
        /// Changes a part.
        case patch = "PATCH"
        /// Takes away.
        case delete = "DELETE"
    }

    /// About whom it is, for those who may ask about themselves only.
    package enum Subject: Equatable, Sendable {
        /// It is about everybody: they may not.
        case anybody
        /// It holds nothing of anybody, or answers each with their own: they may.
        case each
        /// It shows each what they may see: so may those who are shown nothing that means a person.
        case filtered
        /// The member of the path, the parameter, or the member of the body of this name is their slug.
        /// Left out of query or body it is put in.
        case path(String)
        case query(String)
        case body(String)

        /// What one must reach at least.
        package var least: Reach {
            switch self {
            case .anybody: .site
            case .filtered: .nameless
            case .each, .path, .query, .body: .own
            }
        }

        /// The parameter that says whom it is about.
        package var parameter: String? {
            switch self {
            case .anybody, .each, .filtered: nil
            case .path(let name), .query(let name), .body(let name): name
            }
        }
    }

    /// Who does it.
    package enum Act: Sendable {
        /// The machines of the site: what they are asked, or `nil` if it names something that there is not.
        case machine(@Sendable (Arguments, Names) -> Request.Verb?)
        /// The room that has its route.
        case room
    }

    /// What it answers.
    package struct Answer: Sendable {
        /// The member of an answer over MQTT that holds it.
        package let name: String
        /// Its members. Of a verb of a room its route says them.
        package let members: [Parameter]

        /// Over HTTP its members stand alone.
        package static let session = Answer(name: "session", members: SessionPayload.answer)
        package static let workout = named("workout", WorkoutPayload.answer)
        package static let set = Answer(name: "set", members: SetPayload.answer)
        package static let station = named("station", StationStatePayload.answer)
        package static let ofRoom = Answer(name: "result", members: [])

        /// Over HTTP, too, its members stand in one of a name.
        private static func named(_ name: String, _ members: [Parameter]) -> Answer {
            Answer(name: name, members: [.always(name, .object(members))])
        }
    }

    /// In a path, for the workout that is open, or ended last.
    package static let current = "current"

    /// The longest arguments, in bytes.
    package static let longestArguments = 8192

    /// Its level on the topics `req/{client}/{name}`, and what the command line and the audit call it.
    package let name: String
    package let method: Method
    /// From `/`; a part `{name}` is the parameter of that name. `{id}` is the row of a workout, or `current`.
    package let path: String
    /// The path of an older release, which still does the same.
    package let formerPath: String?
    /// What whoever asks must be allowed.
    package let right: Right
    package let subject: Subject
    /// One line.
    package let summary: String
    package let parameters: [Parameter]
    package let answer: Answer
    /// The parameter whose members stand in the body itself over HTTP. In the path it is the member `id` of it.
    package let wraps: String?
    /// What it refuses with, beside what every verb does.
    package let refusals: [ProblemCode]
    /// The members of the answer that are not told over MQTT: names, and what people wrote.
    package let withheld: [String]
    package let act: Act

    package init(
        _ name: String, _ method: Method, _ path: String, _ right: Right,
        about subject: Subject = .anybody, _ summary: String, _ parameters: [Parameter],
        answer: Answer = .ofRoom, refusals: [ProblemCode], withheld: [String] = [],
        formerPath: String? = nil, wraps: String? = nil, act: Act
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.right = right
        self.subject = subject
        self.summary = summary
        self.parameters = parameters
        self.answer = answer
        self.refusals = refusals
        self.withheld = withheld
        self.formerPath = formerPath
        self.wraps = wraps
        self.act = act
    }

    /// Whether over HTTP it is said of which workout it is, from which follows whose.
    package var namesWorkout: Bool { path.contains("{id}") }

    /// Whether the machines do it.
    package var isOfMachines: Bool { if case .machine = act { true } else { false } }

    /// Whether it ends what goes on or takes something back: whoever has asked for too much may still do that.
    package var isEnding: Bool {
        [Self.checkOut, .completeWorkout, .cancelWorkout, .deleteSet, QueueVerbs.leave]
            .contains { $0.name == name }
    }

    /// The parameters that stand in the path.
    package var pathParameters: [Parameter] { parameters.filter { path.contains("{\($0.name)}") } }

    /// The parameters that stand in the body over HTTP.
    package var bodyParameters: [Parameter] {
        parameters.flatMap { parameter -> [Parameter] in
            let isInPath = path.contains("{\(parameter.name)}")
            guard parameter.name == wraps, case .object(let members) = parameter.kind else {
                return isInPath ? [] : [parameter]
            }
            return members.filter { !isInPath || $0.name != "id" }
        }
    }
}

extension Verb {
    /// Everything that can be asked over MQTT and HTTP alike, in the order in which it is described.
    package static let all = attendanceVerbs + trainingVerbs + QueueVerbs.all

    /// The verb of a name.
    package static func named(_ name: some StringProtocol) -> Verb? {
        all.first { $0.name == name }
    }

    /// What whoever asks for something else is told.
    package static func unknown(_ name: String) -> String {
        "there is no operation \(name); there is \(all.map(\.name).joined(separator: ", "))"
    }
}
