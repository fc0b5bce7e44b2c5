import Basics
import BeaconDecoding
import SiteModel

/// Leave to tell every advertisement, for a while.
package struct DebugLease: Equatable, Sendable {
    /// The longest a lease lasts, whatever it says.
    package static let longest = Timestamp.Span.seconds(3600)
    /// The most advertisements a second.
    package static let mostPerSecond = 200

    /// What its viewer calls it.
    package var id: String
    /// When it ends.
    package var until: Timestamp
    /// The most advertisements a second, 1 ... `mostPerSecond`.
    package var perSecond: Int
    /// Whether what identifies strangers' devices is withheld.
    package var isRedacted: Bool

    package init(id: String, until: Timestamp, perSecond: Int, isRedacted: Bool) {
        self.id = id
        self.until = until
        self.perSecond = perSecond
        self.isRedacted = isRedacted
    }
}

/// One advertisement as it was heard, for a debug lease.
package struct RawAdvertisement: Equatable, Sendable {
    /// An address, or what stands for it.
    package enum Sender: Equatable, Sendable {
        /// The address itself.
        case address(UInt64)
        /// A number that stands for the same address as long as the process runs and says nothing
        /// about it.
        case withheld(UInt16)
    }

    /// Counts the advertisements told since the start of the process, from 1.
    package var sequence: Int64
    /// When it was heard.
    package var at: Timestamp
    /// Who sent it.
    package var sender: Sender
    /// The two highest bits of the address, which tell the kinds of random ones apart.
    package var randomKind: UInt8
    /// What the controller says about it; its address is 0 if that is withheld.
    package var report: AdvertisingReport
    /// The AD structures, or `nil` if they are withheld.
    package var data: [UInt8]?
    /// Advertisements left out since the lease began.
    package var leftOut: Int
}

/// The raw stream of a node: runs only under a lease, and never faster than that allows.
struct RawTap: Equatable, Sendable {
    /// The lease under way.
    private(set) var lease: DebugLease?
    /// Advertisements told since the start of the process.
    private(set) var sent = 0
    /// Advertisements left out since the start of the process.
    private(set) var leftOut = 0
    /// Drawn at random and kept secret: what `withheld` numbers are made with.
    private let secret: UInt64
    /// The last lease heard of, and when it ends at the latest: told again, it does not begin anew.
    private var newest: (id: String, end: Timestamp)?
    private var leftOutBefore = 0
    /// Thousandths of advertisements that may be told now.
    private var allowance: Int64 = 0
    private var refilledAt: Timestamp

    init(secret: UInt64, at now: Timestamp) {
        self.secret = secret
        refilledAt = now
    }

    static func == (a: RawTap, b: RawTap) -> Bool {
        a.lease == b.lease && a.sent == b.sent && a.leftOut == b.leftOut
            && a.allowance == b.allowance && a.refilledAt == b.refilledAt
    }

    /// Begins, changes or ends a lease.
    mutating func grant(_ lease: DebugLease?, at now: Timestamp) {
        guard var lease else {
            self.lease = nil
            return
        }
        precondition((1...DebugLease.mostPerSecond).contains(lease.perSecond))
        let end = newest?.id == lease.id ? newest?.end ?? now : now + DebugLease.longest
        newest = (lease.id, end)
        lease.until = min(lease.until, end)
        guard now < lease.until else {
            self.lease = nil
            return
        }
        if self.lease?.id != lease.id {
            leftOutBefore = leftOut
            allowance = Int64(lease.perSecond) * 1000
            refilledAt = now
        }
        self.lease = lease
    }

    /// Ends the lease if its time is over.
    mutating func expire(at now: Timestamp) {
        if let lease, now >= lease.until { self.lease = nil }
    }

    /// What is to be told of an advertisement, if anything.
    mutating func take(
        _ report: AdvertisingReport, _ data: Span<UInt8>, at now: Timestamp
    ) -> RawAdvertisement? {
        guard let lease, now < lease.until else { return nil }
        // A second's worth may come at once. Times may run backwards a little; nothing is lost.
        let most = Int64(lease.perSecond) * 1000
        let elapsed = min(max(0, (now - refilledAt).milliseconds), 1000)
        allowance = min(most, allowance + elapsed * Int64(lease.perSecond))
        refilledAt = max(refilledAt, now)
        guard allowance >= 1000 else {
            leftOut += 1
            return nil
        }
        allowance -= 1000
        sent += 1
        let isHidden =
            lease.isRedacted && report.addressKind == .random
            && report.fixedAddress == nil
        var shown = report
        if isHidden { shown.address = 0 }
        return RawAdvertisement(
            sequence: Int64(sent), at: now,
            sender: isHidden ? .withheld(number(of: report.address)) : .address(report.address),
            randomKind: UInt8(truncatingIfNeeded: report.address >> 46 & 3), report: shown,
            data: !lease.isRedacted || Self.isBeacon(data) ? Self.copy(data) : nil,
            leftOut: leftOut - leftOutBefore)
    }

    /// Sixteen bits of an address mixed with the secret: few enough that many addresses share them.
    private func number(of address: UInt64) -> UInt16 {
        UInt16(truncatingIfNeeded: SplitMix64.mixed(address &+ secret) >> 48)
    }

    private static func isBeacon(_ data: Span<UInt8>) -> Bool {
        !AdvertisingContents(data, sender: nil, keys: noKeys).beacons.isEmpty
    }

    /// Formats are told apart without opening what is sealed.
    private static let noKeys = DecodingKeys(
        cryptography: Cryptography(encrypt: { block, _ in block }, open: { _, _ in nil }))

    private static func copy(_ data: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count)
        for index in data.indices { bytes.append(data[index]) }
        return bytes
    }
}
