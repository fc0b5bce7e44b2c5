import Basics
import Notifications
import Operations
import Scheduling
import SiteModel
import Wire

/// An address that is told what happens, and how that goes.
struct WebhookLine: OperationOutput {
    var hook: Webhook
    var tellsAlways: Bool
    var last: String?

    init(_ hook: Webhook, to caller: Caller) {
        self.hook = hook
        tellsAlways = !hook.keepsQuiet
        last = hook.lastAnswer.map { answer in
            let outcome = Int(answer).map { DeliveryOutcome.answered($0) }
            return (outcome ?? .unreachable(answer)).told(by: hook.url, to: caller)
        }
    }

    static let members: [Member<WebhookLine>] = [
        .needed("id", .count, \.hook.id), .needed("url", .anyText, \.hook.url),
        .needed("kinds", .list(.word), \.hook.kinds), .needed("always", .flag, \.tellsAlways),
        .needed("created_ms", .time, \.hook.created), .needed("waiting", .count, \.hook.waiting),
        .needed("delivered", .count, \.hook.delivered), .needed("failed", .count, \.hook.failed),
        .optional("last_answer", .anyText, \.last),
    ]
}

struct NewWebhook: OperationInput {
    var url = ""
    // What is private to somebody goes to others only where somebody says so.
    var kinds = NotificationPayload.Kind.usual
    var tellsAlways = false
    var allowsInsecure = false

    static let members: [Member<NewWebhook>] = [
        .needed("url", .text(1...2048), \.url),
        .preset(
            "kinds", NoticeForm.some, \.kinds,
            "What it is told; if not given, everything but step-goal, move-reminder and share-request, which "
                + "only who reads everybody's activity may have it told."),
        .preset("always", .flag, \.tellsAlways, "In quiet hours, too."),
        .preset(
            "insecure", .flag, \.allowsInsecure,
            "Takes http:// to another machine: others read along."),
    ]
}

/// What a webhook's signatures are made with.
struct WebhookSecret: OperationOutput {
    var id: Int64
    var secret: String

    static let members: [Member<WebhookSecret>] = [
        .needed("id", .count, \.id), .needed("secret", .anyText, \.secret),
    ]
}

/// What came of a trial.
struct Trial: OperationOutput {
    var isDelivered: Bool
    var status: Int?
    var reason: String?

    init(_ outcome: DeliveryOutcome, at url: String, to caller: Caller) {
        isDelivered = outcome.isDelivered
        guard case .answered(let status) = outcome,
            WebhookAddress.isProven(url) || caller.isAtMachine
        else {
            reason = outcome.isDelivered ? nil : outcome.told(by: url, to: caller)
            return
        }
        self.status = status
    }

    /// Of mail: servers of mail only have such a status.
    init(mail outcome: DeliveryOutcome, to caller: Caller) {
        isDelivered = outcome.isDelivered
        switch outcome {
        case .answered(let status): self.status = status
        case .unreachable(let reason):
            let hidden = "not reached, it does not encrypt, or the password is wrong"
            self.reason = caller.isAtMachine ? reason : hidden
        }
    }

    static let members: [Member<Trial>] = [
        .needed("delivered", .flag, \.isDelivered), .optional("status", .count, \.status),
        .optional("reason", .anyText, \.reason),
    ]
}

enum NoticeForm {
    static let kinds = NotificationPayload.Kind.open

    /// Each of them once at most.
    static let some = Form<[NotificationPayload.Kind]>.list(
        .word(among: kinds), atMost: kinds.count)

    static let hours = Form<DailyHours>.parsed(
        .text(11...11), upTo: 11, "hours like 22:00-07:00"
    ) {
        DailyHours($0)
    } text: {
        $0.text
    }
}

/// When people are told what; what is left out has its default.
extension NoticeRules: OperationInput {
    package init() { self.init(quiet: nil) }

    package static let members: [Member<NoticeRules>] = [
        .optional(
            "quiet", NoticeForm.hours, \.quiet,
            "Hours of the site's zone in which people are left alone, 22:00-07:00."),
        .preset(
            "urgent", NoticeForm.some, \.urgent, "What passes in quiet hours."
        ),
        .preset(
            "forgotten_hours", .hours(1...168), \.forgotten,
            "So many hours in at a stretch look like a tag left behind."),
    ]
}

/// What is to change of it; what is left out stays.
struct RulesChange: OperationInput {
    var quiet: DailyHours??
    var urgent: [NotificationPayload.Kind]?
    var forgotten: Timestamp.Span?

    static let members: [Member<RulesChange>] = [
        .nullable("quiet", NoticeForm.hours, \.quiet, "`null` for no such hours."),
        .optional("urgent", NoticeForm.some, \.urgent),
        .optional("forgotten_hours", .hours(1...168), \.forgotten),
    ]

    func applied(to rules: NoticeRules) -> NoticeRules {
        var rules = rules
        if let quiet { rules.quiet = quiet }
        if let urgent { rules.urgent = urgent }
        if let forgotten { rules.forgotten = forgotten }
        return rules
    }
}

struct RulesLine: OperationOutput {
    var rules: NoticeRules

    static let members: [Member<RulesLine>] = [
        .optional(
            "quiet", NoticeForm.hours.told(as: .anyText), \.rules.quiet,
            "Such as 22:00-07:00; not there if there are no such hours."),
        .needed("urgent", .list(.word), \.rules.urgent),
        .needed("forgotten_hours", .hours(1...168).told(as: .number), \.rules.forgotten),
    ]
}

/// Whether somebody is told of each record that they break.
struct Wishes: OperationInput {
    var user = ""
    var records = false

    static let members: [Member<Wishes>] = [
        .needed("id", .reference("users"), \.user),
        .needed("records", .flag, \.records, "Of each record they break."),
    ]
}

struct WishesLine: OperationOutput {
    var records: Bool

    static let members: [Member<WishesLine>] = [.needed("records", .flag, \.records)]
}

extension DeliveryOutcome {
    /// What is said of an attempt at an address. To who is not at the machine, the reason why there was no answer would
    /// tell which ports of it and of its network are open.
    fileprivate func told(by url: String, to caller: Caller) -> String {
        switch self {
        case .answered(let status) where caller.isAtMachine: "\(status)"
        case .unreachable(let reason) where caller.isAtMachine: reason
        case .answered(let status) where WebhookAddress.isProven(url): "\(status)"
        case .answered(200...299): "accepted"
        case .answered, .unreachable: "not accepted: see beaconmesh webhook list at the machine"
        }
    }
}
