import Basics
import BrokerAccess
import Ciphers
import Foundation
import JSON
import Permissions
import Platform
import Registry
import SiteModel
import SiteStore
import WebServer
import Wire

/// How machines that become nodes reach the site.
package struct JoiningDoor: Equatable, Sendable {
    /// Where the broker is for them, as its certificate names it.
    package var host: String
    package var port: Int
    /// The file with the broker's authority; `nil`: passwords go in the clear.
    package var authorityFile: String?
    /// Where this coordinator answers them, `gym.lan`, `gym.lan:8090` or `https://gym.lan`; `nil`: nowhere.
    package var address: String?

    package init(host: String, port: Int, authorityFile: String?, address: String?) {
        self.host = host
        self.port = port
        self.authorityFile = authorityFile
        self.address = address
    }

    /// What a node gets. Throws a `RouteProblem` `unavailable` if the authority cannot be read.
    func bundle(
        site: String, node: String, password: String, at now: Timestamp
    ) throws(RouteProblem) -> NodeBundle {
        var authority: String?
        if let authorityFile {
            do {
                authority = try String(contentsOfFile: authorityFile, encoding: .utf8)
            } catch {
                throw RouteProblem(
                    .unavailable,
                    "\(authorityFile) cannot be read: \(error.localizedDescription)")
            }
            guard let authority, NodeBundle.isAuthority(authority) else {
                throw RouteProblem(
                    .unavailable,
                    "\(authorityFile) is no certificate of 32 KiB at most: see join in coordinator.yaml."
                )
            }
        }
        return NodeBundle(
            site: site, node: node, host: host, port: port, password: password,
            authority: authority, madeMs: now.milliseconds)
    }
}

/// Machines become nodes by a code (`beacon-node join`) or by a file.
struct JoinRoutes: Sendable {
    /// What guesses are counted under.
    private static let guess = "join"

    private let desk: WriteDesk
    private let signIn: SignIn
    private let door: JoiningDoor?
    private let invitations: NodeInvitations

    init(
        _ desk: WriteDesk, _ signIn: SignIn, _ door: JoiningDoor?, _ invitations: NodeInvitations
    ) {
        self.desk = desk
        self.signIn = signIn
        self.door = door
        self.invitations = invitations
    }

    var all: [Route] {
        let replace = RouteText.Field.preset(
            "replace", .flag, "false",
            "Whether it takes the place of a machine that is this node already, which is cut off then."
        )
        return [
            Route(
                .post, "/api/v1/nodes/{id}/invitation", .accounts,
                about: RouteText(
                    "Makes a code by which a machine becomes this node: good once, for an hour.",
                    body: [replace], answer: Invitation.members, status: 201,
                    refusals: [.notFound, .badState, .unavailable], isPure: true)
            ) { try await invite($0) },
            Route(
                .post, "/api/v1/nodes/{id}/bundle", .accounts,
                about: RouteText(
                    "Makes a password for this node, and the file that makes a machine that node: shown once.",
                    body: [replace], answer: Self.bundleMembers, status: 201,
                    refusals: [.notFound, .badState, .unavailable], isPure: true)
            ) { try await bundle($0) },
            Route(
                .post, "/api/v1/join", nil,
                about: RouteText(
                    "A machine becomes a node by a code; what both say is sealed by it.",
                    body: [
                        .init(
                            "code", .text(4...4), isNeeded: true, "The first group of the code."),
                        .init(
                            "sealed", .text(60...4096), isNeeded: true,
                            "`request` and `machine` by AES-128-CCM, in hexadecimal digits."),
                    ],
                    answer: [
                        .always(
                            "sealed", .anyText, "`request` and `bundle`, in the same way.")
                    ],
                    refusals: [
                        .notFound, .expired, .unauthorised, .badState, .rateLimited, .unavailable,
                    ])
            ) { try await join($0) },
        ]
    }

    private static let bundleMembers: [RouteText.Field] = [
        .always("beaconmesh", .word(["node-1"])), .always("site", .slug), .always("node", .slug),
        .always("host", .anyText, "Where the broker is."), .always("port", .integer(1...65_535)),
        .always("password", .anyText), .init("ca", .anyText, "The broker's authority in PEM."),
        .always("made_ms", .time),
    ]

    private struct Invitation: Encodable {
        var node: String
        var code: String
        var command: String
        var expiresMs: Int64

        static let members: [RouteText.Field] = [
            .always("node", .slug), .always("code", .anyText, "Shown once."),
            .always("command", .anyText, "What is typed on the machine."),
            .always("expires_ms", .time),
        ]
    }

    // MARK: Inviting

    /// The node that is asked about, which no machine is yet, unless it is replaced.
    private func node(_ request: RouteRequest) async throws -> String {
        let replaces = try Reading.body(request, known: ["replace"]) {
            (object, json) throws(PayloadError) in
            try object.optional("replace", json)?.flag(json) ?? false
        }
        let id = request.parameters["id"] ?? ""
        let isFree = try await Blocking.run { [store = desk.store] in
            guard try SiteRows(store).row(.nodes, id) != nil else {
                throw RouteProblem(.notFound, "There is no such node.")
            }
            let identities = try BrokerIdentities(store).all().identities
            let holder = identities.first { $0.revoked == nil && $0.identity.name == id }
            guard holder?.identity.kind ?? .node == .node else {
                throw RouteProblem(
                    .badState, "\(id) is enrolled as something else. Revoke that first.")
            }
            return holder == nil
        }
        guard isFree || replaces else {
            throw RouteProblem(
                .badState,
                "A machine is \(id) already: replace it, if another one is to take its place.")
        }
        return id
    }

    private func reachable() throws(RouteProblem) -> JoiningDoor {
        guard let door else {
            throw RouteProblem(
                .badState,
                "The coordinator's configuration does not say how nodes reach the broker: see join in coordinator.yaml."
            )
        }
        return door
    }

    private func invite(_ request: RouteRequest) async throws -> RouteAnswer {
        let door = try reachable()
        guard let address = door.address else {
            throw RouteProblem(
                .badState,
                "Other machines do not reach this coordinator: set http.host or join.address in coordinator.yaml, or take a file."
            )
        }
        let node = try await node(request)
        var code = JoinCode.random()
        while invitations.isKnown(code.name) { code = JoinCode.random() }
        let keys = try await signIn.work { [code] in code.keys }
        let caller = request.visitor?.principal.name ?? "nobody"
        let end = invitations.add(code, keys, for: node, by: caller, at: desk.clock.now)
        return try Reading.answer(
            Invitation(
                node: node, code: code.description,
                command: "sudo beacon-node join \(address) \(code)", expiresMs: end.milliseconds),
            status: 201)
    }

    private func bundle(_ request: RouteRequest) async throws -> RouteAnswer {
        let door = try reachable()
        let node = try await node(request)
        let bundle = try await enrolled(
            node, at: door, by: request.visitor?.principal.name ?? "nobody")
        return .json(String(decoding: bundle.json, as: UTF8.self) + "\n", status: 201)
    }

    /// Another password for a node, in the place of the one it has.
    private func enrolled(
        _ node: String, at door: JoiningDoor, by asker: String
    ) async throws -> NodeBundle {
        let site = try await Blocking.run { [store = desk.store] in
            try BrokerFiles.of(store).site
        }
        let password = BrokerPassword.random()
        // Before anything is written: without it the node cannot connect.
        let bundle = try door.bundle(
            site: site, node: node, password: password, at: desk.clock.now)
        let new = NewBrokerIdentity(
            BrokerIdentity(name: node, kind: .node), hash: BrokerPassword.hash(of: password))
        _ = try await WriteDesk.refusing {
            try await desk.perform(.broker(.replace(new)), by: asker, via: .rest)
        }
        return bundle
    }

    // MARK: Joining

    private func join(_ request: RouteRequest) async throws -> RouteAnswer {
        let door = try reachable()
        let (name, text) = try Reading.body(request, known: ["code", "sealed"]) {
            (object, json) throws(PayloadError) in
            (
                try object.required("code", json).text(json, limit: 4),
                try object.required("sealed", json).text(json, limit: 4096)
            )
        }
        let now = desk.clock.now
        try signIn.begin(Self.guess, request.client, at: now)
        let (asked, keys, admitted) = try admission(name, text, request.client, at: now)
        switch admitted {
        case .again(let sealed): return Self.answer(sealed)
        case .underWay:
            throw RouteProblem(
                .unavailable, "The same request is at work. Ask again.", retryAfter: 2)
        case .new(let node, let asker):
            do {
                let bundle = try await enrolled(node, at: door, by: asker)
                let answer = NodeBundle.Answer(request: asked.request, bundle: bundle)
                let sealed = keys.seal(answer.json, .toNode)
                invitations.keep(sealed, of: asked.request, name)
                return Self.answer(sealed)
            } catch {
                invitations.giveBack(name, of: asked.request)
                throw error
            }
        }
    }

    private static func answer(_ sealed: [UInt8]) -> RouteAnswer {
        .json("{\"sealed\":\"\(Hex.text(sealed))\"}\n")
    }

    /// Who asks and as what they are let in.
    private func admission(
        _ name: String, _ sealed: String, _ client: Client, at now: Timestamp
    ) throws(RouteProblem) -> (NodeBundle.Request, JoinKeys, NodeInvitations.Admission) {
        do throws(NodeInvitations.Refusal) {
            let keys = try invitations.keys(of: name, at: now)
            guard let bytes = Hex.bytes(sealed), let opened = keys.open(bytes, .toCoordinator),
                let asked = try? NodeBundle.Request(json: opened.span)
            else {
                invitations.note(wrong: name)
                throw .wrong
            }
            signIn.succeed(Self.guess, client)
            let admitted = try invitations.take(name, for: asked.request, of: asked.machine)
            return (asked, keys, admitted)
        } catch {
            throw Self.problem(error)
        }
    }

    private static func problem(_ refusal: NodeInvitations.Refusal) -> RouteProblem {
        switch refusal {
        case .unknown:
            RouteProblem(
                .notFound,
                "There is no such code: look for a slip; codes end when the coordinator is started anew."
            )
        case .expired: RouteProblem(.expired, "The code is more than an hour old.")
        case .wrong: RouteProblem(.unauthorised, "The code is wrong: look for a slip.")
        case .blocked:
            RouteProblem(.badState, "The code was tried wrongly five times, and is good no more.")
        case .used(let machine):
            RouteProblem(.badState, "The code was used, by the machine \(machine).")
        }
    }
}
