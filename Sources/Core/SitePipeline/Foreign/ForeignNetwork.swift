import JSON
import SiteModel
import Wire

/// A network of scanners that are not ours, whose messages a coordinator may take in: what they
/// are, where they publish, and what we call them.
package struct ForeignNetwork: Equatable, Sendable, Codable {
    /// Whose firmware it is.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// ESPresense: `{root}/devices/{id}/{node}` and `{root}/rooms/{node}/…`.
        case espresense
        /// Theengs Gateway and OpenMQTTGateway: `{root}/{gateway}/BTtoMQTT/…`.
        case theengs

        /// What its topics usually start with.
        package var usualRoot: String {
            switch self {
            case .espresense: "espresense"
            case .theengs: "home"
            }
        }

        /// How far apart reports of a beacon are until that was learned: ESPresense tells of one
        /// that keeps still every 5 s (`skip_ms`); gateways scan and pause for 5 s each.
        package var cadence: Timestamp.Span {
            switch self {
            case .espresense: .seconds(5)
            case .theengs: .seconds(10)
            }
        }
    }

    /// The longest root, in bytes.
    package static let longestRoot = 128

    /// Whose firmware it is.
    package var kind: Kind
    /// What its topics start with, without the last slash.
    package var root: String
    /// Our slug of a node by its own name. A node that is not here has the same name in both.
    package var nodes: [String: String]
    /// Our slug of a beacon by what the network calls it, where that is no identity of ours.
    package var beacons: [String: String]

    package init(
        kind: Kind, root: String? = nil, nodes: [String: String] = [:],
        beacons: [String: String] = [:]
    ) {
        self.kind = kind
        self.root = root ?? kind.usualRoot
        self.nodes = nodes
        self.beacons = beacons
    }

    /// Whether topics may start with `root`: one to `longestRoot` bytes, no empty level, nothing
    /// that subscribes to more, and not our own tree.
    package static func isRoot(_ root: some StringProtocol) -> Bool {
        let levels = root.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return (1...longestRoot).contains(root.utf8.count)
            && levels.allSatisfy { !$0.isEmpty }
            && !root.utf8.contains { [0, UInt8(ascii: "+"), UInt8(ascii: "#")].contains($0) }
            && !levels[0].elementsEqual("mesh".utf8) && root.utf8.first != UInt8(ascii: "$")
    }

    /// What to subscribe to. Of ESPresense's rooms only what says that a node lives: their
    /// `known_irks` are keys, which we do not want to hear.
    package var filters: [String] {
        switch kind {
        case .espresense:
            ["\(root)/devices/+/+", "\(root)/rooms/+/status", "\(root)/rooms/+/telemetry"]
        case .theengs: ["\(root)/+/BTtoMQTT/#", "\(root)/+/LWT", "\(root)/+/SYStoMQTT"]
        }
    }

    /// Our slug of a node.
    package func slug(ofNode name: String) -> String { nodes[name] ?? name }

    /// Reads a message; `nil` if the topic is none of this network's.
    ///
    /// - Throws: Why the message is refused: count it by reason and go on.
    package func read(
        _ topic: String, _ payload: Span<UInt8>, isRetained: Bool
    ) throws(ForeignRefusal) -> ForeignReport? {
        guard topic.hasPrefix(root), topic.utf8.count <= Self.longestTopic else { return nil }
        let rest = topic.utf8.dropFirst(root.utf8.count)
        guard rest.first == UInt8(ascii: "/") else { return nil }
        // One more than any topic has, to tell those that are longer.
        let levels = rest.dropFirst().split(
            separator: UInt8(ascii: "/"), maxSplits: 4, omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        switch kind {
        case .espresense:
            return try ESPresense.read(levels, payload, isRetained: isRetained)
        case .theengs: return try Theengs.read(levels, payload, isRetained: isRetained)
        }
    }

    private static let longestTopic = 1024
}

/// What a message of another network says.
package struct ForeignReport: Equatable {
    enum Content: Equatable {
        /// The node heard a beacon at this level.
        case heard(ForeignName, RSSI)
        /// The node lives.
        case alive
        /// The node lived when this was said, which may be long ago.
        case known
        /// The node is gone.
        case gone
    }

    /// What the network calls the node.
    var node: String
    var content: Content
}

/// What a network says a transmitter is. The first that fits a registered beacon counts.
struct ForeignName: Equatable {
    /// What the network calls it.
    var name: String
    /// What it may be in our words, the most telling first.
    var identities: [Identity]
    /// What the transmitter calls itself, as far as the network says so.
    var shown: String? = nil
}

/// Why a message of another network was not taken in; counted by `reason`.
package enum ForeignRefusal: Error, Equatable {
    /// It is kept by the broker and therefore old.
    case retained
    /// A payload that cannot be read.
    case payload(PayloadError)

    /// As used for counting.
    var reason: String {
        switch self {
        case .retained: "retained"
        case .payload(let error): error.reason
        }
    }
}

extension ForeignRefusal {
    /// Reads the object a payload must be, of at most 8 KiB.
    static func object<Value>(
        _ json: Span<UInt8>, _ body: (JSONObject) throws(PayloadError) -> Value
    ) throws(ForeignRefusal) -> Value {
        do throws(PayloadError) {
            return try body(try JSONObject(document: json, limit: 8 * 1024))
        } catch {
            throw .payload(error)
        }
    }

    /// Reads the bare word that wills and statuses are.
    static func isOnline(_ payload: Span<UInt8>) throws(ForeignRefusal) -> Bool {
        if equal(payload, "online") { return true }
        if equal(payload, "offline") { return false }
        throw .payload(.unknownValue(field: "status"))
    }

    private static func equal(_ payload: Span<UInt8>, _ word: StaticString) -> Bool {
        guard payload.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { bytes in
            bytes.indices.allSatisfy { bytes[$0] == payload[$0] }
        }
    }
}
