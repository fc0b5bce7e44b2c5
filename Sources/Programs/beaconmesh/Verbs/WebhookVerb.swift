import Scheduling
import SiteService
import ArgumentParser
import Basics
import CoordinatorService
import Foundation
import Notifications
import Platform
import SiteClient
import SiteModel
import Wire

/// `beaconmesh webhook`: who else is told what happens at a site.
struct WebhookVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Adds, lists, removes and tries addresses that are told what happens.",
        discussion: """
            A running coordinator posts each notification as JSON, at least once, in order, and tries \
            for a day. The header Beaconmesh-Signature is t=<ms>,v1=<hex>: HMAC-SHA-256 of \
            “<ms>.<body>” under the secret. Beaconmesh-Id names the notification: one that came \
            before may be forgotten.

            beaconmesh webhook add https://hooks.example.org/gym --kinds arrival,departure
            beaconmesh webhook test 1
            beaconmesh webhook list
            """,
        subcommands: [Add.self, List.self, Remove.self, Test.self])

    /// Kinds as `arrival,departure`.
    static func kinds(_ text: String?) throws -> [NotificationPayload.Kind] {
        let all = NotificationPayload.Kind.allCases.filter { $0 != .test }
        guard let text else { return NotificationPayload.Kind.usual }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            guard let kind = NotificationPayload.Kind(rawValue: String(word)), kind != .test else {
                let known = all.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("no kind “\(word)”: there are \(known)")
            }
            return kind
        }
    }

    /// A webhook as it is listed.
    struct Line: Encodable {
        var id: Int64
        var url: String
        var kinds: [String]
        var secret: String?
        var waiting: Int
        var delivered: Int
        var failed: Int
        var last_answer: String?
    }
}

extension WebhookVerb {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds an address and prints its secret, this once.")

        @Argument(help: "Where it listens: https://…, or http:// on this machine.")
        var url: String

        @OptionGroup var options: BooksOptions

        @Option(
            help:
                "What it is told, as arrival,departure; if not given, all but step-goal and move-reminder."
        )
        var kinds: String?

        @Flag(help: "Tell it in quiet hours, too.")
        var always = false

        @Flag(help: "Take http:// to another machine: whoever listens reads along.")
        var allowInsecure = false

        func run() async throws {
            let kinds = try WebhookVerb.kinds(kinds)
            let address: WebhookAddress
            do {
                address = try WebhookAddress(url, allowsInsecure: allowInsecure)
            } catch {
                throw Exit(code: 64, text: "\(error)")
            }
            var dice = SystemRandomNumberGenerator()
            let secret = Hex.text((0..<32).map { _ in .random(in: 0...255, using: &dice) })
            let new = NewWebhook(
                url: address.url, allowsInsecure: allowInsecure, secret: secret, kinds: kinds,
                keepsQuiet: !always)
            let id = try options.with { try $0.write(.notices(.addWebhook(new))).rows[0] }
            if options.json {
                return try options.print(
                    json: Line(
                        id: id, url: address.url, kinds: kinds.map(\.rawValue), secret: secret,
                        waiting: 0, delivered: 0, failed: 0))
            }
            print("webhook \(id); its secret, shown this once:\n\(secret)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the addresses, and how deliveries go.")

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let hooks = try options.read { try Webhooks($0).all() }
            if options.json {
                return try options.print(
                    json: hooks.map {
                        Line(
                            id: $0.id, url: $0.url, kinds: $0.kinds.map(\.rawValue),
                            waiting: $0.waiting, delivered: $0.delivered, failed: $0.failed,
                            last_answer: $0.lastAnswer)
                    })
            }
            var table = TextTable([
                "id", "address", "told", "waiting", "delivered", "failed", "last answer",
            ])
            for hook in hooks {
                table.add([
                    "\(hook.id)", hook.url, hook.kinds.map(\.rawValue).joined(separator: ","),
                    "\(hook.waiting)", "\(hook.delivered)", "\(hook.failed)",
                    hook.lastAnswer ?? "–",
                ])
            }
            print(table.text)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tells an address nothing more and forgets its secret.")

        @Argument(help: "Its number.")
        var id: Int64

        @OptionGroup var options: BooksOptions

        func run() async throws {
            try options.with { _ = try $0.write(.notices(.revokeWebhook(id))) }
            if !options.json { print("webhook \(id) is told nothing more") }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Posts a signed trial at once, and shows what was answered.")

        @Argument(help: "Its number.")
        var id: Int64

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let now = AnchoredClock().now
            guard let delivery = try options.read({ try Webhooks($0).trial(of: id, at: now) })
            else {
                throw Exit(code: 3, text: "there is no webhook \(id)")
            }
            let outcome = WebhookClient().carry(delivery, at: now)
            switch outcome {
            case .answered(let status):
                print(options.json ? "{\"status\":\(status)}" : "answered with status \(status)")
            case .unreachable(let reason):
                throw Exit(code: 69, text: "no answer: \(TerminalText.harmless(reason))")
            }
            guard outcome.isDelivered else { throw Exit(code: 5, text: "that is no acceptance") }
        }
    }
}

/// `beaconmesh notifications`: when people are told what.
struct NotificationsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Shows, or changes, when people are told what.")

    @OptionGroup var options: BooksOptions

    @Option(help: "Hours of the site's zone in which people are left alone, 22:00-07:00, or none.")
    var quiet: String?

    @Option(help: "What passes in quiet hours, as no-check-in,battery-low, or none.")
    var urgent: String?

    @Option(help: "So many hours in at a stretch, 1 to 168, look like a tag left behind.")
    var forgottenHours: Int64?

    /// The rules as they are shown.
    private struct Line: Encodable {
        var quiet: String?
        var urgent: [String]
        var forgotten_hours: Double
    }

    func run() async throws {
        let isQuestion = quiet == nil && urgent == nil && forgottenHours == nil
        let rules =
            try isQuestion ? options.read { try NotificationQueue($0).noticeRules() } : changed()
        let hours = rules.forgotten.seconds / 3600
        let urgent = rules.urgent.map(\.rawValue)
        if options.json {
            return try options.print(
                json: Line(quiet: rules.quiet?.text, urgent: urgent, forgotten_hours: hours))
        }
        print("quiet hours: \(rules.quiet?.text ?? "none")")
        print("urgent: \(urgent.isEmpty ? "none" : urgent.joined(separator: ", "))")
        print("a tag is left behind after \(hours.formatted()) hours")
    }

    /// Stores the rules that are asked for; those in force then.
    private func changed() throws -> NoticeRules {
        try options.with { site in
            var rules = try NotificationQueue(site.store).noticeRules()
            let old = rules
            try change(&rules)
            if rules != old { _ = try site.write(.notices(.setRules(rules))) }
            return rules
        }
    }

    private func change(_ rules: inout NoticeRules) throws {
        switch quiet {
        case nil: break
        case "none": rules.quiet = nil
        case let text?:
            guard let hours = QuietHours(text) else {
                throw ValidationError("--quiet: 22:00-07:00, or none")
            }
            rules.quiet = hours
        }
        switch urgent {
        case nil: break
        case "none": rules.urgent = []
        case let text?: rules.urgent = try WebhookVerb.kinds(text)
        }
        if let forgottenHours {
            guard (1...168).contains(forgottenHours) else {
                throw ValidationError("--forgotten-hours: 1 to 168")
            }
            rules.forgotten = .seconds(Double(forgottenHours) * 3600)
        }
    }
}
