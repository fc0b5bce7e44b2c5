import Basics
import BeaconDecoding
import SiteModel
import Synchronization
import Wire

/// What nodes tell of every advertisement while somebody looks through one of them on the page.
///
/// Each time somebody asks, the lease of their node is said anew; it ends by itself when nobody asks any more. What
/// identifies strangers' devices is withheld here, too: others may have asked the node for it.
package final class RawLooks: Sendable {
    /// What is asked of a node.
    struct Lease: Equatable {
        /// Another one for each look, and for each hour of a long one: a node gives none a longer time.
        var id: String
        var until: Timestamp
        var isRedacted: Bool
    }

    /// What came since a number.
    struct Heard {
        var lease: Lease
        /// By number, oldest first.
        var advertisements: [(number: Int64, raw: RawPayload)] = []
        /// What was left out by the node since its lease began, because there was too much.
        var leftOut: Int64 = 0
        /// Whether the lease has to be said anew.
        var isDue = false
    }

    /// So long a lease lasts after somebody asked.
    static let length = Timestamp.Span.seconds(30)
    /// So often it is said anew.
    private static let renewal = Timestamp.Span.seconds(10)
    /// So long one id is good for: an hour is the most that a node gives.
    private static let longest = Timestamp.Span.seconds(3000)
    /// So many are kept of a node.
    private static let most = 400
    /// So many nodes are looked through at once.
    private static let mostNodes = 16

    private struct Look {
        var lease: Lease
        var begun: Timestamp
        /// Until when somebody wants all of it.
        var wholeUntil: Timestamp?
        var said: Timestamp?
        var advertisements: [(number: Int64, raw: RawPayload)] = []
        var next: Int64
        var leftOut: Int64 = 0
    }

    private let looks = Mutex<[String: Look]>([:])
    /// Mixed into what stands for an address that is withheld.
    private let secret = UInt64.random(in: .min ... .max)

    package init() {}

    /// Takes what a node told; nothing where nobody looks through it.
    package func take(_ node: String, _ payload: Span<UInt8>, at now: Timestamp) {
        guard looks.withLock({ $0[node].map { $0.lease.until > now } ?? false }),
            let raw = try? RawPayload(json: payload)
        else { return }
        looks.withLock { looks in
            guard var look = looks[node] else { return }
            look.advertisements.append((look.next, raw))
            look.next += 1
            look.leftOut = raw.leftOut
            // By halves, so that not each one moves all.
            if look.advertisements.count > 2 * Self.most {
                look.advertisements.removeFirst(look.advertisements.count - Self.most)
            }
            looks[node] = look
        }
    }

    /// What came of a node since a number, and prolongs its lease; `nil` if too many nodes are looked through.
    func ask(_ node: String, after number: Int64, isRedacted: Bool, at now: Timestamp) -> Heard? {
        let heard: Heard? = looks.withLock { looks in
            for (name, look) in looks where look.lease.until <= now { looks[name] = nil }
            guard looks[node] != nil || looks.count < Self.mostNodes else { return nil }
            var look = looks[node] ?? Self.look(at: now)
            if now - look.begun >= Self.longest || now < look.begun {
                let fresh = Self.look(at: now)
                (look.lease.id, look.begun, look.said) = (fresh.lease.id, now, nil)
            }
            if !isRedacted { look.wholeUntil = now + Self.length }
            let withholds = look.wholeUntil.map { $0 <= now } ?? true
            let isDue =
                look.said.map { now - $0 >= Self.renewal || now < $0 } ?? true
                || look.lease.isRedacted != withholds
            look.lease.until = now + Self.length
            look.lease.isRedacted = withholds
            if isDue { look.said = now }
            looks[node] = look
            return Heard(
                lease: look.lease,
                advertisements: Array(
                    look.advertisements.filter { $0.number > number }.suffix(Self.most)),
                leftOut: look.leftOut, isDue: isDue)
        }
        guard var heard, isRedacted else { return heard }
        heard.advertisements = heard.advertisements.map { ($0.number, redacted($0.raw)) }
        return heard
    }

    /// Nobody looks through a node any more. Whoever does asks again within a second.
    func end(_ node: String) { looks.withLock { $0[node] = nil } }

    /// Numbers go on from the clock, so that those of another look are lower.
    private static func look(at now: Timestamp) -> Look {
        let id = "page-" + HexText.text(UInt64.random(in: .min ... .max), bytes: 8)
        return Look(
            lease: Lease(id: id, until: now, isRedacted: true), begun: now,
            next: max(1, now.milliseconds * 1000))
    }

    /// As a node redacts: no address that changes, and data of beacons only.
    private func redacted(_ raw: RawPayload) -> RawPayload {
        var raw = raw
        switch raw.addrType {
        case .rpa, .nrpa, .reserved:
            if let address = HexText.address(raw.addr) {
                let number = UInt16(truncatingIfNeeded: SplitMix64.mixed(address &+ secret) >> 48)
                raw.addr = "xxxxxxxx" + HexText.text(number, bytes: 2)
            }
        case .public, .randomStatic, .publicIdentity, .randomIdentity, .anonymous: break
        }
        if let data = raw.data,
            AdvertisingContents(data.span, sender: nil, keys: RawRoutes.noKeys).beacons.isEmpty
        {
            raw.data = nil
        }
        return raw
    }
}
