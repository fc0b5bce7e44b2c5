import ActivityEngine
import Basics
import GRDB
import Reporting
import Scheduling
import SiteModel
import SiteStore

/// Steps that are made up, to show what the page is like: of a source of their own, in no CSV and no goal.
struct DemoSteps {
    /// What the source is called.
    static let source = "(demo)"
    /// The most days.
    static let mostDays = 365
    /// Somebody is up from and until these hours.
    private static let hours = 7...21

    /// The hours of so many days until now. The same seed, person and day give the same.
    static func samples(
        _ days: Int, until now: Timestamp, _ calendar: SiteCalendar, seed: UInt64, user: Int64
    ) -> [SentSample] {
        let today = calendar.local(now).date
        return (0..<Int64(days)).flatMap { back -> [SentSample] in
            let date = today + -back
            var random = SeededRandom(
                seed: seed ^ UInt64(bitPattern: user &* 1_000_003 &+ date.day))
            // Some days are lazy.
            let pace = Double.random(in: 0.3...1.4, using: &random)
            return hours.compactMap { hour -> SentSample? in
                let steps = Int64(pace * Double.random(in: 0...1300, using: &random))
                guard let time = LocalTime(minutes: hour * 60) else { return nil }
                let from = calendar.first(date, time)
                let to = from + .seconds(3600)
                guard to <= now else { return nil }
                return SentSample(
                    id: "demo-\(date)-\(hour)", source: source,
                    sample: ActivitySample(from: from, to: to, steps: steps))
            }
        }
    }

    /// Takes away what is made up: of somebody, or of everybody.
    static func remove(of user: Int64?, _ db: Database) throws {
        try db.run(
            """
            DELETE FROM activity_sample WHERE source IN
                (SELECT id FROM activity_source WHERE demo = 1 AND (?1 IS NULL OR user = ?1))
            """, [user])
        try db.run(
            "DELETE FROM activity_source WHERE demo = 1 AND (?1 IS NULL OR user = ?1)", [user])
    }
}
