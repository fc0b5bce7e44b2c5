/// What somebody does, as their phone or watch tells, or they by hand.
package enum ActivityKind: String, CaseIterable, Sendable, Codable {
    case walking
    case running
    case cycling
    /// In a vehicle.
    case driving
    /// Neither walking nor carried.
    case still
    case other
}
