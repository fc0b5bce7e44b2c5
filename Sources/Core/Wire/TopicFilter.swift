/// An MQTT topic filter (MQTT 5, section 4.7): `+` stands for one level, `#` for all that follow
/// and for the level before it.
package struct TopicFilter: Hashable, Sendable {
    private let levels: [Substring]

    /// A filter, or `nil` if the text is none: empty, with a NUL, with `#` before the end, or with
    /// a wildcard that is not a level of its own.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        levels = text.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() where level.contains("+") || level.contains("#") {
            guard level == "+" || (level == "#" && index == levels.count - 1) else { return nil }
        }
    }

    /// Whether a topic matches. A topic that starts with `$` is not matched by a wildcard there.
    package func matches(_ topic: String) -> Bool {
        if topic.hasPrefix("$"), levels[0] == "+" || levels[0] == "#" { return false }
        return matches(levels: topic.split(separator: "/", omittingEmptySubsequences: false))
    }

    /// Whether the levels of a topic, or of the end of one, match.
    package func matches(levels parts: [Substring]) -> Bool {
        for (index, level) in levels.enumerated() {
            if level == "#" { return true }
            guard index < parts.count, level == "+" || level == parts[index] else { return false }
            let next = index + 1
            // “a/#” matches “a” too.
            if next == parts.count, next == levels.count - 1, levels[next] == "#" { return true }
        }
        return parts.count == levels.count
    }
}
