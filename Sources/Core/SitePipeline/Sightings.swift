import SiteModel

/// Unregistered devices shown on the page, forgotten a minute after they were last heard.
struct Sightings: Sendable {
    static let life: Int64 = 60_000
    static let limit = 2048

    private var heard: [String: Int64] = [:]
    private var looked: Int64 = 0

    /// Notes that `topic` was heard. `false` if there is no room for another one.
    mutating func saw(_ topic: String, at now: Timestamp) -> Bool {
        guard heard[topic] != nil || heard.count < Self.limit else { return false }
        heard[topic] = now.milliseconds
        return true
    }

    /// The topics not heard for a minute, sorted; looked up at most every five seconds.
    mutating func expired(at now: Timestamp) -> [String] {
        guard now.milliseconds - looked >= 5000 else { return [] }
        looked = now.milliseconds
        let old = heard.filter { now.milliseconds - $0.value > Self.life }.keys.sorted()
        for topic in old { heard[topic] = nil }
        return old
    }
}
