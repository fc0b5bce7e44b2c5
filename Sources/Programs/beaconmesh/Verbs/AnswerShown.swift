import ArgumentParser
import Basics
import BrokerAccess
import Foundation
import Platform
import Registry
import SiteStore
import SiteClient
import SiteService

extension BooksOptions {
    /// Prints what an operation answered; throws 5 if something was tried and not taken.
    func show(_ json: [UInt8], of operation: SiteService.Operation) throws {
        let answer = try AnswerText(json, of: operation)
        let text = String(decoding: json, as: UTF8.self)
        let row = operation.answer.contains { $0.name == "path" } ? try SiteTree(json: text) : .null
        guard let path = row["path"]?.string else {
            Swift.print(self.json ? text : answer.text)
            // What was tried and not taken is no success to a script.
            if answer.isFailed { throw ExitCode(5) }
            return
        }
        let addresses = place.dashboards().map { $0 + path }
        guard !self.json else {
            var row = row
            row.set("urls", .list(addresses.map { .text($0) }))
            return Swift.print(row.json)
        }
        Swift.print(answer.text)
        Swift.print(addresses.isEmpty ? "below the address of the dashboard:" : "to be opened:")
        Swift.print(addresses.isEmpty ? path : addresses.joined(separator: "\n"))
        // What another device is to open is long to type there.
        let other = addresses.first { URL(string: $0)?.host.map(Loopback.isHost) == false }
        if let code = other.flatMap({ QRCode($0) }) { Swift.print("\n" + code.text) }
    }
}

extension DatabaseOptions {
    /// Where browsers find the dashboard, as far as the coordinator's configuration says it: not for
    /// another database, nor of any free port, nor behind a proxy.
    func dashboards() -> [String] {
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
