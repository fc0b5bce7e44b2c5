/// A decision of the mesh: a fact, to be stored and then published, or a live state.
package enum Decision: Equatable, Sendable, Codable {
    /// To be stored, then told.
    case fact(Fact)
    /// To be told at once, and never stored.
    case live(Live)
}
