import SiteModel

/// Blinks the light of a Raspberry Pi that usually shows its card at work, so that a person finds the
/// box. Where there is none, or it may not be used, nothing happens.
package struct IdentifyLED: Sendable {
    /// What the light is called, by the age of the system.
    private static let names = ["ACT", "led0"]

    private let directories: [String]
    /// What drove the light before, and when it is to again.
    private var before: (directory: String, trigger: String, until: Timestamp)?

    /// A light at rest. `root` stands before every path, for tests.
    package init(root: String = "") {
        directories = Self.names.map { "\(root)/sys/class/leds/\($0)" }
    }

    /// Begins to blink. Whether there is a light to do it with.
    package mutating func begin(until end: Timestamp) -> Bool {
        if let before {
            self.before?.until = max(before.until, end)
            return true
        }
        for directory in directories {
            // The one that drives it stands in brackets among all there are.
            guard let triggers = SystemFile.line(directory + "/trigger"),
                let trigger = triggers.split(separator: " ").first(where: { $0.hasPrefix("[") }),
                SystemFile.write("timer", to: directory + "/trigger")
            else { continue }
            _ = SystemFile.write("100", to: directory + "/delay_on")
            _ = SystemFile.write("100", to: directory + "/delay_off")
            before = (directory, String(trigger.dropFirst().dropLast()), end)
            return true
        }
        return false
    }

    /// Ends when it is time to, or at once.
    package mutating func tick(at now: Timestamp, isLeaving: Bool = false) {
        guard let before, isLeaving || now >= before.until else { return }
        _ = SystemFile.write(before.trigger, to: before.directory + "/trigger")
        self.before = nil
    }
}
