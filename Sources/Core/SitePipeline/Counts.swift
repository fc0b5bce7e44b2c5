import MeshCore

/// What a pipeline has taken and refused since it started.
public struct Counts: Equatable, Sendable {
    /// Messages that arrived.
    public internal(set) var messages = 0
    /// Refused messages by reason.
    public private(set) var refused: [String: Int] = [:]

    /// Counts a refusal. The reasons are our own words, so there are few.
    mutating func refuse(_ reason: String) { refused[reason, default: 0] += 1 }
}
