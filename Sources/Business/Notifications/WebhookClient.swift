import Basics
import Ciphers
import Foundation
import SiteModel

/// Carries a notification to a webhook, once, and says what came of it.
package struct WebhookClient: Sendable {

    package init() {}
    /// The longest time of one attempt, in seconds.
    package static let patience = 10

    /// Signs and posts. Blocks for at most `patience`, on a thread of its own.
    package func carry(_ delivery: Delivery, at now: Timestamp) -> DeliveryOutcome {
        let body = delivery.notice.payload.json
        return Curl.run(
            Self.configuration(
                url: delivery.url, body: body, id: delivery.notice.payload.id,
                signature: Signature.value(secret: delivery.secret, at: now, body: body)))
    }

    /// What curl is told, on its standard input: neither addresses nor secrets may stand in the list
    /// of processes. No redirects: an address is what somebody entered.
    package static func configuration(
        url: String, body: [UInt8], id: String, signature: String
    ) -> String {
        """
        url = \(Curl.quoted(url))
        data-binary = \(Curl.quoted(String(decoding: body, as: UTF8.self)))
        header = "Content-Type: application/json"
        header = \(Curl.quoted("Beaconmesh-Id: \(id)"))
        header = \(Curl.quoted("\(Signature.header): \(signature)"))
        user-agent = "beaconmesh/\(CoreVersion.text)"
        proto = "=http,https"
        noproxy = "localhost,127.0.0.0/8,::1"
        max-time = \(patience)
        max-filesize = 65536
        output = "/dev/null"
        write-out = "%{http_code} %{errormsg}"
        globoff
        silent

        """
    }
}
