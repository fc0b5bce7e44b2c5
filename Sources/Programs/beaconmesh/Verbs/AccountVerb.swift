import Accounts
import ArgumentParser
import Basics
import Permissions
import Platform
import Reporting
import SiteClient
import SiteService
import SiteModel
import SiteStore

/// `beaconmesh account`: who signs in on the page, and as what.
struct AccountVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Lists, invites, changes and recovers accounts.",
        discussion: """
            Nobody is given a password: `invite` and `recover` print a link that is good once, for a \
            week, and whoever opens it chooses one. Where no configuration says it, put the address of the \
            dashboard before it.

            beaconmesh account recover ada                    # the first owner, or one who forgot
            beaconmesh account invite grace --role trainer --user u-3fvx7d
            beaconmesh account disable grace
            """,
        subcommands: [
            List.self, Invite.self, Recover.self, SetRole.self, Disable.self, Enable.self,
            SignOut.self,
        ])

    /// So long an invitation can be used.
    fileprivate static let validity = Timestamp.Span.seconds(
        Double(SiteService.Invitation.days) * 86_400)

    fileprivate struct Invitation: Encodable {
        var name: String
        var path: String
        /// The whole address, once for each of the machine's; none where it is not known.
        var urls: [String]
        var expires_ms: Int64
    }

    fileprivate static func tell(
        _ name: String, _ secret: String, _ expires: Timestamp, _ options: BooksOptions
    ) throws {
        let path = "/signin#invite=\(secret)"
        let urls = options.place.dashboards().map { $0 + path }
        if options.json {
            return try options.print(
                json: Invitation(
                    name: name, path: path, urls: urls, expires_ms: expires.milliseconds))
        }
        let place = urls.isEmpty ? ", below the address of the dashboard" : ""
        print(
            """
            invitation of \(name), good once within \(SiteService.Invitation.days) days, shown only \
            now\(place):
            \(urls.isEmpty ? path : urls.joined(separator: "\n"))
            """)
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows everybody who can sign in.")

        @OptionGroup var options: BooksOptions

        private struct Line: Encodable {
            var name: String
            var role: String
            var user: String?
            var state: String
            var signed_in_ms: Int64?
        }

        func run() async throws {
            let lines = try options.read { try Accounts($0).all().accounts }.map { account in
                Line(
                    name: account.name, role: account.role.rawValue, user: account.user,
                    state: account.disabled != nil
                        ? "disabled" : account.hasPassword ? "open" : "invited",
                    signed_in_ms: account.signedIn?.milliseconds)
            }
            if options.json { return try options.print(json: lines) }
            var table = TextTable(["account", "role", "user", "state"])
            for line in lines { table.add([line.name, line.role, line.user ?? "–", line.state]) }
            print(table.text)
        }
    }

    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes an account and prints its invitation.")

        @Argument(help: "What they sign in with: 1 to 64 of a-z, 0-9, dot, _ and -.")
        var name: String

        @Option(help: "owner, manager, trainer, member or auditor.")
        var role: String

        @Option(help: "Whose it is: the id (u-…) or the name of a registered person.")
        var user: String?

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let role = try RoleText.read(role)
            let secret = OneTimeSecret.make()
            let expires = options.now + AccountVerb.validity
            try options.with { site in
                let user = try user.map {
                    try NameResolver.person($0, in: site.store, isActive: true).slug
                }
                _ = try site.write(
                    .accounts(
                        .invite(
                            name: name, role: role, user: user,
                            invitation: OneTimeSecret.hash(of: secret), expires: expires)))
            }
            try AccountVerb.tell(name, secret, expires, options)
            guard role == .member, user == nil else { return }
            StandardError.write(
                """
                \(name) is nobody who is registered, and will see rooms and stations only: an account with \
                --user is somebody's

                """)
        }
    }

    struct Recover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Prints a new invitation, ends password and sessions; makes the first owner.",
            discussion: "The only owner's password opens until the invitation is accepted.")

        @Argument(help: "The account; on a site without one the first owner gets this name.")
        var name: String = "owner"

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let secret = OneTimeSecret.make()
            let hash = OneTimeSecret.hash(of: secret)
            let expires = options.now + AccountVerb.validity
            let name = name
            try options.with { site in
                let known = try Accounts(site.store).all().accounts
                let isNew = known.isEmpty
                _ = try site.write(
                    .accounts(
                        isNew
                            ? .invite(
                                name: name, role: .owner, user: nil, invitation: hash,
                                expires: expires)
                            : .renew(name: name, invitation: hash, expires: expires)))
            }
            try AccountVerb.tell(name, secret, expires, options)
        }
    }

    struct SetRole: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives an account another role; its sessions end.")

        @Argument var name: String

        @Argument(help: "owner, manager, trainer, member or auditor.")
        var role: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let role = try RoleText.read(role)
            guard role.signsIn else {
                throw Exit(code: 64, text: "nobody signs in as \(role.rawValue): make a token")
            }
            try options.write(.accounts(.changeRole(name: name, role)))
            print("\(name) is \(role.rawValue) now")
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets nobody in with an account; its sessions end.")

        @Argument var name: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            try options.write(.accounts(.disable(name: name)))
            print("\(name) is disabled")
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets somebody in again with an account.")

        @Argument var name: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            try options.write(.accounts(.enable(name: name)))
            print("\(name) is enabled")
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends every session of an account.")

        @Argument var name: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            try options.write(.accounts(.endSessions(name: name)))
            print("\(name) is signed out everywhere")
        }
    }
}

extension DatabaseOptions {
    /// Where browsers find the dashboard, as far as the coordinator's configuration says it: not for
    /// another database, nor of any free port, nor behind a proxy.
    fileprivate func dashboards() -> [String] {
        // What is told by it is done by now: a configuration that cannot be read is no reason to fail.
        guard let settings = try? coordinator.settings(), settings.http.port != 0,
            settings.http.trustedProxies.isEmpty,
            database.map({
                DatabaseLock.resolved($0) == DatabaseLock.resolved(settings.sites[0].database)
            }) ?? true
        else { return [] }
        let http = settings.http
        var hosts = [http.host]
        if ["0.0.0.0", "::"].contains(http.host) {
            hosts = http.hostNames + OwnAddresses.inPrivateNetworks() + ["127.0.0.1"]
        }
        return hosts.map { "http://\($0.contains(":") ? "[\($0)]" : $0):\(http.port)" }
    }
}

/// Roles as they are typed.
enum RoleText {
    static func read(_ text: String) throws -> Role {
        guard let role = Role(rawValue: text) else {
            let all = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw Exit(code: 64, text: "no role “\(text)”: there are \(all)")
        }
        return role
    }
}
