import Accounts
import ArgumentParser
import Basics
import Operations
import Permissions
import Platform
import SiteClient
import SiteService

enum AccountOperations: OperationGroup {
    static let name = "account"
    static let abstract = "Lists, invites, changes and signs out accounts."
    static let command = "rows"
    static let beside = ["recover"]
}

/// `beaconmesh account`: who signs in on the page, and as what.
struct AccountVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Lists, invites, changes and recovers accounts.",
        discussion: """
            Nobody is given a password: `invite` and `recover` print a link that is good once, for a \
            week, and whoever opens it chooses one. Where no configuration says it, put the address of the \
            dashboard before it.

            beaconmesh account recover ada                    # the first owner, or one who forgot
            beaconmesh account invite grace --role trainer --user u-3fvx7d
            beaconmesh account change grace disabled=true
            """,
        subcommands: [OperationVerb<AccountOperations>.self, Recover.self],
        defaultSubcommand: OperationVerb<AccountOperations>.self)

    struct Recover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Prints a new invitation, ends password and sessions; makes the first owner.",
            discussion: "The only owner's password opens until the invitation is accepted.")

        @Argument(help: "The account; on a site without one the first owner gets this name.")
        var name: String = "owner"

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let isFirst = try options.read { try Accounts($0).all().accounts.isEmpty }
            let operation = SiteService.Operation.named(
                isFirst ? "account-invite" : "account-recover")
            guard let operation else { preconditionFailure("accounts are invited") }
            let typed = [(name: "name", value: name)]
            let role = isFirst ? [(name: "role", value: Role.owner.rawValue)] : []
            let json = try options.place.perform(
                operation, as: options.asker, typed + role
            ) { typed, _ in typed }
            try options.show(json, of: operation)
        }
    }
}
