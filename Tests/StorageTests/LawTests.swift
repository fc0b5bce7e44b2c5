import Foundation
import TestSupport
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// Law 1: what the store loads is the sum of the facts it was given.
struct LawTests {
    @Test(arguments: TestLength.seeds(of: 200)) func `the store loads the sum of all facts`(
        seed: UInt64
    ) throws {
        let scratch = try Scratch()
        var store = try scratch.store()
        var history = History(seed: seed)
        var random = SeededRandom(seed: seed &+ 1000)
        var saved = Saved()
        var waiting: [Fact] = []
        var greatest: Int64 = 0
        for _ in 0..<8 {
            for _ in 0..<12 { waiting += history.step() }
            // Cut anywhere, also between facts that were decided together.
            let batch = waiting.prefix(Int.random(in: 1...waiting.count, using: &random))
            try store.commit(Array(batch))
            for fact in batch {
                saved.apply(fact)
                greatest = max(greatest, fact.number ?? 0)
            }
            // Cut off there, the counter is behind the rows it counted.
            saved.site.next = max(saved.site.next, greatest + 1)
            waiting.removeFirst(batch.count)
            if Int.random(in: 0...3, using: &random) == 0 {
                store.close()
                store = try Store(path: scratch.path)
            }
            let loaded = try #require(try store.load())
            #expect(loaded.saved == saved, "seed \(seed)")
        }
        #expect(!saved.sessions.isEmpty || !saved.stays.isEmpty || !saved.answers.isEmpty)
        store.close()
        #expect(try Store(path: scratch.path).load()?.saved == saved, "seed \(seed), reopened")
    }

    @Test func `committing the same facts again changes nothing`() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var history = History(seed: 7)
        let facts = (0..<40).flatMap { _ in history.step() }
        try store.commit(facts)
        let tables = ["attendance_session", "stay", "workout", "workout_pause", "event"]
        let before = try tables.map { try store.texts("SELECT * FROM \($0)") }
        let events = facts.filter { if case .event = $0 { true } else { false } }
        #expect(!events.isEmpty)
        try store.commit(events)
        try store.commit(facts.suffix(1))
        #expect(try tables.map { try store.texts("SELECT * FROM \($0)") } == before)
    }

    @Test func `tables keep what the saved state forgets`() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let old = Session(id: 1, user: ann, from: at(0), to: at(60))
        let new = Session(id: 2, user: ann, from: at(400_000), to: at(400_060))
        let site = SiteRow(clock: at(400_100), next: 3, coverage: [], clocks: [])
        try store.commit([.session(old), .session(new), .site(site)])
        #expect(try store.load()?.saved.sessions == [new])
        #expect(try store.texts("SELECT session_id FROM v_session") == ["1", "2"])
    }

    @Test func `a withdrawn session does not bring a forgotten one back`() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var last = Session(id: 2, user: ann, from: at(400_000), to: at(400_060))
        let site = SiteRow(clock: at(400_100), next: 3, coverage: [], clocks: [])
        try store.commit([
            .session(Session(id: 1, user: ann, from: at(0), to: at(60))), .session(last),
            .site(site),
        ])
        last.isVoid = true
        try store.commit([.session(last)])
        #expect(try store.load()?.saved.sessions == [])
    }

    @Test func `a claim may come before its workout, but not without it`() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let claim = Claim(
            id: 1, station: rack, slot: 1, user: ann, workout: 2, from: at(0), to: nil)
        let workout = Workout(
            id: 2, user: ann, station: rack, state: .active, from: at(0), to: nil, pauses: [],
            pausedSince: nil)
        #expect(
            throws: StoreError.refused(constraint: "FOREIGN KEY constraint failed", fact: nil)
        ) { try store.commit([.claim(claim)]) }
        try store.commit([.claim(claim), .workout(workout)])
        #expect(try store.load()?.saved.claims == [claim])
    }
}
