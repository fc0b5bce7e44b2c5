import Accounts
import Operations
import Permissions
import Records
import SiteModel
import SiteStore

// Who signs in, and what people let others see of themselves.

extension Operation {
    static let accounts = [
        Operation(
            "account-list", "/api/v1/accounts", .accounts, "Everybody who can sign in, by name.",
            .of(Nothing.self), answer: .rows("accounts")
        ) { _, caller, store in
            try AccountLine.all(store, at: caller.moment)
        },
        Operation(
            "account-invite", .post, "/api/v1/accounts", .accounts,
            "Makes an account; the answer has its invitation, shown once.", .of(NewAccount.self),
            answer: .added, refusals: [.alreadyExists, .notFound], isShownOnce: true
        ) { new, caller, store in
            var invitation = Invitation(to: new.name, at: caller.moment)
            if new.role == .member, new.user == nil {
                invitation.note =
                    "\(new.name) is nobody who is registered, and will see rooms and stations only"
            }
            try caller.perform(
                .invite(
                    name: new.name, role: new.role, user: new.user,
                    invitation: OneTimeSecret.hash(of: invitation.secret),
                    expires: invitation.expires), in: store)
            return invitation
        },
        Operation(
            "account-show", "/api/v1/accounts/{name}", .accounts, "One account.", .of(Named.self),
            answer: .row, refusals: [.notFound]
        ) { account, caller, store in
            try AccountLine.one(account.name, store, at: caller.moment)
        },
        Operation(
            "account-change", .patch, "/api/v1/accounts/{name}", .accounts,
            "Changes the role, or lets nobody in any more; the sessions end with it.",
            .of(AccountChange.self), answer: .row, refusals: [.notFound, .badState]
        ) { change, caller, store in
            _ = try AccountLine.one(change.name, store, at: caller.moment)
            if let role = change.role {
                try caller.perform(.changeRole(name: change.name, role), in: store)
            }
            if let isDisabled = change.isDisabled {
                try caller.perform(
                    isDisabled ? .disable(name: change.name) : .enable(name: change.name),
                    in: store)
            }
            return try AccountLine.one(change.name, store, at: caller.moment)
        },
        Operation(
            "account-recover", .post, "/api/v1/accounts/{name}/invitation", .accounts,
            "Another invitation, for who forgot the password; ends it and the sessions. "
                + "The only owner's password opens until the invitation is accepted.",
            .of(Named.self), answer: .added, refusals: [.notFound], isShownOnce: true
        ) { account, caller, store in
            _ = try AccountLine.one(account.name, store, at: caller.moment)
            let invitation = Invitation(to: account.name, at: caller.moment)
            try caller.perform(
                .renew(
                    name: account.name, invitation: OneTimeSecret.hash(of: invitation.secret),
                    expires: invitation.expires), in: store)
            return invitation
        },
        Operation(
            "account-sign-out", .delete, "/api/v1/accounts/{name}/sessions", .accounts,
            "Signs somebody out everywhere.", .of(Named.self), answer: .nothing,
            refusals: [.notFound]
        ) { account, caller, store in
            _ = try AccountLine.one(account.name, store, at: caller.moment)
            try caller.perform(.endSessions(name: account.name), in: store)
        },
        Operation(
            "sharing-show", "/api/v1/users/{id}/sharing", .sharing, about: .member("id"),
            "What somebody lets others see.", .of(OfPerson.self), answer: .row,
            refusals: [.notFound]
        ) { person, _, store in
            try SharingLine(of: person.user, store)
        },
        Operation(
            "sharing-set", .put, "/api/v1/users/{id}/sharing", .sharing, about: .member("id"),
            "Lets others see something of somebody, or not; what is left out stays as it is.",
            .of(SharingWish.self), answer: .row, refusals: [.notFound],
            // What is taken back is taken in any case.
            isEnding: { $0.place == false || $0.training == false }, renames: true
        ) { wish, caller, store in
            _ = try SharingLine(of: wish.user, store)
            for (part, isShared) in [(Shared.place, wish.place), (.training, wish.training)] {
                guard let isShared else { continue }
                try caller.perform(.share(user: wish.user, part, isShared), in: store)
            }
            return try SharingLine(of: wish.user, store)
        },
    ]
}

extension Caller {
    fileprivate func perform(_ call: AccountCall, in store: Store) throws {
        _ = try Accounts(store).perform(call, by: name, via: via, at: moment)
    }
}

private struct AccountLine: OperationOutput {
    var account: Account
    var sessions: Int

    static let members: [Member<AccountLine>] = [
        .needed("name", .anyText, \.account.name), .needed("role", .word, \.account.role),
        .optional("user", .slug, \.account.user), .needed("made_ms", .time, \.account.made),
        .optional("signed_in_ms", .time, \.account.signedIn),
        .optional("disabled_ms", .time, \.account.disabled),
        .optional("invited_until_ms", .time, \.account.invitedUntil),
        .needed("has_password", .flag, \.account.hasPassword),
        .needed("sessions", .count, \.sessions),
    ]

    static func all(_ store: Store, at now: Timestamp) throws -> [AccountLine] {
        let all = try Accounts(store).all()
        return all.accounts.map { account in
            let open = all.sessions.count {
                $0.account == account.id && now < $0.end(account.role)
            }
            return AccountLine(account: account, sessions: open)
        }
    }

    static func one(_ name: String, _ store: Store, at now: Timestamp) throws -> AccountLine {
        guard let line = try all(store, at: now).first(where: { $0.account.name == name }) else {
            throw AccountRefusal(.notFound, "there is no such account")
        }
        return line
    }
}

private let signingIn = Role.allCases.filter(\.signsIn)

private struct NewAccount: OperationInput {
    var name = ""
    var role = Role.member
    var user: String?

    static let members: [Member<NewAccount>] = [
        .needed("name", .text(1...64), \.name),
        .needed("role", .word(among: signingIn), \.role),
        .optional("user", .reference("users"), \.user, "Whose it is."),
    ]
}

private struct AccountChange: OperationInput {
    var name = ""
    var role: Role?
    var isDisabled: Bool?

    static let members: [Member<AccountChange>] = [
        .needed("name", .anyText, \.name),
        .optional("role", .word(among: signingIn), \.role),
        .optional("disabled", .flag, \.isDisabled),
    ]
}

/// What an account is entered by, once.
package struct Invitation: OperationOutput {
    /// How long it can be used.
    package static let days = 7

    var name: String
    var secret: String
    var path: String
    var expires: Timestamp
    /// What whoever invites should know.
    var note: String?

    init(to name: String, at now: Timestamp) {
        self.name = name
        secret = OneTimeSecret.make()
        path = "/signin#invite=\(secret)"
        expires = now + .seconds(Double(Self.days) * 86_400)
    }

    package static let members: [Member<Invitation>] = [
        .needed("name", .anyText, \.name), .needed("invitation", .anyText, \.secret),
        .needed("path", .anyText, \.path), .needed("expires_ms", .time, \.expires),
        .optional("note", .anyText, \.note, "What whoever invites should know."),
    ]
}

private struct SharingLine: OperationOutput {
    var place: Bool
    var training: Bool

    static let members: [Member<SharingLine>] = [
        .needed("shares", .flag, \.place, "Members see where they are."),
        .needed("training", .flag, \.training, "Trainers see what they train."),
    ]

    init(of user: String, _ store: Store) throws {
        guard try Books(store).userID(user) != nil else {
            throw AccountRefusal(.notFound, "there is no such user")
        }
        let sharing = try Accounts(store).all().sharing
        place = sharing[.place]?.contains(user) ?? false
        training = sharing[.training]?.contains(user) ?? false
    }
}

private struct SharingWish: OperationInput {
    var user = ""
    var place: Bool?
    var training: Bool?

    static let members: [Member<SharingWish>] = [
        .needed("id", .reference("users"), \.user),
        .optional("shares", .flag, \.place, "Members see where they are."),
        .optional(
            "training", .flag, \.training, "Trainers see what they train, also from before."),
    ]
}
