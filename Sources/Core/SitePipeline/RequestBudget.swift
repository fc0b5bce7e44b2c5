import Permissions
import SiteModel

/// How much one client may still ask for over MQTT. Holds no clock: the time is passed in.
struct RequestBudget: Sendable {
    /// So many requests at once, and then one in so long: nobody at a door or a phone is faster.
    static let burst = Allowance(most: 100, pause: .milliseconds(100))
    /// And so many within a day, as over HTTP: each answer is a row.
    static let day = Allowance(
        most: Int64(Principal.mostRequestsADay),
        pause: .milliseconds(86_400_000 / Int64(Principal.mostRequestsADay)))

    /// A number of requests of which one comes back in each `pause`.
    struct Allowance: Sendable {
        let most: Int64
        let pause: Timestamp.Span

        /// When all of them are back, after one more is used at `now`; `nil` if none is left. `full`: when
        /// they would be, without it.
        func taken(_ full: Timestamp, at now: Timestamp) -> Timestamp? {
            let next = max(full, now) + pause
            return (next - now).milliseconds <= most * pause.milliseconds ? next : nil
        }
    }

    private var burstFull = Timestamp(milliseconds: 0)
    private var dayFull = Timestamp(milliseconds: 0)

    /// Uses one request. Whether there was one.
    mutating func take(at now: Timestamp) -> Bool {
        guard let burst = Self.burst.taken(burstFull, at: now),
            let day = Self.day.taken(dayFull, at: now)
        else { return false }
        (burstFull, dayFull) = (burst, day)
        return true
    }
}
