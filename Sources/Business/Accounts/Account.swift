import Ciphers
import Permissions
import SiteModel

/// Somebody who signs in.
package struct Account: Equatable, Sendable {
    /// Its row.
    package var id: Int64
    /// What they sign in with, and what the audit calls them: 1 to 64 of a-z, 0-9, `.`, `_` and `-`.
    package var name: String
    package var role: Role
    /// The slug of the person it belongs to, or `nil`.
    package var user: String?
    package var made: Timestamp
    package var signedIn: Timestamp?
    /// Since when it lets nobody in, or `nil` while it does.
    package var disabled: Timestamp?
    /// Whether a password is set.
    package var hasPassword: Bool
    /// Until when it can be entered by invitation, or `nil`.
    package var invitedUntil: Timestamp?

    /// Who asks when this account does.
    package var principal: Principal { Principal(name: "account:\(name)", role: role, user: user) }

    /// Whether a text may be an account's or a token's name.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
                    || $0 == 0x5F
            }
    }

    /// Why a password will not do, in words that follow “The password”, or `nil`.
    package static func fault(in password: String, of name: String) -> String? {
        if password.count < 10 { return "needs at least 10 characters" }
        if password.utf8.count > 256 { return "is longer than 256 bytes" }
        if Set(password.lowercased()).count < 4 { return "has too few different characters" }
        let (letters, own) = (plain(password), plain(name))
        if !own.isEmpty, letters.contains(own), letters.count < own.count + 6 {
            return "is little more than the name"
        }
        if PasswordPattern.pieces(of: password) < PasswordPattern.fewest {
            return """
                is made of what is guessed first (keys in a row, digits in order, a common word or year, \
                a piece that comes again): take a few words that do not belong together
                """
        }
        return nil
    }

    /// Letters and digits alone.
    private static func plain(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

/// A session of the page.
package struct WebSession: Equatable, Sendable {
    /// SHA-256 of the cookie's value.
    package var hash: [UInt8]
    /// The account's row.
    package var account: Int64
    package var made: Timestamp
    /// When it was last used, to a minute.
    package var seen: Timestamp

    /// How long a session lasts unused, and at all, in seconds: for who can change wages a working
    /// day and a week, for everybody else two weeks and a season.
    package static func limits(_ role: Role) -> (idle: Double, whole: Double) {
        let (hour, day) = (3600.0, 86_400.0)
        return role.isPrivileged ? (12 * hour, 7 * day) : (14 * day, 90 * day)
    }

    /// When it ends if it is not used any more.
    package func end(_ role: Role) -> Timestamp {
        let limits = Self.limits(role)
        return min(seen + .seconds(limits.idle), made + .seconds(limits.whole))
    }
}

/// What a program signs in with.
package struct Token: Equatable, Sendable {
    /// What every token begins with, and no secret of a session.
    package static let prefix = "bm_"

    package var id: Int64
    /// What people call it.
    package var name: String
    /// SHA-256 of the token.
    package var hash: [UInt8]
    package var role: Role
    package var scopes: Set<Scope>
    /// The slug of the person it speaks for, or `nil`.
    package var user: String?
    package var made: Timestamp
    package var expires: Timestamp?
    /// When it was last used, to a minute.
    package var used: Timestamp?
    package var revoked: Timestamp?

    package var principal: Principal {
        Principal(name: "token:\(name)", role: role, user: user, scopes: scopes)
    }

    /// Whether people made it for a phone of theirs, which sends what they walk.
    package var isPhone: Bool { scopes.contains(where: \.isPersonal) }

    /// Whether it opens anything.
    package func isValid(at now: Timestamp) -> Bool {
        revoked == nil && expires.map { now < $0 } ?? true
    }
}

/// A secret that is shown once: 256 random bits.
package enum OneTimeSecret {
    /// 43 characters that may stand in an address.
    package static func make() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String((0..<43).map { _ in letters[Int.random(in: 0..<64)] })
    }

    /// What is kept of it.
    package static func hash(of secret: String) -> [UInt8] { SHA256.digest(of: Array(secret.utf8)) }
}
