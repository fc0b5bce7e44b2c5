/// What a pipeline has taken and refused since it started.
package struct Counts: Equatable, Sendable {
    /// Messages that arrived.
    package internal(set) var messages = 0
    /// Refused messages by reason.
    package private(set) var refused: [String: Int] = [:]

    package init(messages: Int = 0, refused: [String: Int] = [:]) {
        self.messages = messages
        self.refused = refused
    }

    /// Counts a refusal. The reasons are our own words, so there are few.
    package mutating func refuse(_ reason: String) { refused[reason, default: 0] += 1 }
}
