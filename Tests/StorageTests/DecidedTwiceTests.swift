import Foundation
import TestSupport
import Testing

@testable import Records
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// A correction is decided once: what was carried out is not refused afterwards, whoever carried it out.
struct DecidedTwiceTests {
    /// What is asked for, and what happened to the session before.
    enum Wish: CaseIterable {
        case add, times, remove
        /// Of a session that a correction had added.
        case timesOfAdded, removeAdded
        /// Of somebody who is retired by then.
        case addToRetired, timesOfRetired, removeOfRetired

        var isOfRetired: Bool {
            switch self {
            case .addToRetired, .timesOfRetired, .removeOfRetired: true
            case .add, .times, .remove, .timesOfAdded, .removeAdded: false
            }
        }
    }

    private let site: BooksSite
    private let now = BooksSite.now
    /// An hour of the tests' sessions.
    private let hour = 3600.0

    init() throws { site = try BooksSite() }

    /// A coordinator that starts from what is stored takes in what people decided.
    private func takeIn(at moment: Timestamp) throws {
        let (plan, _, saved) = try #require(try site.store.load())
        var mesh = Mesh(plan: plan, restoring: saved)
        var decisions: [Decision] = []
        mesh.handle(.overrides(try site.store.overrides()), at: moment, into: &decisions)
        mesh.handle(.tick, at: moment + .seconds(2), into: &decisions)
        try site.store.commit(
            decisions.compactMap { if case .fact(let fact) = $0 { fact } else { nil } })
    }

    private func setAside() throws -> [Int64] {
        try site.store.read { db in try OverrideTable.setAside(db) }
    }

    private func standing() throws -> [String] {
        try site.store.texts(
            """
            SELECT from_ms, to_ms FROM attendance_session
            WHERE user = \(cid.row) AND void = 0 ORDER BY from_ms
            """)
    }

    /// Approves a wish about an hour of Cid's that began `age` days ago.
    private func approve(_ wish: Wish, age: Double) throws -> Int64 {
        let from = now - .seconds(age * 86_400)
        let to = from + .seconds(hour)
        let addition = SessionChange.add(user: "u-cid", from: from, to: to)
        let session: Int64
        switch wish {
        case .add, .addToRetired: session = 0
        case .times, .remove, .timesOfRetired, .removeOfRetired:
            session = 50
            let hour = Session(id: session, user: cid, from: from, to: to)
            try site.store.commit([.session(hour)])
            try site.hear(hour)
        case .timesOfAdded, .removeAdded:
            session = Session.firstAdded + (try site.correct(addition).id)
            try takeIn(at: now)
        }
        if wish.isOfRetired {
            var gym = SiteDocument.gym
            gym.users.removeAll { $0.slug == "u-cid" }
            gym.beacons.removeAll { $0.user == "u-cid" }
            try SiteImport(site.store).importDocument(gym, at: now)
        }
        try takeIn(at: now)
        switch wish {
        case .add, .addToRetired: return try site.correct(addition).id
        case .times, .timesOfAdded, .timesOfRetired:
            return try site.correct(
                .times(session, revision: nil, from: from, to: to - .seconds(600))
            ).id
        case .remove, .removeAdded, .removeOfRetired:
            return try site.correct(.remove(session, revision: nil)).id
        }
    }

    @Test(arguments: [0.2, 1, 2, 2.8, 3.2, 4, 6, 20], Wish.allCases)
    func `what was carried out is not refused afterwards`(age: Double, wish: Wish) throws {
        let id = try approve(wish, age: age)
        // Before the machines know of it, as they learn of it, and after they have started again.
        for hours in [0, 0.001, 1, 30, 71] {
            if hours > 0 { try takeIn(at: now + .seconds(hours * 3600)) }
            let before = try site.rows()
            #expect(try setAside() == [], "\(hours) hours later")
            #expect(
                try site.code(.refuse(id, reason: "no"), at: now + .seconds(hours * 3600 + 5))
                    == "bad_state", "\(hours) hours later")
            #expect(try site.rows() == before)
        }
        #expect(try Corrections(site.store).all().first { $0.id == id }?.state == .approved)
        let isThere = wish != .remove && wish != .removeAdded && wish != .removeOfRetired
        #expect(try standing().count == (isThere ? 1 : 0))
        #expect(try AuditTrail(site.store).verify().fault == nil)
    }

    @Test(arguments: [2.0, 2.8, 6, 20])
    func `a lock by force refuses nothing that was carried out`(age: Double) throws {
        let id = try approve(.timesOfAdded, age: age)
        // Somebody decides something else, which the machines do not know yet.
        _ = try site.ask(.excuse(node: "n-hall", reason: "stolen"))
        guard
            case .lock(let lock) = try site.ask(
                .lock(
                    through: "2025-11-06", boundary: now - .seconds(40 * hour), reason: "paid",
                    force: true))
        else {
            Issue.record("no lock")
            return
        }
        #expect(lock.forcedOver?.corrections ?? [] == [])
        #expect(try Corrections(site.store).all().first { $0.id == id }?.state == .approved)
    }

    @Test
    func `what is set aside may still be refused, and what was withdrawn for it stands again`()
        throws
    {
        let id = try site.correct(
            .times(1, revision: nil, from: at(3600), to: now - .seconds(7300))
        ).id
        #expect(try site.store.texts("SELECT void FROM attendance_session WHERE id = 1") == ["1"])
        // The machines leave it out (`SetAside`).
        var left = try site.store.overrides()
        left.amendments = []
        try site.store.commit([.overrides(left)])
        #expect(try setAside() == [id])
        #expect(try site.code(.approve(id, reason: "yes")) == "bad_state")
        #expect(try site.code(.refuse(id, reason: "no")) == nil)
        #expect(
            try site.store.texts("SELECT from_ms, to_ms, void FROM attendance_session WHERE id = 1")
                == ["\(at(3600).milliseconds) \(at(7200).milliseconds) 0"])
        #expect(try setAside() == [])
        #expect(try AuditTrail(site.store).verify().fault == nil)
    }

    /// Does two calls at once, each on its own thread; the codes of the refusals, `nil` for what was done.
    private static func together(_ calls: [BooksCall], in store: Store) async -> [String?] {
        await withTaskGroup(of: (Int, String?).self) { group in
            for (place, call) in calls.enumerated() {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(returning: (place, Self.code(call, store)))
                        }
                    }
                }
            }
            var codes = calls.map { _ in String?.none }
            for await (place, code) in group { codes[place] = code }
            return codes
        }
    }

    private static func code(_ call: BooksCall, _ store: Store) -> String? {
        let result = Result {
            try Books(store).perform(call, by: "mia", via: .rest, at: BooksSite.now).get()
        }
        switch result {
        case .success: return nil
        case .failure(let error): return (error as? BooksRefusal)?.code.rawValue ?? "\(error)"
        }
    }

    @Test func `of two decisions at once one holds, and the books say which`() async throws {
        try takeIn(at: now)
        for round in 0..<(TestLength.isLong ? 400 : 100) {
            let from = now - .seconds(6 * 86_400 + Double(round) * 60)
            let to = from + .seconds(30)
            let id = try site.request(.add(user: "u-cid", from: from, to: to)).id
            let codes = await Self.together(
                [.approve(id, reason: "yes"), .refuse(id, reason: "no")], in: site.store)
            #expect(codes.count { $0 == nil } == 1, "round \(round): \(codes)")
            #expect(codes.compactMap(\.self) == ["bad_state"], "round \(round)")
            let state = try Corrections(site.store).all(most: 1).map(\.state)
            #expect(state == [codes[0] == nil ? .approved : .refused], "round \(round)")
            #expect(
                try site.store.texts(
                    """
                    SELECT count(*) FROM attendance_session
                    WHERE from_ms = \(from.milliseconds) AND void = 0
                    """) == [codes[0] == nil ? "1" : "0"], "round \(round)")
        }
        #expect(try AuditTrail(site.store).verify().fault == nil)
    }
}
