import Ciphers
import NodeEngine
import Platform
import Settings
import SiteModel
import Wire

extension NodeKeys {
    /// Reads the keys of a node: from the section `keys` of its file, or from the file `keys_file`
    /// names, which has the same lists `irk` and `eid` at its top. Whichever holds keys, only its
    /// owner may read. No message repeats a key.
    package init(_ settings: inout SettingsReader, of file: String) {
        var keys = Reading()
        if settings.holds("keys") {
            Self.check(file, at: "keys", &settings)
            settings.section("keys") { keys.read(&$0) }
        }
        if let path = settings.pathIfPresent("keys_file"), !path.isEmpty {
            if settings.holds("keys") {
                settings.refuse("keys_file", "there are keys in this file already")
            }
            Self.check(path, at: "keys_file", &settings)
            do throws(SettingsError) {
                var inner = try SettingsReader(file: path, environment: [:])
                keys.read(&inner)
                try inner.finish()
            } catch {
                for fault in error.faults { settings.refuse("keys_file", "\(fault)") }
            }
        }
        self.init(
            resolving: keys.resolving, ephemeral: keys.ephemeral,
            cryptography: LibCrypto.cryptography)
    }

    /// What is regarded until the coordinator has spoken: the list `allow`, if there is one.
    package static func allowed(_ settings: inout SettingsReader) -> [Identity]? {
        guard settings.holds("allow") else { return nil }
        var seen: [Identity] = []
        return settings.list("allow", count: 1...NodePolicy.mostRules) { item in
            let text = item.word("identity")
            guard let identity = Identity(text: text) else {
                if !text.isEmpty {
                    item.refuse("identity", "expected an identity as in config/desired")
                }
                return Identity?.none
            }
            if seen.contains(where: { $0 == identity || $0.hides(identity) }) {
                item.refuse("identity", "is allowed already")
            }
            seen.append(identity)
            return identity
        }.compactMap(\.self)
    }

    private static func check(_ path: String, at key: String, _ settings: inout SettingsReader) {
        do {
            try Secret.checkIsPrivate(path)
        } catch {
            settings.refuse(key, "\(path): \(error)")
        }
    }

    /// Keys as they are read, with what must not occur twice.
    private struct Reading {
        var resolving: [Resolving] = []
        var ephemeral: [Ephemeral] = []

        mutating func read(_ section: inout SettingsReader) {
            var (labels, digits): (Set<ShortText>, Set<UInt32>) = ([], [])
            resolving = section.list("irk", count: 0...NodeKeys.most) { item in
                guard let (label, key) = Self.key(&item, .irk, &labels, &digits) else {
                    return Resolving?.none
                }
                return Resolving(label: label, key: key)
            }.compactMap(\.self)
            (labels, digits) = ([], [])
            ephemeral = section.list("eid", count: 0...NodeKeys.most) { item in
                let key = Self.key(&item, .eid, &labels, &digits)
                let clock = Self.clock(&item)
                guard let key, let clock else { return Ephemeral?.none }
                return Ephemeral(
                    label: key.label, key: key.key, exponent: clock.exponent, zero: clock.zero,
                    window: clock.window)
            }.compactMap(\.self)
        }

        private static func key(
            _ item: inout SettingsReader, _ purpose: KeyName.Purpose,
            _ labels: inout Set<ShortText>, _ digits: inout Set<UInt32>
        ) -> (label: ShortText, key: Identity.Bytes16)? {
            let id = item.word("id")
            let word = item.word("key")
            if id.isEmpty || word.isEmpty { return nil }
            guard case .label(let label)? = KeyName(text: id) else {
                item.refuse(
                    "id",
                    "expected 1 to \(KeyName.longestLabel) of a-z, 0-9 and -, but not eight"
                        + " hexadecimal digits")
                return nil
            }
            if !labels.insert(label).inserted { item.refuse("id", "\"\(id)\" is given twice") }
            guard let key = HexText.key(word) else {
                item.refuse("key", "expected 32 hexadecimal digits")
                return nil
            }
            guard key != Identity.Bytes16(high: 0, low: 0) else {
                item.refuse("key", "is zero, which stands for no key")
                return nil
            }
            let own = KeyName.digits(of: key, for: purpose, LibCrypto.cryptography)
            if !digits.insert(own).inserted { item.refuse("key", "is given twice") }
            return (label, key)
        }

        private static func clock(
            _ item: inout SettingsReader
        ) -> (exponent: UInt8, zero: Timestamp, window: Int)? {
            let exponent = item.int("exponent", in: 0...15)
            let zero = item.int("zero_s", in: 0...4_102_444_800)
            let period = 1 << exponent
            let window = item.int(
                "window_s", in: 0...Ephemeral.widest * period, default: 4 * period)
            guard !item.hasFaults else { return nil }
            return (
                UInt8(exponent), Timestamp(second: Int64(zero)), (window + period - 1) / period
            )
        }
    }
}
