import Accounts
import ArgumentParser
import Basics
import Foundation
import Permissions
import Platform
import Reporting
import SiteClient
import SiteService
import SiteModel

/// `beaconmesh token`: what programs sign in with.
struct TokenVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes, lists and revokes tokens of programs.",
        discussion: """
            A token is sent as `Authorization: Bearer …`. It is shown once; only its digest is kept. \
            Revoked, it opens nothing from that moment on, and what it reads ends.

            beaconmesh token add crm --role integration --scopes people:read,attendance:read
            beaconmesh token add wall --role screen --days 365
            beaconmesh token revoke crm
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a token and prints it, this once.")

        @Argument(help: "What it is called: 1 to 64 of a-z, 0-9, dot, _ and -.")
        var name: String

        @Option(help: "integration, screen, kiosk, or a role of people.")
        var role = "integration"

        @Option(help: "What an integration may do, as people:read,attendance:read.")
        var scopes: String?

        @Option(help: "For whom it speaks: the id (u-…) or the name of a registered person.")
        var user: String?

        @Option(help: "After how many days it ends; never if not given.")
        var days: Int?

        @OptionGroup var options: BooksOptions

        private struct Line: Encodable {
            var name: String
            var token: String
        }

        func run() async throws {
            if let days, !(1...3650).contains(days) {
                throw Exit(code: 64, text: "--days: 1 to 3650")
            }
            let secret = "bm_" + OneTimeSecret.make()
            let expires = days.map { options.now + .seconds(Double($0) * 86_400) }
            let (role, scopes) = (
                try RoleText.read(role), try scopes.map(RoleText.scopes) ?? []
            )
            try options.with { site in
                let user = try user.map {
                    try NameResolver.person($0, in: site.store, isActive: true).slug
                }
                _ = try site.write(
                    .accounts(
                        .addToken(
                            name: name, hash: OneTimeSecret.hash(of: secret), role: role,
                            scopes: scopes, user: user, expires: expires)))
            }
            if options.json { return try options.print(json: Line(name: name, token: secret)) }
            print("token \(name), shown only this once:\n\(secret)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows tokens, what they open and when they were last used.")

        @OptionGroup var options: BooksOptions

        private struct Line: Encodable {
            var name: String
            var role: String
            var scopes: [String]
            var state: String
            var used_ms: Int64?
            var expires_ms: Int64?
        }

        func run() async throws {
            let now = options.now
            let lines = try options.read { try Accounts($0).all().tokens }.map { token in
                Line(
                    name: token.name, role: token.role.rawValue,
                    scopes: token.scopes.map(\.rawValue).sorted(),
                    state: token.revoked != nil
                        ? "revoked" : token.isValid(at: now) ? "open" : "expired",
                    used_ms: token.used?.milliseconds, expires_ms: token.expires?.milliseconds)
            }
            if options.json { return try options.print(json: lines) }
            var table = TextTable(["token", "role", "scopes", "state", "last used"])
            for line in lines {
                let used = line.used_ms.map { max(0, now.milliseconds - $0) / 60_000 }
                table.add([
                    line.name, line.role, line.scopes.joined(separator: " "), line.state,
                    used.map { "\($0) min ago" } ?? "never",
                ])
            }
            print(table.text)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Refuses a token from now on.")

        @Argument var name: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            try options.write(.accounts(.revokeToken(name: name)))
            print("token \(name) is refused")
        }
    }
}
