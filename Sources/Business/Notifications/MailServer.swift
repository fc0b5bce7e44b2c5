import Basics
import Foundation
import GRDB
import Records
import SiteModel
import SiteStore

/// An address of mail, of the letters that every server takes: nothing in it can end a line or a quotation.
package struct MailAddress: Equatable, Sendable {
    package let text: String

    /// `nil` for what is none. Comments, quotations and addresses beyond ASCII (RFC 6531) are not taken.
    package init?(_ text: String) {
        guard text.utf8.count <= 254,
            text.wholeMatch(
                of:
                    /[A-Za-z0-9!#$%&'*+\/=?^_`{|}~.-]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*/
            ) != nil
        else { return nil }
        self.text = text
    }

    /// What stands after `@`.
    package var domain: Substring {
        text[(text.lastIndex(of: "@") ?? text.startIndex)...].dropFirst()
    }
}

/// The server that takes the site's mail. There is at most one.
package struct MailServer: Equatable, Sendable {
    /// Why there can be no such server.
    package enum Fault: Refusing, Equatable, Sendable, CustomStringConvertible {
        case url
        case address(field: String)
        case page
        case passwordAlone
        case letters(field: String)

        package var code: ProblemCode { .badRequest }

        package var text: String {
            switch self {
            case .url: "url: smtps://HOST[:PORT] or smtp://HOST[:PORT] expected, in visible ASCII"
            case .address(let field):
                "\(field): an address of mail expected, such as gym@example.org"
            case .page:
                "page: the address of this site's pages expected, such as https://gym.example.org"
            case .passwordAlone: "password: is of no use without username"
            case .letters(let field): "\(field): has a character that no mail server takes"
            }
        }
    }

    /// `smtps://…`, or `smtp://…`, which must encrypt before anything is said (STARTTLS), but on this machine.
    package let url: String
    package let sender: MailAddress
    package let username: String?
    package let password: String?
    /// Where the site's pages are, without a `/` at the end, for links; `nil`: there are none.
    package let page: String?

    /// - Throws: Which of them is none.
    package init(
        url: String, sender: String, username: String?, password: String?, page: String?
    ) throws(Fault) {
        guard
            url.wholeMatch(
                of: /smtps?:\/\/([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?/)
                != nil,
            let parts = URLComponents(string: url), parts.host?.isEmpty == false,
            (1...65535).contains(parts.port ?? 25)
        else { throw .url }
        guard let sender = MailAddress(sender) else { throw .address(field: "sender") }
        if let page,
            page.wholeMatch(of: /https?:\/\/[!-~&&[^"\\]]{1,200}/) == nil || page.hasSuffix("/")
        {
            throw .page
        }
        guard username != nil || password == nil else { throw .passwordAlone }
        // curl takes what stands before the first colon as the name, and a line as an option.
        if username?.unicodeScalars.contains(where: { $0 == ":" || !HarmlessText.isHarmless($0) })
            == true
        {
            throw .letters(field: "username")
        }
        if password?.unicodeScalars.allSatisfy(HarmlessText.isHarmless) == false {
            throw .letters(field: "password")
        }
        self.url = url
        self.sender = sender
        self.username = username
        self.password = password
        self.page = page
    }

    /// Whether it is on this machine, where nobody listens on the way.
    var isLocal: Bool { URLComponents(string: url)?.host.map(Loopback.isHost) ?? false }
}

/// The mail server, as the site keeps it.
package struct MailServers: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// `nil`: the site sends no mail.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func current() throws(StoreError) -> MailServer? {
        try store.read { db in
            try db.rows("SELECT * FROM mail_server") { row in
                do {
                    return try MailServer(
                        url: row["url"], sender: row["sender"], username: row["username"],
                        password: row["password"], page: row["page"])
                } catch {
                    throw DamagedRow("mail_server", row)
                }
            }.first
        }
    }

    /// What the site is called.
    ///
    /// - Throws: As `current`.
    package func siteName() throws(StoreError) -> String {
        try store.read { db in try String.fetchOne(db, sql: "SELECT name FROM site") ?? "" }
    }

    /// Has the site send by a server. The audit does not get the password.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func set(_ server: MailServer, by asker: Asker) throws(StoreError) {
        try store.write { db in
            try db.run(
                """
                INSERT INTO mail_server (id, url, sender, username, password, page)
                VALUES (1, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET url = excluded.url, sender = excluded.sender,
                    username = excluded.username, password = excluded.password, page = excluded.page
                """,
                [server.url, server.sender.text, server.username, server.password, server.page])
            try Self.note("set", "\(server.url) \(server.sender.text)", by: asker, db)
        }
    }

    /// Has the site send no mail; the password is forgotten. Without a server nothing changes.
    ///
    /// - Throws: As `set`.
    package func remove(by asker: Asker) throws(StoreError) {
        try store.write { db in
            try db.run("DELETE FROM mail_server")
            if db.changesCount > 0 { try Self.note("remove", nil, by: asker, db) }
        }
    }

    private static func note(_ action: String, _ after: String?, by asker: Asker, _ db: Database)
        throws
    {
        try AuditTrail.append(
            AuditEntry(
                at: asker.at, actor: asker.name, via: asker.via, action: action,
                entity: "mail_server", entityID: "1",
                after: try after.map { try JSONText.text(of: [$0]) }), db)
    }
}
