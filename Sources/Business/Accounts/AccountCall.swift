import Permissions
import SiteModel

/// A change of accounts, sessions or tokens. It carries digests only, never a secret.
package enum AccountCall: Equatable, Sendable, Codable {
    /// The first owner of a site that has none.
    case claim(name: String, password: String)
    /// A new account, to be entered by an invitation.
    case invite(name: String, role: Role, user: String?, invitation: [UInt8], expires: Timestamp)
    /// Another invitation to an account, which ends its sessions, phones and password; that of the only owner
    /// who can sign in opens until it is accepted.
    case renew(name: String, invitation: [UInt8], expires: Timestamp)
    /// Sets the first password, or a new one; the invitation is used up.
    case accept(invitation: [UInt8], password: String)
    /// Ends the other sessions. Phones go on: nobody typed the password there.
    case setPassword(name: String, password: String, keeping: [UInt8]?)
    /// The same password, stored anew.
    case rehash(name: String, password: String)
    case changeRole(name: String, Role)
    case disable(name: String)
    case enable(name: String)
    case openSession(name: String, hash: [UInt8], instead: [UInt8]?)
    case endSession(hash: [UInt8])
    /// Everything that is signed in for an account: sessions, and the phones of its person.
    case endSessions(name: String)
    case addToken(
        name: String, hash: [UInt8], role: Role, scopes: [Scope], user: String?, expires: Timestamp?
    )
    case revokeToken(name: String)
    /// When sessions and tokens were last used.
    case touch(sessions: [Used], tokens: [Used])
    case share(user: String, Shared, Bool)

    /// When something with a digest was used.
    package struct Used: Equatable, Sendable, Codable {
        package var hash: [UInt8]
        package var at: Timestamp

        package init(hash: [UInt8], at: Timestamp) {
            self.hash = hash
            self.at = at
        }
    }
}

/// Why a change of accounts was refused. Nothing was written.
package struct AccountRefusal: Refusing, Equatable, Sendable, CustomStringConvertible {
    package var code: ProblemCode
    package var text: String

    package init(_ code: ProblemCode, _ text: String) {
        self.code = code
        self.text = text
    }
}
