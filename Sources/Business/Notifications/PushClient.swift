import Ciphers
import SiteModel

/// Carries a message to a push service, once, and says what came of it.
package struct PushClient: Sendable {
    /// So long a service keeps what the browser does not fetch, in seconds.
    private static let life = 3600
    /// And so long what is of no use later: a slot is kept for two minutes.
    private static let pressingLife = 120
    /// So long a mark is good, in seconds; services take a day at most.
    private static let markLife: Int64 = 12 * 3600

    private let services: PushServices
    private let key: PushKey

    package init(_ services: PushServices, key: PushKey) {
        self.services = services
        self.key = key
    }

    /// Seals and posts. Blocks for at most `WebhookClient.patience`, on a thread of its own.
    package func carry(_ text: [UInt8], to push: Push, at now: Timestamp) -> DeliveryOutcome {
        // An address that is of no service any more is as gone as a browser that is.
        guard let origin = services.origin(of: push.endpoint),
            let body = WebPush.sealed(text, for: push.theirs, auth: push.auth)
        else { return .answered(410) }
        let isPressing = push.notice?.kind.isPressing ?? false
        let mark = WebPush.authorization(
            key, origin: origin, contact: services.contact,
            until: now.milliseconds / 1000 + Self.markLife)
        return Curl.run(sending: body) { file in
            """
            url = "\(push.endpoint)"
            data-binary = "@\(file)"
            header = "Content-Type: application/octet-stream"
            header = "Content-Encoding: aes128gcm"
            header = "TTL: \(isPressing ? Self.pressingLife : Self.life)"
            header = "Urgency: \(isPressing ? "high" : "normal")"
            header = "Authorization: \(mark)"
            user-agent = "beaconmesh/\(CoreVersion.text)"
            proto = "=http,https"
            noproxy = "localhost,127.0.0.0/8,::1"
            max-time = \(WebhookClient.patience)
            max-filesize = 65536
            output = "/dev/null"
            write-out = "%{http_code} %{errormsg}"
            globoff
            silent

            """
        }
    }
}
