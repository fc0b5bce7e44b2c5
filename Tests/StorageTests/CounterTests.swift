import Foundation
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// The numbers of rows are never given twice, whatever the stored counter says.
struct CounterTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    /// A row of each table that shares the counter.
    static let facts: [Fact] = [
        .session(Session(id: 41, user: ann, from: at(0), to: at(60))),
        .stay(Stay(id: 41, user: ann, place: .room(hall), from: at(0), to: at(60))),
        .workout(
            Workout(
                id: 41, user: ann, station: nil, state: .completed, from: at(0), to: at(60),
                pauses: [], pausedSince: nil)),
        .event(Event(id: 41, kind: .left, at: at(0), user: ann, place: nil, subject: 1)),
        .statement(
            Statement(
                id: 41, user: ann, kind: .checkIn, at: at(0), said: at(0), by: "kiosk",
                reason: nil)),
    ]

    private func site(next: Int64) -> Fact {
        .site(SiteRow(clock: at(60), next: next, coverage: [], clocks: []))
    }

    @Test(arguments: facts) func `a counter behind the rows goes on behind them`(fact: Fact) throws
    {
        try store.commit([fact, site(next: 1)])
        #expect(try store.load()?.saved.site.next == 42)
        try store.commit([site(next: 100)])
        #expect(try store.load()?.saved.site.next == 100, "never back")
    }

    @Test func `a claim counts, too`() throws {
        let workout = Workout(
            id: 1, user: ann, station: rack, state: .active, from: at(0), to: nil, pauses: [],
            pausedSince: nil)
        let claim = Claim(
            id: 41, station: rack, slot: 1, user: ann, workout: 1, from: at(0), to: nil)
        try store.commit([.workout(workout), .claim(claim), site(next: 2)])
        #expect(try store.load()?.saved.site.next == 42)
    }

    @Test func `rows count where no state was ever stored`() throws {
        try store.commit([Self.facts[0]])
        #expect(try store.texts("SELECT count(*) FROM site_state") == ["0"])
        #expect(try store.load()?.saved.site.next == 42)
    }

    @Test func `a number that leaves none behind it is damage`() throws {
        try scratch.execute(
            "INSERT INTO event (id, kind, at_ms, user, subject) "
                + "VALUES (9223372036854775807, 'left', 0, 1, 1)")
        guard case .corrupt(_, "bad event.id in row 9223372036854775807") = loadFault else {
            Issue.record("\(loadFault as Any)")
            return
        }
    }

    private var loadFault: StoreError? {
        do throws(StoreError) {
            _ = try store.load()
            return nil
        } catch {
            return error
        }
    }
}
