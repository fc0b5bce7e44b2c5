import Basics
import Foundation
import JSON
import Notifications
import Permissions
import Platform
import Scheduling
import SiteModel
import SiteStore
import WebServer
import Wire

/// Who else is told what happens at a site, and when people are told what.
package struct NotificationRoutes: Sendable {
    private static let kinds = NotificationPayload.Kind.allCases.filter { $0 != .test }
    /// Hours in at a stretch that look like a tag left behind.
    private static let forgottenHours: ClosedRange<Int64> = 1...168

    private let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    package var all: [Route] { webhooks + rules + wishes }

    // MARK: Wishes

    private var wishes: [Route] {
        [
            Route(
                .get, "/api/v1/users/{id}/notices", .sharing, whose: .path("id"),
                about: RouteText(
                    "What somebody wants to be told of themselves.",
                    answer: [.always("records", .flag)])
            ) { request in
                _ = try AskedQuery(request, allowed: [])
                let user = request.parameters["id"] ?? ""
                let wants = try await read { try NotificationQueue($0).wantsRecords(user) }
                return .json("{\"records\":\(wants)}\n")
            },
            Route(
                .put, "/api/v1/users/{id}/notices", .sharing, whose: .path("id"),
                about: RouteText(
                    "Has somebody told of themselves, or not.",
                    body: [.init("records", .flag, isNeeded: true, "Of each record they break.")],
                    answer: [.always("records", .flag)], refusals: [.notFound])
            ) { request in
                let wants = try Reading.body(request, known: ["records"]) {
                    (object, json) throws(PayloadError) in
                    try object.required("records", json).flag(json)
                }
                let user = request.parameters["id"] ?? ""
                _ = try await desk.perform(
                    .notices(.tellRecords(user: user, wants)), for: request)
                return .json("{\"records\":\(wants)}\n")
            },
        ]
    }

    // MARK: Webhooks

    private struct HookLine: Encodable {
        var id: Int64
        var url: String
        var kinds: [String]
        var always: Bool
        var createdMs: Int64
        var waiting: Int
        var delivered: Int
        var failed: Int
        var lastAnswer: String?

        static let answer: [RouteText.Field] = [
            .always("id", .count), .always("url", .anyText),
            .always("kinds", .list(.oneOf(NotificationPayload.Kind.self))),
            .always("always", .flag), .always("created_ms", .time), .always("waiting", .count),
            .always("delivered", .count), .always("failed", .count), .init("last_answer", .anyText),
        ]

        init(_ hook: Webhook) {
            id = hook.id
            url = hook.url
            kinds = hook.kinds.map(\.rawValue)
            always = !hook.keepsQuiet
            createdMs = hook.created.milliseconds
            waiting = hook.waiting
            delivered = hook.delivered
            failed = hook.failed
            lastAnswer = hook.lastAnswer.map { answer in
                let outcome = Int(answer).map { DeliveryOutcome.answered($0) }
                return (outcome ?? .unreachable(answer)).told(by: hook.url)
            }
        }
    }

    private struct NewHook: Encodable {
        var id: Int64
        var secret: String
    }

    private struct Trial: Encodable {
        var delivered: Bool
        var status: Int?
        var reason: String?
    }

    private var webhooks: [Route] {
        [
            Route(
                .get, "/api/v1/webhooks", .webhooks,
                about: RouteText(
                    "Addresses that are told what happens, and how that goes.",
                    answer: [.always("webhooks", .list(.object(HookLine.answer)))])
            ) { request in
                _ = try AskedQuery(request, allowed: [])
                let hooks = try await read { try Webhooks($0).all() }
                return try Reading.answer(["webhooks": hooks.map(HookLine.init)])
            },
            Route(
                .post, "/api/v1/webhooks", .webhooks,
                about: RouteText(
                    "Adds an address; the answer has the secret of its signatures, shown once.",
                    body: [
                        .init("url", .text(1...2048), isNeeded: true),
                        .init(
                            "kinds", .list(.word(Self.kinds.map(\.rawValue))),
                            "What it is told; if not given, everything but step-goal and move-reminder, which "
                                + "only who reads everybody's activity may have it told."
                        ),
                        .init("always", .flag, "In quiet hours, too."),
                        .init(
                            "insecure", .flag,
                            "Takes http:// to another machine: others read along."
                        ),
                    ], answer: [.always("id", .count), .always("secret", .anyText)], status: 201,
                    refusals: [.overlap], isShownOnce: true)
            ) { try await add($0) },
            Route(
                .delete, "/api/v1/webhooks/{id}", .webhooks,
                about: RouteText(
                    "Tells an address nothing more and forgets its secret.", status: 204,
                    type: nil, refusals: [.notFound])
            ) { request in
                let id = try Self.number(request)
                _ = try await desk.perform(.notices(.revokeWebhook(id)), for: request)
                return Reading.nothing
            },
            Route(
                .post, "/api/v1/webhooks/{id}/test", .webhooks,
                about: RouteText(
                    "Posts a signed trial at once, and says if it was taken; of https:// the status.",
                    answer: [
                        .always("delivered", .flag), .init("status", .count),
                        .init("reason", .anyText),
                    ],
                    refusals: [.notFound])
            ) { await desk.note(try await test($0), to: $0.caller) },
        ]
    }

    private func add(_ request: RouteRequest) async throws -> RouteAnswer {
        var dice = SystemRandomNumberGenerator()
        let secret = Hex.text((0..<32).map { _ in .random(in: 0...255, using: &dice) })
        let new = try Reading.body(request, known: ["url", "kinds", "always", "insecure"]) {
            (object, json) throws(PayloadError) in
            NewWebhook(
                url: try object.required("url", json).text(json, limit: 2048),
                allowsInsecure: try object.optional("insecure", json)?.flag(json) ?? false,
                secret: secret,
                // What is private to somebody goes to others only where somebody says so.
                kinds: try Self.kinds("kinds", object, json) ?? NotificationPayload.Kind.usual,
                keepsQuiet: !(try object.optional("always", json)?.flag(json) ?? false))
        }
        let mayReadActivity = request.visitor?.principal.reach(.activityRead) == .site
        guard mayReadActivity || !new.kinds.contains(where: Self.isOfActivity) else {
            throw RouteProblem(
                .forbidden,
                "kinds: step-goal and move-reminder are people's own: only an owner may have them told."
            )
        }
        return try await desk.perform(.notices(.addWebhook(new)), for: request) { written, _ in
            try Reading.answer(
                NewHook(id: try written.rows.first ?? 0, secret: secret), status: 201)
        }
    }

    private static func isOfActivity(_ kind: NotificationPayload.Kind) -> Bool {
        NotificationPayload.Kind.ofActivity.contains(kind)
    }

    private func test(_ request: RouteRequest) async throws -> RouteAnswer {
        let id = try Self.number(request)
        _ = try AskedQuery(request, allowed: [])
        let now = desk.clock.now
        let found = try await read { try Webhooks($0).trial(of: id, at: now) }
        guard let trial = found else { throw Self.unknown }
        let url = trial.url
        let outcome = try await LoopThread.run { WebhookClient().carry(trial, at: now) }
        guard case .answered(let status) = outcome, WebhookAddress.isProven(url) else {
            let reason = outcome.isDelivered ? nil : outcome.told(by: url)
            return try Reading.answer(Trial(delivered: outcome.isDelivered, reason: reason))
        }
        return try Reading.answer(Trial(delivered: outcome.isDelivered, status: status))
    }

    // MARK: Rules

    private struct RulesLine: Encodable {
        var quiet: String?
        var urgent: [String]
        var forgottenHours: Double

        static let answer: [RouteText.Field] = [
            .init("quiet", .anyText, "Such as 22:00-07:00; not there if there are no such hours."),
            .always("urgent", .list(.oneOf(NotificationPayload.Kind.self))),
            .always("forgotten_hours", .number),
        ]

        init(_ rules: NoticeRules) {
            quiet = rules.quiet?.text
            urgent = rules.urgent.map(\.rawValue)
            forgottenHours = rules.forgotten.seconds / 3600
        }
    }

    private var rules: [Route] {
        [
            Route(
                .get, "/api/v1/notifications", .webhooks,
                about: RouteText("When people are told what.", answer: RulesLine.answer)
            ) { request in
                _ = try AskedQuery(request, allowed: [])
                let rules = try await read { try NotificationQueue($0).noticeRules() }
                return try Reading.answer(RulesLine(rules))
            },
            Route(
                .put, "/api/v1/notifications", .webhooks,
                about: RouteText(
                    "Changes when people are told what; what is left out has its default.",
                    body: [
                        .init(
                            "quiet", .text(11...11),
                            "Hours of the site's zone in which people are left alone, 22:00-07:00."),
                        .init(
                            "urgent", .list(.word(Self.kinds.map(\.rawValue))),
                            "What passes in quiet hours."),
                        .init(
                            "forgotten_hours", .integer(Self.forgottenHours),
                            "So many hours in at a stretch look like a tag left behind."),
                    ], answer: RulesLine.answer)
            ) { request in
                let rules = try Self.rules(request)
                _ = try await desk.perform(.notices(.setRules(rules)), for: request)
                return try Reading.answer(RulesLine(rules))
            },
        ]
    }

    private static func rules(_ request: RouteRequest) throws -> NoticeRules {
        try Reading.body(request, known: ["quiet", "urgent", "forgotten_hours"]) {
            (object, json) throws(PayloadError) in
            var rules = NoticeRules()
            if let text = try object.optional("quiet", json)?.text(json, limit: 11) {
                guard let hours = QuietHours(text) else {
                    throw .unknownValue(field: "quiet (hours like 22:00-07:00)")
                }
                rules.quiet = hours
            }
            if let urgent = try kinds("urgent", object, json) { rules.urgent = urgent }
            if let hours = try object.optional("forgotten_hours", json)?.integer(
                json, from: forgottenHours.lowerBound, through: forgottenHours.upperBound)
            {
                rules.forgotten = .seconds(Double(hours) * 3600)
            }
            return rules
        }
    }

    // MARK: Reading

    private static func kinds(
        _ name: String, _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> [NotificationPayload.Kind]? {
        try object.optional(name, json)?.list(json, atMost: kinds.count) {
            (value, json) throws(PayloadError) in
            let kind = try value.choice(json, of: NotificationPayload.Kind.self)
            guard kind != .test else { throw .unknownValue(field: name) }
            return kind
        }
    }

    private static let unknown = RouteProblem(.notFound, "There is no such webhook.")

    private static func number(_ request: RouteRequest) throws(RouteProblem) -> Int64 {
        guard let number = request.parameters["id"].flatMap({ Int64($0) }) else { throw unknown }
        return number
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value {
        try await Blocking.run { [store = desk.store] in try body(store) }
    }
}

extension DeliveryOutcome {
    /// What is said over HTTP of an attempt at an address. The reason why there was no answer would tell
    /// which ports of this machine and of its network are open.
    fileprivate func told(by url: String) -> String {
        switch self {
        case .answered(let status) where WebhookAddress.isProven(url): "\(status)"
        case .answered(200...299): "accepted"
        case .answered, .unreachable: "not accepted: see beaconmesh webhook at the machine"
        }
    }
}
