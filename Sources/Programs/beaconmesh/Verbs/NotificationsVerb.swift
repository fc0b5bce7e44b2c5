import ArgumentParser
import Notifications

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
            if rules != old { _ = try site.write(.setNoticeRules(rules)) }
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
