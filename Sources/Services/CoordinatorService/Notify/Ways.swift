import Ciphers
import Notifications
import SiteModel
import SiteService
import WebServer

/// How accounts are told while no page is open: by push services and by mail.
struct Ways: Sendable {
    private let browsers: PushClient?
    private let server: MailServer?

    /// - Parameters:
    ///   - key: By which push services know the site; `nil`: no browser was ever told.
    ///   - server: `nil`: the site sends no mail.
    init(_ services: PushServices, key: PushKey?, server: MailServer?) {
        browsers = key.map { PushClient(services, key: $0) }
        self.server = server
    }

    /// Blocks for some seconds at most, on a thread of its own.
    func carry(_ push: Push, at now: Timestamp) -> DeliveryOutcome {
        let language = PageLanguage(rawValue: push.language) ?? .en
        switch (push.target.way, push.content) {
        case (.push, .notice(let notice)):
            return browsers?.carry(PushText.json(of: notice, in: language), to: push, at: now)
                ?? .unreachable("the site has no key yet")
        case (.push, .code): return .answered(410)
        case (.mail, .notice(let notice)):
            let mail = MailText.notice(
                PushText.body(of: notice, in: language), path: PushText.path(of: notice),
                from: server?.page, in: language)
            return carry(mail, from: notice.site, to: push.endpoint, at: now)
        case (.mail, .code(let code, let site)):
            return carry(
                MailText.code(code, of: site, in: language), from: site, to: push.endpoint, at: now)
        }
    }

    private func carry(
        _ mail: MailClient.Mail, from site: String, to address: String, at now: Timestamp
    ) -> DeliveryOutcome {
        guard let server else { return .unreachable("the site sends no mail any more") }
        guard let reader = MailAddress(address) else { return .answered(550) }
        return MailClient(server).carry(mail, from: site, to: reader, at: now)
    }
}
