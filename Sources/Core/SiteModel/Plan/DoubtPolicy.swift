/// Which doubts a site wants to hear of.
package struct DoubtPolicy: Hashable, Sendable, Codable {
    /// How long somebody may be present without ever being at a station where nothing is said.
    package static let usualInactive = Timestamp.Span.seconds(3600)

    /// What is never doubted here, of `Doubts.kinds`: a yoga studio turns `inactive` off. Sorted.
    package var off: [Review]
    /// How long somebody may be present without ever being at a station; `nil` for `usualInactive`.
    package var inactiveAfter: Timestamp.Span?

    /// A policy; everything is doubted unless said otherwise.
    package init(off: [Review] = [], inactiveAfter: Timestamp.Span? = nil) {
        self.off = off.sorted()
        self.inactiveAfter = inactiveAfter
    }
}
