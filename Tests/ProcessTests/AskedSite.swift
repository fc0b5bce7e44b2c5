import TestSupport
import Testing

@testable import Operations
@testable import SiteModel

/// A site with sessions and corrections that verbs can be about, and who asks for verbs: the phone of the
/// first person, and whoever is at HTTP.
final class AskedSite {
    /// How a verb is asked for.
    enum Way: CaseIterable {
        case mqtt
        case http

        /// What stands in the JSON object that is sent.
        func parameters(of verb: Verb) -> [Parameter] {
            self == .mqtt ? verb.parameters : verb.bodyParameters
        }

        /// The same as it is sent so: over HTTP the members of a set stand beside the others.
        func arguments(_ arguments: VerbArguments, of verb: Verb) -> VerbArguments {
            guard self == .http, let wraps = verb.wraps, arguments[wraps] != nil else {
                return arguments
            }
            var flat = arguments
            flat[wraps] = nil
            for (name, value) in AskedSite.setMembers(of: verb, arguments) { flat[name] = value }
            return flat
        }
    }

    private static let name = "ann-phone"

    let own: EnrolledSite
    /// Who asks over HTTP: its owner, if nobody else is said.
    let owner: WebClient
    /// Of each person, from two hours ago to one.
    private(set) var sessions: [String] = []
    /// Of each person's session, that it be removed; not decided yet.
    private(set) var corrections: [String] = []
    private let phone: EnrolledClient
    private var requests = 0

    var site: RunningSite { own.site }

    init() throws {
        own = try EnrolledSite()
        try own.site.takeToken()
        try own.startBroker()
        try own.site.startCoordinator()
        owner = WebClient(own.site, token: "letmein")
        phone = try own.client(Self.name)
        #expect(try phone.isIn(own.site))
        let row = #"{"id":"row","name":"Row","measure":"reps","load":"weight"}"#
        #expect(try owner.ask("POST", "/api/v1/exercises", row).reply.status == 201)
        let group = #"{"id":"machines","rule":"eu-00112233445566778899"}"#
        #expect(try owner.ask("POST", "/api/v1/groups", group).reply.status == 201)
        let card = #"{"id":"of-press","title":"The press","station":"press"}"#
        #expect(try owner.ask("POST", "/api/v1/cards", card).reply.status == 201)
        let type = #"{"id":"camera","name":"Camera"}"#
        #expect(try owner.ask("POST", "/api/v1/device-types", type).reply.status == 201)
        let rule = #"{"id":"cam","name":"Cam","type":"camera","name_prefix":"Cam"}"#
        #expect(try owner.ask("POST", "/api/v1/device-rules", rule).reply.status == 201)
        for person in site.people { try visit(by: person.slug) }
        corrections = try site.rows("SELECT id FROM correction ORDER BY id")
        #expect(corrections.count == site.people.count)
    }

    /// Has somebody come and gone, and asks that it be removed.
    private func visit(by slug: String) throws {
        for (verb, ago) in [(Verb.checkIn, 7200.0), (Verb.checkOut, 3600.0)] {
            let at = (site.now - .seconds(ago)).milliseconds
            let arguments = VerbArguments(of: verb).with("user", "\"\(slug)\"")
                .with("at_ms", "\(at)")
            #expect(try refusal(.http, verb, arguments) == nil)
        }
        let rows = try site.rows("SELECT session_id FROM v_session WHERE user = '\(slug)'")
        let session = try #require(rows.first)
        sessions.append(session)
        let removal = VerbArguments(of: .correct).with("change", #""remove""#)
            .with("session", session)
        #expect(try refusal(.http, .correct, removal) == nil)
    }
}

extension AskedSite {
    /// What a verb carries out here: about a person, what is asked about their session, and a lock of days when
    /// there was nobody.
    func arguments(_ verb: Verb, of person: Int) -> VerbArguments {
        var arguments = VerbArguments(of: verb)
        for (name, value) in [
            ("user", "\"\(site.people[person].slug)\""), ("change", #""remove""#),
            ("correction", corrections[person]), ("through", #""2020-12-31""#),
        ] where arguments[name] != nil {
            arguments[name] = value
        }
        if verb.wraps != nil {
            arguments["set"] = Self.key(of: person)
            let members = Self.setMembers(of: verb, arguments)
            arguments["set"] =
                "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
        } else if arguments["set"] != nil {
            arguments["set"] = Self.key(of: person)
        }
        for (name, value) in [
            ("session", sessions[person]), ("station", #""press""#), ("force", "true"),
            ("out_of_order", "false"),
        ] where verb.parameters.contains(where: { $0.name == name }) {
            arguments[name] = value
        }
        return arguments
    }

    /// The key of a person's set, as JSON.
    private static func key(of person: Int) -> String {
        "\"00000000-0000-4000-8000-00000000000\(person)\""
    }

    /// The members of the set that a verb is about, by name.
    fileprivate static func setMembers(
        of verb: Verb, _ arguments: VerbArguments
    ) -> [(String, String)] {
        let given = arguments["set"] ?? ""
        let keys: [String] = (0...9).map { Self.key(of: $0) }
        let key: String = keys.first { given.contains($0) } ?? keys[0]
        var members: [(String, String)] = [("id", key), ("reps", "8")]
        if verb.name == Verb.addSet.name {
            members += [("exercise", #""row""#), ("weight_kg", "40")]
        }
        return members
    }

    /// The code that a verb is refused with, by the phone or over HTTP; `nil`: it is done. `key`: the number of
    /// the request, a new one if there is none.
    func refusal(
        _ way: Way, _ verb: Verb, _ arguments: VerbArguments, key: String? = nil,
        as client: WebClient? = nil
    ) throws -> String? {
        switch way {
        case .mqtt: try answerOverMQTT(verb, arguments, id: key)
        case .http: try answerOverHTTP(verb, arguments, key: key, as: client ?? owner)
        }
    }

    private func answerOverMQTT(
        _ verb: Verb, _ arguments: VerbArguments, id: String?
    ) throws -> String? {
        requests += 1
        let id = id ?? "r-\(requests)"
        let payload = "{\"id\":\"\(id)\",\"args\":\(arguments.json)}"
        var code: String?
        // A client may ask for only so much at a time.
        try site.wait("the phone may ask again") {
            let answer = try phone.ask(verb.name, payload, as: Self.name, of: site)
            #expect(answer["id"] as? String == id)
            code = (answer["error"] as? [String: Any])?["code"] as? String
            return code != "rate_limited"
        }
        return code
    }

    private func answerOverHTTP(
        _ verb: Verb, _ arguments: VerbArguments, key: String?, as client: WebClient
    ) throws -> String? {
        var (path, body) = (verb.path, Way.http.arguments(arguments, of: verb))
        if verb.wraps != nil {
            // The id of the body is the set's.
            path = path.replacing("{id}", with: Verb.current)
            if path.contains("{set}") {
                body["set"] = body["set"] ?? body["id"]
                body["id"] = nil
            }
        }
        for parameter in verb.pathParameters where path.contains("{\(parameter.name)}") {
            path = path.replacing(
                "{\(parameter.name)}",
                with: body[parameter.name]?.filter { $0 != "\"" } ?? Verb.current)
            body[parameter.name] = nil
        }
        let reply = try client.ask(verb.method.rawValue, path, body.json, key: key).reply
        let code = reply.code
        let status = code.flatMap { ProblemCode(rawValue: $0)?.status } ?? 200
        #expect(reply.status == status, "\(verb.name) \(body.json): \(reply.json)")
        return code
    }

    /// Makes the first person, and with them the phone, a manager.
    func promotePhone() throws {
        try invite("ann", "manager", person: 0)
        let stranger = arguments(.decide, of: 0).with("correction", "999999")
        try site.wait("the phone is a manager's") {
            try refusal(.mqtt, .decide, stranger) == "not_found"
        }
    }

    /// Somebody with an account of a role, who has signed in.
    @discardableResult
    func invite(_ name: String, _ role: String, person: Int) throws -> WebClient {
        let invited = try site.run(
            "beaconmesh",
            ["account", "invite", name, "--role", role, "--user", site.people[person].slug]
                + ["--database", site.database])
        var client = WebClient(site)
        #expect(try client.accept(invited.output) == 201, "\(invited.errors)")
        return client
    }
}

extension RunningSite {
    /// How much of what verbs write is there.
    func written() throws -> [String] {
        let counts = [
            "attendance_session", "statement", "workout", "event", "correction", "period_lock",
        ].map { "(SELECT count(*) FROM \($0))" }
        return try rows("SELECT " + counts.joined(separator: ", "))
    }
}
