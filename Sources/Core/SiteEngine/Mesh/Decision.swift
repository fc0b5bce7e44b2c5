/// What the machines decided.
package enum Decision: Equatable, Sendable, Codable {
    /// To be stored, then told.
    case fact(Fact)
    /// To be told at once, and never stored.
    case live(Live)
}
