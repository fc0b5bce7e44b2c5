import Records
import Scheduling
import SiteModel
import SiteStore
import Wire

/// A change of who else is told what happens, or of when, that a person asks for.
package enum NoticeCall: Codable, Sendable {
    case addWebhook(NewWebhook)
    case revokeWebhook(Int64)
    case setRules(NoticeRules)
    /// Somebody is told of their records, or not.
    case tellRecords(user: String, Bool)

    /// Does it. Returns the row of what was added.
    ///
    /// - Throws: A `BooksRefusal` for what can be corrected, a `StoreError` if the database failed. Nothing was
    ///   written.
    package func perform(on store: Store, by asker: RosterAsker) throws -> [Int64] {
        switch self {
        case .addWebhook(let new):
            let address = try WebhookAddress(new.url, allowsInsecure: new.allowsInsecure)
            guard try !Webhooks(store).all().contains(where: { $0.url == address.url }) else {
                throw BooksRefusal(.overlap, "there is a webhook at this address already")
            }
            let row = try Webhooks(store).add(
                address, secret: new.secret, kinds: new.kinds, keepsQuiet: new.keepsQuiet,
                by: asker.name, via: asker.via, at: asker.at)
            return [row]
        case .revokeWebhook(let row):
            guard
                try Webhooks(store).revoke(row, by: asker.name, via: asker.via, at: asker.at)
            else { throw BooksRefusal(.notFound, "there is no webhook \(row)") }
            return []
        case .setRules(let rules):
            try NotificationQueue(store).setNoticeRules(
                rules, by: asker.name, via: asker.via, at: asker.at)
            return []
        case .tellRecords(let user, let wants):
            try NotificationQueue(store).tellRecords(user, wants, by: asker)
            return []
        }
    }
}

/// A webhook that is to be added.
package struct NewWebhook: Codable, Sendable {
    package var url: String
    package var allowsInsecure: Bool
    /// 64 hexadecimal digits.
    package var secret: String
    package var kinds: [NotificationPayload.Kind]
    package var keepsQuiet: Bool

    package init(
        url: String, allowsInsecure: Bool, secret: String, kinds: [NotificationPayload.Kind],
        keepsQuiet: Bool
    ) {
        self.url = url
        self.allowsInsecure = allowsInsecure
        self.secret = secret
        self.kinds = kinds
        self.keepsQuiet = keepsQuiet
    }
}
