import Basics
import Ciphers
import Foundation
import GRDB

/// What stands in the place of an address that is forgotten: the same device has the same, and nobody finds the address by it.
struct AddressDigest {
    private let secret: [UInt8]

    /// By the key of the database; `nil`: somebody took that away, and without it nothing is hidden.
    init?(_ db: Database) throws {
        guard let secret = try Data.fetchOne(db, sql: "SELECT secret FROM detection_key") else {
            return nil
        }
        self.secret = Array(secret)
    }

    /// Of an address, or of what stands in its place already.
    func text(of address: String) -> String {
        guard !address.hasPrefix("x-") else { return address }
        return "x-\(Hex.text(SHA256.code(of: Array(address.utf8), key: secret).prefix(8)))"
    }
}
