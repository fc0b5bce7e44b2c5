/// What a node is told to do: `config/desired` without its slugs.
package struct NodePolicy: Equatable, Sendable, Codable {
    /// How much a node tells.
    package enum Profile: String, Sendable, Codable, CaseIterable {
        /// A frame a second, readings as they change: for locating.
        case ranging
        /// No frames, a reading every 30 s: for “is it there”, over thin lines.
        case sparse
    }

    /// Grows with each change; 0 is what a node does before it was ever told.
    package var revision: Int64
    /// How much to tell.
    package var profile: Profile
    /// Whether transmitters nobody registered are told too, or only counted.
    package var publishesUnregistered: Bool
    /// Beacons that seem farther away are not heard, in metres, positive. The estimate is
    /// `PathLoss`; it is made for iBeacon, AltBeacon and Eddystone, each reading for itself.
    package var maximumRange: Double
    /// Of registered beacons, seconds whose strongest level is less are no evidence.
    package var floor: RSSI
    /// The registered beacons. The index is the place in the wire's list of slugs; of two equal
    /// ones the first counts.
    package var known: [Identity]
    /// What is regarded at all beside the registered beacons; `nil` for everything.
    package var allowed: [Identity]?

    /// The floor where nothing else is said.
    package static let presetFloor = RSSI(dBm: -95)
    /// How far away a beacon may seem where nobody says otherwise, in metres: so that the neighbours'
    /// tags do not count.
    package static let usualRange = 20.0
    /// The most beacons of a policy.
    package static let mostKnown = 4096
    /// The most identities of `allowed`, and of `known` that are tried in order: see
    /// `Identity.isTriedInOrder`. Each may cost every advertisement a comparison.
    package static let mostRules = 256

    package init(
        revision: Int64, profile: Profile, publishesUnregistered: Bool, maximumRange: Double,
        floor: RSSI = NodePolicy.presetFloor, known: [Identity], allowed: [Identity]? = nil
    ) {
        self.revision = revision
        self.profile = profile
        self.publishesUnregistered = publishesUnregistered
        self.maximumRange = maximumRange
        self.floor = floor
        self.known = known
        self.allowed = allowed
    }
}
