import SiteModel

/// The secrets of a node: what resolves private addresses and changing names, and the cipher for it.
///
/// They come from the node's own file and leave it in no message; outside they go by `KeyName`.
package struct NodeKeys: Sendable {
    /// A key that resolves somebody's private addresses.
    package struct Resolving: Equatable, Sendable {
        /// What its holder calls it.
        package var label: ShortText
        /// The identity resolving key, most significant byte first.
        package var key: Identity.Bytes16

        /// A key and what to call it.
        package init(label: ShortText, key: Identity.Bytes16) {
            self.label = label
            self.key = key
        }
    }

    /// A key that makes the changing names of an Eddystone beacon.
    package struct Ephemeral: Equatable, Sendable {
        /// What its holder calls it.
        package var label: ShortText
        /// The identity key, most significant byte first.
        package var key: Identity.Bytes16
        /// The name changes every 2^exponent seconds.
        package let exponent: UInt8
        /// When the beacon's clock showed 0.
        package var zero: Timestamp
        /// How many periods its clock may differ, either way.
        package let window: Int

        /// The most periods either way.
        package static let widest = 32

        /// `nil` unless the exponent is in 0 ... 15, as the format has it, and the window in
        /// 0 ... `widest`.
        package init?(
            label: ShortText, key: Identity.Bytes16, exponent: UInt8, zero: Timestamp, window: Int
        ) {
            guard exponent <= 15, (0...Self.widest).contains(window) else { return nil }
            self.label = label
            self.key = key
            self.exponent = exponent
            self.zero = zero
            self.window = window
        }
    }

    /// The most keys of each kind.
    package static let most = 256

    /// Keys of private addresses. The first that fits counts.
    package let resolving: [Resolving]
    /// Keys of changing names.
    package let ephemeral: [Ephemeral]
    /// The cipher.
    package let cryptography: Cryptography
    /// The digits of each key, by place.
    private let resolvingDigits: [UInt32]
    private let ephemeralDigits: [UInt32]

    /// Keys, at most `most` of each kind; of two with one label the first counts.
    package init(resolving: [Resolving], ephemeral: [Ephemeral], cryptography: Cryptography) {
        precondition(max(resolving.count, ephemeral.count) <= Self.most, "too many keys")
        self.resolving = resolving
        self.ephemeral = ephemeral
        self.cryptography = cryptography
        resolvingDigits = resolving.map { KeyName.digits(of: $0.key, for: .irk, cryptography) }
        ephemeralDigits = ephemeral.map { KeyName.digits(of: $0.key, for: .eid, cryptography) }
    }

    /// Whether the key that `identity` asks for is here; `true` if it asks for none.
    package func hold(_ identity: Identity) -> Bool {
        switch identity {
        case .irk(let name): resolvingPlace(of: name) != nil
        case .eddystoneEID(let name): ephemeralPlace(of: name) != nil
        default: true
        }
    }

    /// What the owner of the key at a place of `resolving` is called if nobody registered them.
    package func ownName(resolving place: Int) -> Identity { .irk(.digits(resolvingDigits[place])) }

    /// What the beacon of the key at a place of `ephemeral` is called if nobody registered it.
    package func ownName(ephemeral place: Int) -> Identity {
        .eddystoneEID(.digits(ephemeralDigits[place]))
    }

    /// Where the key of a name stands in `resolving`.
    func resolvingPlace(of name: KeyName) -> Int? {
        switch name {
        case .digits(let digits): resolvingDigits.firstIndex(of: digits)
        case .label(let label): resolving.firstIndex { $0.label == label }
        }
    }

    /// Where the key of a name stands in `ephemeral`.
    func ephemeralPlace(of name: KeyName) -> Int? {
        switch name {
        case .digits(let digits): ephemeralDigits.firstIndex(of: digits)
        case .label(let label): ephemeral.firstIndex { $0.label == label }
        }
    }
}
