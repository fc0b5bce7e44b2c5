import Foundation

extension RunningSite {
    /// From now on everything goes through a broker that asks for passwords, with this ACL: nodes sign
    /// in by their ids, the coordinator as “coordinator”, and `watcher` may do anything.
    func secure(acl: String, more: [String] = []) throws {
        let users = site.nodes.map(\.0) + ["coordinator", "watcher"] + more
        let secured = try SecuredBroker(
            directory: directory, users: users.map { ($0, Self.password(of: $0)) },
            acl: acl + "\nuser watcher\ntopic readwrite #\n")
        for user in users {
            let file = try write(Self.password(of: user) + "\n", to: user + ".password")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
        self.secured = secured
        watcher = try Watcher(
            port: secured.port, username: "watcher", password: Self.password(of: "watcher"))
    }

    static func password(of user: String) -> String { "right-\(user)" }

    /// How a program reaches the broker.
    func brokerText(_ user: String) -> String {
        let port = encrypted?.port ?? secured?.port ?? broker.port
        let tls = encrypted.map { ", tls: {ca: \($0.authority)}" } ?? ""
        return "{host: 127.0.0.1, port: \(port)\(login(user))\(tls)}"
    }

    /// How a program signs in, from the comma on.
    func login(_ user: String) -> String {
        secured == nil ? "" : ", username: \(user), password_file: \(user).password"
    }
}
