import Basics
import Scheduling
import Testing

@testable import SiteEngine
@testable import SiteModel

/// A wait ends with the business day of the site, by the clocks of its zone, and with no other midnight.
struct QueueDayTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let zone: TimeZoneTable
        let dayStart: String
        /// When somebody begins to wait, and when the site's next day begins, in hours UTC of 15 January or July.
        let date: String
        let joined: Double
        let end: Double

        var testDescription: String { "\(zone.name) \(dayStart), from \(date) \(joined)" }
    }

    static let cases = [
        // Over midnight of UTC, and over local midnight, before the day begins.
        Case(zone: Zones.newYork, dayStart: "04:00", date: "2026-01-15", joined: 23, end: 33),
        Case(zone: Zones.newYork, dayStart: "04:00", date: "2026-01-15", joined: 4, end: 9),
        Case(zone: Zones.newYork, dayStart: "00:00", date: "2026-01-15", joined: 23, end: 29),
        Case(zone: Zones.berlin, dayStart: "04:00", date: "2026-07-15", joined: 21, end: 26),
        Case(zone: Zones.kolkata, dayStart: "00:00", date: "2026-01-15", joined: 17, end: 18.5),
        Case(zone: .utc, dayStart: "00:00", date: "2026-01-15", joined: 22, end: 24),
    ]

    private let ann = MeshSite.users[0]
    private let ben = MeshSite.users[1]

    private func told(_ mesh: inout Mesh, _ input: Input, _ at: Timestamp) {
        var made: [Decision] = []
        mesh.handle(input, at: at, into: &made)
    }

    private func ask(_ mesh: inout Mesh, _ verb: Request.Verb, _ at: Timestamp) {
        let id = "\(at.milliseconds)-\(verb.user?.row ?? 0)"
        told(
            &mesh,
            .request(Request(client: "kiosk", id: id, name: "asked", verb: verb)), at)
    }

    /// Ann trains at the bench and Ben waits for it from a moment on. She says every hour that she does, or her
    /// workout would be abandoned.
    private func waiting(_ it: Case, _ overrides: Overrides?) -> Mesh {
        var mesh = Mesh(plan: MeshSite.plan(), restoring: Saved())
        let joined = Zones.moment(it.date, it.joined)
        if let overrides { told(&mesh, .overrides(overrides), joined - .seconds(60)) }
        ask(&mesh, .training(ann, .start(MeshSite.bench)), joined - .seconds(2))
        ask(&mesh, .queue(ben, .join, MeshSite.bench), joined)
        return mesh
    }

    private func overrides(_ it: Case) throws -> Overrides {
        let start = try #require(LocalTime(it.dayStart))
        return Overrides(
            revision: 0,
            duties: Duties(
                zones: [.init(from: Timestamp(milliseconds: 0), table: it.zone)], dayStart: start))
    }

    private func isWaiting(_ mesh: Mesh) -> Bool {
        mesh.saved.waits.contains { $0.user == ben && $0.ended == nil }
    }

    @Test(arguments: Self.cases)
    func `a wait ends when the site's day begins, and not before`(_ it: Case) throws {
        var mesh = waiting(it, try overrides(it))
        var hour = it.joined + 1
        while hour < it.end {
            ask(&mesh, .training(ann, .pause), Zones.moment(it.date, hour))
            #expect(isWaiting(mesh), "\(hour)")
            hour += 1
        }
        told(&mesh, .tick, Zones.moment(it.date, it.end) - .milliseconds(1))
        #expect(isWaiting(mesh))
        told(&mesh, .tick, Zones.moment(it.date, it.end))
        #expect(!isWaiting(mesh))
    }

    /// Of a day that has just begun nobody takes the slot of yesterday's offer.
    @Test func `who asks first in a new day finds no wait of the day before`() throws {
        let it = Self.cases[1]
        var mesh = waiting(it, try overrides(it))
        let end = Zones.moment(it.date, it.end)
        ask(&mesh, .training(ann, .complete()), end - .seconds(30))
        #expect(isWaiting(mesh))
        ask(&mesh, .queue(ben, .accept, MeshSite.bench), end)
        #expect(!isWaiting(mesh) && mesh.saved.workouts.allSatisfy { $0.workout.user == ann })
    }

    @Test func `a restart goes by the site's clocks from its first input on`() throws {
        let it = Self.cases[0]
        let old = waiting(it, nil)
        var mesh = Mesh(plan: MeshSite.plan(), restoring: old.saved)
        told(&mesh, .overrides(try overrides(it)), Zones.moment(it.date, 25))
        #expect(isWaiting(mesh))
    }
}
