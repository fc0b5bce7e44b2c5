import SiteModel

/// Compares how long a transmitter says it has run with the time that passed: two of them cannot tell
/// one story, and a restarted one begins from nothing.
struct UptimeWatch: Sendable {
    /// Clocks of tags run this much wrong at most, in parts.
    static let drift = 0.05
    /// And what they say is this old at most.
    static let slack = Timestamp.Span.seconds(60)
    /// How often it must agree before it is believed to be a clock: some tags count something else.
    static let lessons = 3

    private var last: (uptime: Timestamp.Span, at: Timestamp)?
    private var fits = 0

    /// It said how long it has run. Returns whether another transmitter says so.
    mutating func heard(_ uptime: Timestamp.Span, at now: Timestamp) -> Bool {
        defer { last = (uptime, now) }
        guard let last, now > last.at else { return false }
        let passed = (now - last.at).seconds
        let slack = Self.slack.seconds + passed * Self.drift
        let error = uptime.seconds - last.uptime.seconds - passed
        if abs(error) <= slack {
            // Right only where it could have been wrong.
            if passed > 0, uptime != last.uptime { fits = min(fits + 1, Self.lessons) }
            return false
        }
        // Restarted since.
        guard uptime.seconds > passed + slack else { return false }
        return fits >= Self.lessons
    }
}
