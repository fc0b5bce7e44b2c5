import BeaconDecoding
import JSON
import SiteModel
import Wire

/// A node's configuration: `config/desired` as the node understands it, with the slugs of its
/// beacons.
package struct NodeConfiguration: Equatable, Sendable {
    /// Why a configuration was refused.
    package enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        /// It cannot be read, apart perhaps from its revision.
        case payload(PayloadError, revision: Int64)
        /// Two beacons of one name.
        case sameName(String, revision: Int64)
        /// Two beacons of one identity.
        case sameIdentity(String, revision: Int64)
        /// A beacon that has another identity than its name says.
        case misleadingName(String, revision: Int64)
        /// A beacon whose rule never holds, because that of another one, which comes first, takes
        /// everything.
        case hidden(String, by: String, revision: Int64)
        /// More rules that must be tried one after the other than `NodePolicy.mostRules`.
        case tooManyRules(revision: Int64)
        /// Something allowed twice, or by a wider rule already.
        case sameAllowed(String, revision: Int64)

        /// The revision refused; 0 when even that could not be read.
        package var revision: Int64 {
            switch self {
            case .payload(_, let revision), .sameName(_, let revision),
                .sameIdentity(_, let revision), .misleadingName(_, let revision),
                .hidden(_, _, let revision), .tooManyRules(let revision),
                .sameAllowed(_, let revision):
                revision
            }
        }

        /// The fault, for people.
        package var description: String {
            switch self {
            case .payload(let error, _): error.words
            case .sameName(let name, _): "beacons: two beacons are called \(name)"
            case .sameIdentity(let identity, _): "beacons: two beacons are \(identity)"
            case .misleadingName(let name, _): "beacons: one is called \(name) and is another one"
            case .hidden(let name, let other, _):
                "beacons: \(name) could never be heard, \(other) comes first and takes all of it"
            case .tooManyRules: "beacons: more than \(NodePolicy.mostRules) masks and name patterns"
            case .sameAllowed(let identity, _): "allow: \(identity) is allowed already"
            }
        }
    }

    package var policy: NodePolicy
    /// The names of `policy.known`, index by index.
    package var slugs: [String]
    /// From which level on each of them is near, index by index, where that is not the default.
    /// Nodes do not decide by it yet.
    package var thresholds: [RSSI?]
    /// What sorts of strangers' devices are told of.
    package var rules: [NodeConfigurationPayload.Rule] = []

    /// From which level on a beacon is near if nothing else is said.
    package static let nearThreshold = RSSI(dBm: -60)

    /// What a node does before it was ever told: it knows no beacon.
    package init(
        profile: NodePolicy.Profile, publishesUnregistered: Bool, maximumRange: Double,
        allowed: [Identity]? = nil
    ) {
        policy = NodePolicy(
            revision: 0, profile: profile, publishesUnregistered: publishesUnregistered,
            maximumRange: maximumRange, known: [], allowed: allowed)
        slugs = []
        thresholds = []
    }

    /// Checks a configuration that was decoded.
    package init(_ payload: NodeConfigurationPayload) throws(Refusal) {
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
            if let named = Identity(text: beacon.id), named.isOwnName, named != beacon.identity {
                throw .misleadingName(beacon.id, revision: payload.rev)
            }
        }
        try Self.checkRules(of: payload)
        policy = NodePolicy(
            revision: payload.rev, profile: payload.profile == .ranging ? .ranging : .sparse,
            publishesUnregistered: payload.publishUnregistered, maximumRange: payload.maxRangeM,
            floor: RSSI(dBm: payload.floorDbm), known: payload.beacons.map(\.identity),
            allowed: payload.allow)
        slugs = payload.beacons.map(\.id)
        thresholds = payload.beacons.map { $0.thresholdDBm.map { RSSI(dBm: $0) } }
        rules = payload.detect ?? []
    }

    /// From which level on the beacon of an index is near.
    package func threshold(of index: Int) -> RSSI { thresholds[index] ?? Self.nearThreshold }

    private static func checkRules(of payload: NodeConfigurationPayload) throws(Refusal) {
        let identities = payload.beacons.map(\.identity)
        guard identities.count(where: \.isTriedInOrder) <= NodePolicy.mostRules else {
            throw .tooManyRules(revision: payload.rev)
        }
        if let hidden = Identity.hidden(in: identities) {
            throw .hidden(
                payload.beacons[hidden.place].id, by: payload.beacons[hidden.by].id,
                revision: payload.rev)
        }
        let allowed = payload.allow ?? []
        var seen: Set<Identity> = []
        let again =
            allowed.first { !seen.insert($0).inserted }
            ?? Identity.hidden(in: allowed).map { allowed[$0.place] }
        if let again { throw .sameAllowed(again.text, revision: payload.rev) }
    }

    /// Reads a configuration as it came.
    package init(json: Span<UInt8>) throws(Refusal) {
        let payload: NodeConfigurationPayload
        do {
            payload = try NodeConfigurationPayload(json: json)
        } catch {
            throw .payload(error, revision: Self.revision(json))
        }
        try self.init(payload)
    }

    /// The revision of what is otherwise of no use; 0 if there is none to be read.
    private static func revision(_ json: Span<UInt8>) -> Int64 {
        do {
            let object = try JSONObject(document: json, limit: NodeConfigurationPayload.limit)
            return try object.required("rev", json).integer(json, from: 1)
        } catch {
            return 0
        }
    }

    /// The configuration as it goes out, or into a file.
    package var payload: NodeConfigurationPayload {
        NodeConfigurationPayload(
            rev: policy.revision, profile: policy.profile == .ranging ? .ranging : .sparse,
            publishUnregistered: policy.publishesUnregistered, maxRangeM: policy.maximumRange,
            floorDbm: policy.floor.dBm,
            beacons: slugs.indices.map { index in
                .init(
                    id: slugs[index], identity: policy.known[index],
                    thresholdDBm: index < thresholds.count ? thresholds[index]?.dBm : nil)
            }, allow: policy.allowed, detect: rules.isEmpty ? nil : rules)
    }
}

extension DeviceRule {
    /// A rule as it is told to nodes, and as it stands in a row.
    package init(_ rule: NodeConfigurationPayload.Rule) {
        var conditions: [Condition] = []
        if let company = rule.company {
            conditions.append(.company(company, prefix: rule.companyData))
        }
        if let text = rule.namePrefix { conditions.append(.namePrefix(text)) }
        if let text = rule.nameContains { conditions.append(.nameContains(text)) }
        if let service = rule.service.flatMap({ ServiceUUID(text: $0) }) {
            conditions.append(.service(service))
        }
        if let vendor = rule.vendor { conditions.append(.vendor(vendor)) }
        if let appearance = rule.appearance { conditions.append(.appearanceCategory(appearance)) }
        self.init(
            id: rule.type, deviceClass: rule.type, confidence: rule.confidence,
            conditions: conditions)
    }
}
