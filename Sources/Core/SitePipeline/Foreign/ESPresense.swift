import Basics
import JSON
import SiteModel
import Wire

/// Reads what ESPresense nodes publish.
///
/// `devices/{id}/{node}` tells the level of one device, every 5 s or sooner when it moves, without
/// time or number. `rssi` is smoothed over 15 s and has the node's own offset taken out; `distance`
/// and, in old firmware, `raw` are metres computed from it, which nobody here needs. The id on the
/// topic says what it is; `mac` is tried last, because it is the address of the moment.
enum ESPresense {
    /// Reads a message by the levels of its topic below the root.
    static func read(
        _ levels: [String], _ payload: Span<UInt8>, isRetained: Bool
    ) throws(ForeignRefusal) -> ForeignReport? {
        guard levels.count == 3, levels.allSatisfy({ !$0.isEmpty }) else { return nil }
        switch (levels[0], levels[2]) {
        case ("devices", let node):
            guard !isRetained else { throw .retained }
            return ForeignReport(node: node, content: try device(levels[1], payload))
        case ("rooms", "status"):
            let isOnline = try ForeignRefusal.isOnline(payload)
            // The retained word of a node that lives is no proof that it listens now.
            return ForeignReport(
                node: levels[1], content: isOnline ? (isRetained ? .known : .alive) : .gone)
        case ("rooms", "telemetry"):
            guard !isRetained else { throw .retained }
            try ForeignRefusal.object(payload) { _ in }
            return ForeignReport(node: levels[1], content: .alive)
        default: return nil
        }
    }

    private static func device(
        _ id: String, _ payload: Span<UInt8>
    ) throws(ForeignRefusal) -> ForeignReport.Content {
        let (level, address, shown) = try ForeignRefusal.object(payload) {
            (object) throws(PayloadError) in
            (
                try object.required("rssi", payload).level(payload),
                try object.optional("mac", payload)?.text(payload, limit: 64),
                // What is no name is none: the level counts all the same.
                try? object.optional("name", payload)?.text(payload, limit: 1024)
            )
        }
        let identities = [identity(id), address.flatMap(Self.address)].compactMap(\.self)
        return .heard(ForeignName(name: id, identities: identities, shown: shown), RSSI(dBm: level))
    }

    /// The identity an id of ESPresense stands for, if it is one of ours.
    static func identity(_ id: String) -> Identity? {
        if let address = address(id) { return address }
        guard let colon = id.firstIndex(of: ":") else { return nil }
        let rest = id[id.index(after: colon)...]
        switch id[..<colon] {
        case "iBeacon":
            return named(rest) { Identity(text: "ib-\($0)-\($1)-\($2)") }
        case "altBeacon":
            // Its 20 bytes are written like those of an iBeacon.
            return named(rest) {
                Identity(
                    text:
                        "ab-\($0)\(Hex.text(UInt64($1), count: 4))\(Hex.text(UInt64($2), count: 4))"
                )
            }
        case "eddy": return eddystone(rest)
        case "known": return address(rest)
        default: return nil
        }
    }

    /// `<uuid>-<major>-<minor>`, the UUID with dashes or, in old firmware, without.
    private static func named(
        _ text: Substring, _ make: (String, UInt16, UInt16) -> Identity?
    ) -> Identity? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let major = UInt16(parts[parts.count - 2]),
            let minor = UInt16(parts[parts.count - 1])
        else { return nil }
        return make(parts.dropLast(2).joined().lowercased(), major, minor)
    }

    /// `<namespace>-<instance>`. The firmware prints the fifth byte of the namespace twice.
    private static func eddystone(_ text: Substring) -> Identity? {
        let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var namespace = String(parts[0])
        if namespace.utf8.count == 22 {
            let (fifth, sixth) = (
                namespace.dropFirst(8).prefix(2), namespace.dropFirst(10).prefix(2)
            )
            guard fifth == sixth else { return nil }
            namespace = "\(namespace.prefix(10))\(namespace.dropFirst(12))"
        }
        return Identity(text: "eu-\(namespace)-\(parts[1])")
    }

    /// Twelve hexadecimal digits, in old firmware with colons.
    private static func address(_ text: some StringProtocol) -> Identity? {
        guard [12, 17].contains(text.utf8.count) else { return nil }
        return Identity(text: "mac-\(text.lowercased().filter { $0 != ":" })")
    }
}
