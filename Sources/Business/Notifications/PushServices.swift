import Foundation
import Records

/// Which push services messages are given to: those of the browsers that people have, and what the site's configuration
/// adds. Anybody may say any address, so that others are never asked: they may be inside the site's own network.
package struct PushServices: Equatable, Sendable {
    /// Names of hosts; with a dot before, of all below. Of Chrome and Edge, Firefox, Safari, Windows.
    private static let known = [
        "fcm.googleapis.com", "android.googleapis.com", ".push.services.mozilla.com",
        ".push.apple.com",
        ".notify.windows.com",
    ]

    /// Further origins, such as `https://push.example` or `http://127.0.0.1:8090`.
    private let more: Set<String>
    /// Whom a service may ask about what it is sent: an address of a page or of mail (RFC 8292 2.1).
    package let contact: String

    package init(more: [String] = [], contact: String = "mailto:beaconmesh@example.org") {
        self.more = Set(more)
        self.contact = contact
    }

    /// The origin of an address of a service that is asked, `nil` of every other.
    package func origin(of endpoint: String) -> String? {
        guard endpoint.utf8.count <= 2048,
            endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }),
            let parts = URLComponents(string: endpoint), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil,
            parts.password == nil
        else { return nil }
        let origin = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        if more.contains(origin) { return origin }
        guard scheme == "https", parts.port == nil || parts.port == 443 else { return nil }
        let isKnown = Self.known.contains { $0.hasPrefix(".") ? host.hasSuffix($0) : host == $0 }
        return isKnown ? "https://\(host)" : nil
    }
}

/// A browser that wants messages.
package struct NewPush: Equatable, Sendable {
    package var endpoint: String
    package var theirs: [UInt8]
    package var auth: [UInt8]
    package var language: String

    package init(endpoint: String, theirs: [UInt8], auth: [UInt8], language: String) {
        self.endpoint = endpoint
        self.theirs = theirs
        self.auth = auth
        self.language = language
    }
}
