import Accounts
import BrokerAccess
import Platform
import SiteModel
import SiteStore

/// How phones of the same network come to the demonstration: its addresses there, and an invitation for
/// its owner.
struct LANDoor {
    private let addresses: [String]
    private let secret: String

    /// Invites an owner to the site of a database. Throws an `Exit` with 69 without a network.
    init(to database: String) throws {
        addresses = OwnAddresses.inPrivateNetworks()
        guard !addresses.isEmpty else {
            throw Exit(
                code: 69, text: "--lan: this machine has no address in a private network")
        }
        secret = OneTimeSecret.make()
        let store = try Store(path: database)
        defer { store.close() }
        let now = AnchoredClock().now
        try Accounts(store).perform(
            .invite(
                name: "demo", role: .owner, user: nil,
                invitation: OneTimeSecret.hash(of: secret), expires: now + .seconds(7 * 86_400)),
            by: "demo", via: .cli, at: now)
    }

    /// Lines below the one of the dashboard: what a phone opens, and how it signs in.
    func lines(port: Int) -> String {
        let links = addresses.map { "http://\($0):\(port)/signin#invite=\(secret)" }
        return "\n  on phones  " + links.joined(separator: "\n             ")
            + "\n             (good once: choose a password; then sign in as demo)"
            + (links.first.flatMap { QRCode($0) }.map { "\n\n\($0.text)" } ?? "")
    }
}
