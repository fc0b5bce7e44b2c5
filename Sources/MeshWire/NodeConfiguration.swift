import MeshCore

/// What a node does and what it calls the beacons it knows: `config/desired` as a node understands
/// it.
public struct NodeConfiguration: Equatable, Sendable {
    /// Why a configuration was refused.
    public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        /// It cannot be read.
        case payload(PayloadError)
        /// Two beacons of one name.
        case sameName(String, revision: Int64)
        /// Two beacons of one identity.
        case sameIdentity(String, revision: Int64)
        /// A beacon that has another identity than its name says.
        case misleadingName(String, revision: Int64)

        /// The revision refused; 0 when even that could not be read.
        public var revision: Int64 {
            switch self {
            case .payload: 0
            case .sameName(_, let revision), .sameIdentity(_, let revision),
                .misleadingName(_, let revision):
                revision
            }
        }

        /// The fault, for people.
        public var description: String {
            switch self {
            case .payload(let error): Self.words(error)
            case .sameName(let name, _): "two beacons are called \(name)"
            case .sameIdentity(let identity, _): "two beacons are \(identity)"
            case .misleadingName(let name, _): "a beacon is called \(name) and is another one"
            }
        }

        private static func words(_ error: PayloadError) -> String {
            switch error {
            case .oversize(let limit): "more than \(limit) bytes"
            case .notJSON(let offset): "no JSON at byte \(offset)"
            case .tooDeep(let offset): "nested too deep at byte \(offset)"
            case .unreadableNumber(let offset): "an unreadable number at byte \(offset)"
            case .missing(let field): "\(field) is missing"
            case .wrongType(let field): "\(field.isEmpty ? "it" : field) is of the wrong type"
            case .outOfRange(let field): "\(field) is out of range"
            case .unknownValue(let field): "\(field) has an unknown value"
            }
        }
    }

    /// What to do.
    public var policy: NodePolicy
    /// The names of `policy.known`, index by index.
    public var slugs: [String]

    /// What a node does before it was ever told: it knows no beacon.
    public init(
        profile: NodePolicy.Profile, publishesUnregistered: Bool, maximumRange: Double
    ) {
        policy = NodePolicy(
            revision: 0, profile: profile, publishesUnregistered: publishesUnregistered,
            maximumRange: maximumRange, known: [])
        slugs = []
    }

    /// Checks a configuration that was decoded.
    public init(_ payload: NodeConfigurationPayload) throws(Refusal) {
        var names: Set<String> = []
        var identities: Set<Identity> = []
        for beacon in payload.beacons {
            guard names.insert(beacon.id).inserted else {
                throw .sameName(beacon.id, revision: payload.rev)
            }
            guard identities.insert(beacon.identity).inserted else {
                throw .sameIdentity(beacon.identity.text, revision: payload.rev)
            }
            // Unregistered transmitters go by the text of their identity, on the same topics.
            if let named = Identity(text: beacon.id), named != beacon.identity {
                throw .misleadingName(beacon.id, revision: payload.rev)
            }
        }
        policy = NodePolicy(
            revision: payload.rev, profile: payload.profile == .ranging ? .ranging : .sparse,
            publishesUnregistered: payload.publishUnregistered, maximumRange: payload.maxRangeM,
            floor: RSSI(dBm: payload.floorDbm),
            known: payload.beacons.map(\.identity))
        slugs = payload.beacons.map(\.id)
    }

    /// Reads a configuration as it came.
    public init(json: Span<UInt8>) throws(Refusal) {
        let payload: NodeConfigurationPayload
        do {
            payload = try NodeConfigurationPayload(json: json)
        } catch {
            throw .payload(error)
        }
        try self.init(payload)
    }

    /// The configuration as it goes out, or into a file.
    public var payload: NodeConfigurationPayload {
        NodeConfigurationPayload(
            rev: policy.revision, profile: policy.profile == .ranging ? .ranging : .sparse,
            publishUnregistered: policy.publishesUnregistered, maxRangeM: policy.maximumRange,
            floorDbm: policy.floor.dBm,
            beacons: zip(slugs, policy.known).map { .init(id: $0, identity: $1) })
    }
}
