import Notifications
import Operations
import Permissions
import Records
import SiteModel
import SiteStore
import WebServer

// By which server the site sends mail, and to which address an account wants it.

extension Operation {
    static let mail = [
        Operation(
            "mail-server-show", "/api/v1/mail-server", .webhooks,
            "The server that takes the site's mail; its password is never told.", .of(Nothing.self),
            answer: .row
        ) { _, _, store in MailServerTold(try MailServers(store).current()) },
        Operation(
            "mail-server-set", .put, "/api/v1/mail-server", .webhooks,
            "Has the site send mail by a server. A password that is left out stays, as long as server and user name do.",
            .of(NewMailServer.self), answer: .row, wakesNotifier: true
        ) { new, caller, store in
            let before = try MailServers(store).current()
            let isSame = before?.url == new.url && before?.username == new.username
            let server = try MailServer(
                url: new.url, sender: new.sender, username: new.username,
                password: new.password ?? (isSame ? before?.password : nil), page: new.page)
            try MailServers(store).set(server, by: caller.asker)
            return MailServerTold(server)
        },
        Operation(
            "mail-server-remove", .delete, "/api/v1/mail-server", .webhooks,
            "Has the site send no mail; the password is forgotten.", .of(Nothing.self),
            answer: .nothing
        ) { _, caller, store in try MailServers(store).remove(by: caller.asker) },
        outside(
            "mail-server-test", .post, "/api/v1/mail-server/test", .webhooks,
            "Sends a mail at once, and says if it was taken.", .of(MailTo.self), answer: .row,
            refusals: [.badState]
        ) { asked, caller, store in
            guard let server = try MailServers(store).current() else {
                throw BooksRefusal(.badState, "this site sends no mail: set a server first")
            }
            let site = try MailServers(store).siteName()
            let outcome = try MailClient(server).carry(
                MailText.trial(site, in: asked.language), from: site, to: asked.reader,
                at: caller.moment)
            return Trial(mail: outcome, to: caller)
        },
        Operation(
            "mail-show", "/api/v1/notices/mail", .session, about: .each,
            "Where whoever asks wants mail.", .of(Nothing.self), answer: .row, refusals: [.badState]
        ) { _, caller, store in
            MailTold(
                isOffered: try MailServers(store).current() != nil,
                reader: try MailReaders(store).reader(of: caller.ownAccount))
        },
        Operation(
            "mail-set", .post, "/api/v1/notices/mail", .session, about: .each,
            "Sends a code to an address, which proves that whoever asks reads there.",
            .of(MailTo.self),
            answer: .row, refusals: [.badState, .rateLimited], wakesNotifier: true
        ) { asked, caller, store in
            let account = try caller.ownAccount
            try MailReaders(store).set(
                asked.reader, language: asked.language.rawValue, of: account, at: caller.moment)
            return MailTold(isOffered: true, reader: try MailReaders(store).reader(of: account))
        },
        Operation(
            "mail-confirm", .post, "/api/v1/notices/mail/code", .session, about: .each,
            "Proves it by the code, \(MailReaders.tries) times at most.", .of(MailCode.self),
            answer: .row, refusals: [.badState]
        ) { given, caller, store in
            MailConfirmed(
                isConfirmed: try MailReaders(store).confirm(
                    given.code, of: caller.ownAccount, at: caller.moment))
        },
        Operation(
            "mail-remove", .delete, "/api/v1/notices/mail", .session, about: .each,
            "Sends whoever asks no mail any more.", .of(Nothing.self), answer: .nothing,
            refusals: [.badState, .rateLimited]
        ) { _, caller, store in
            try MailReaders(store).remove(of: caller.ownAccount, at: caller.moment)
        },
    ]
}

private struct MailServerTold: OperationOutput {
    var url: String?
    var sender: String?
    var username: String?
    var page: String?
    var hasPassword: Bool

    init(_ server: MailServer?) {
        url = server?.url
        sender = server?.sender.text
        username = server?.username
        page = server?.page
        hasPassword = server?.password != nil
    }

    static let members: [Member<MailServerTold>] = [
        .optional("url", .anyText, \.url, "Not there if the site sends no mail."),
        .optional("sender", .anyText, \.sender), .optional("username", .anyText, \.username),
        .optional("page", .anyText, \.page), .needed("has_password", .flag, \.hasPassword),
    ]
}

private struct NewMailServer: OperationInput {
    var url = ""
    var sender = ""
    var username: String?
    var password: String?
    var page: String?

    static let members: [Member<NewMailServer>] = [
        .needed(
            "url", .text(8...300), \.url,
            "smtps://HOST[:PORT], or smtp://HOST[:PORT], which then has to encrypt (STARTTLS), but on this machine."
        ),
        .needed("sender", .text(3...254), \.sender, "Whose mail it is, such as gym@example.org."),
        .optional("username", .text(1...254), \.username),
        .optional("password", .text(1...254), \.password),
        .optional(
            "page", .text(8...200), \.page, "Where the site's pages are, for links in a mail."),
    ]
}

/// An address, and the language of what goes there.
private struct MailTo: OperationInput {
    var address = ""
    var language = PageLanguage.en

    static let members: [Member<MailTo>] = [
        .needed("address", .text(3...254), \.address, "Such as mia@example.org."),
        .preset("language", .word, \.language),
    ]

    /// - Throws: What is refused, if it is none.
    var reader: MailAddress {
        get throws(MailServer.Fault) {
            guard let reader = MailAddress(address) else { throw .address(field: "address") }
            return reader
        }
    }
}

private struct MailTold: OperationOutput {
    var isOffered: Bool
    var address: String?
    var isConfirmed: Bool?
    var fault: MailReader.Fault?

    init(isOffered: Bool, reader: MailReader?) {
        self.isOffered = isOffered
        address = reader?.address
        isConfirmed = reader?.isConfirmed
        fault = reader?.fault
    }

    static let members: [Member<MailTold>] = [
        .needed("offered", .flag, \.isOffered, "Whether the site sends mail."),
        .optional("address", .anyText, \.address),
        .optional("confirmed", .flag, \.isConfirmed, "Whether it is proved by a code, and used."),
        .optional(
            "fault", .word, \.fault,
            "What came of the last mail that did not arrive: refused by the server, or delayed and tried again."
        ),
    ]
}

private struct MailCode: OperationInput {
    var code = ""

    static let members: [Member<MailCode>] = [.needed("code", .text(6...6), \.code)]
}

private struct MailConfirmed: OperationOutput {
    var isConfirmed: Bool

    static let members: [Member<MailConfirmed>] = [
        .needed("confirmed", .flag, \.isConfirmed, "Not, if it is another code, or too old.")
    ]
}
