import Accounts
import Activities
import ActivityEngine
import Foundation
import GRDB
import Operations
import Permissions
import Platform
import Records
import SiteModel
import SiteStore
import Testing
import WebServer

@testable import SiteService

/// How much people may store within a day.
struct RowBudgetTests {
    private let site: ReportSite
    private let desk: WriteDesk
    private let member = Visitor(
        Principal(name: "account:ann", role: .member, user: "u-ann"), by: .place)
    private let owner = Visitor(
        Principal(name: "account:ada", role: .owner, user: "u-ann"), by: .place)

    init() throws {
        site = try ReportSite()
        desk = WriteDesk(
            store: site.store, mailbox: LoopMailbox(), clock: AnchoredClock(),
            directory: AccountDirectory(), feed: LiveFeed())
    }

    /// Writes while a thread in the place of loop and store does what lies on the mailbox.
    private func writing(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [desk, store = site.store] in
                while !Task.isCancelled {
                    for case .write(let write) in desk.mailbox.bell.take() where write.begin() {
                        var result: Result<String, any Error>?
                        if write.storing == .together {
                            try store.inOneTransaction {
                                result = Result { try write.work(store) }
                                return false
                            }
                        } else {
                            result = Result { try write.work(store) }
                        }
                        if let result { write.reply(result) }
                    }
                    try? await Task.sleep(for: .milliseconds(2))
                }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func code(_ write: SiteWrite, by visitor: Visitor) async -> ProblemCode? {
        do {
            _ = try await desk.perform(write, for: RouteRequest(visitor: visitor))
            return nil
        } catch { return (error as? RouteProblem)?.code }
    }

    private func code(
        _ name: String, _ given: Given, by visitor: Visitor
    ) async throws -> ProblemCode? {
        let operation = try #require(SiteService.Operation.named(name))
        do {
            _ = try await Executor(desk, once: Replays(desk)).perform(
                operation, given, by: RouteRequest(visitor: visitor).caller)
            return nil
        } catch { return (error as? RouteProblem)?.code }
    }

    private static func samples(_ count: Int, from start: Int64 = 0) -> SiteWrite {
        let sent = (start..<start + Int64(count)).map { number in
            let from = Timestamp(milliseconds: 1_760_000_000_000 + number * 60_000)
            return SentSample(
                id: "s\(number)", source: "phone",
                sample: ActivitySample(from: from, to: from + .seconds(60), steps: 9))
        }
        return .activity(.samples(user: "u-ann", sent))
    }

    @Test func `a day's rows come back evenly, and one write may go beyond them`() throws {
        let budget = RowBudget()
        let start = ContinuousClock.now
        #expect(budget.wait(.samples, of: "u-ann", at: start) == nil)
        budget.use(RowBudget.aDay - 1, .samples, of: "u-ann", at: start)
        #expect(budget.wait(.samples, of: "u-ann", at: start) == nil)
        budget.use(RowBudget.aDay, .samples, of: "u-ann", at: start)
        let wait = try #require(budget.wait(.samples, of: "u-ann", at: start))
        #expect(abs(wait - 86_400) < 5)
        #expect(budget.wait(.samples, of: "u-ann", at: start + .seconds(wait)) == nil)
        #expect(budget.wait(.requests, of: "u-ann", at: start) == nil, "each has its own")
        #expect(budget.wait(.samples, of: "u-bob", at: start) == nil, "and everybody")
        #expect(throws: RouteProblem.self) { try budget.check(.samples, of: "u-ann", at: start) }
        try budget.check(.samples, of: nil, at: start)
    }

    @Test func `only what is stored is counted, and what ends something is always taken`()
        async throws
    {
        try await writing {
            desk.rows.use(RowBudget.aDay - 120, .samples, of: "u-ann")
            // Sixty samples, with what they change beside; the same again are no rows.
            for _ in 0..<5 { #expect(await code(Self.samples(60), by: member) == nil) }
            #expect(await code(Self.samples(60, from: 100), by: member) == nil)
            #expect(await code(Self.samples(1, from: 200), by: member) == .rateLimited)
            #expect(await code(Self.samples(1, from: 200), by: owner) == .rateLimited, "theirs")
            desk.rows.use(2 * RowBudget.aDay, .others, of: "u-ann")
            let person = [(name: "id", value: "u-ann")]
            let shares = Given(path: person, body: Array(#"{"training":true}"#.utf8))
            #expect(try await code("sharing-set", shares, by: member) == .rateLimited)
            let free = try await code("sharing-set", shares, by: owner)
            #expect(free == nil, "who runs the site is free")
            for (name, given) in [
                ("sharing-set", Given(path: person, body: Array(#"{"training":false}"#.utf8))),
                ("activity-share", Given(body: Array(#"{"items":[]}"#.utf8))),
                ("activity-reset", Given(query: [])),
            ] {
                #expect(try await code(name, given, by: member) == nil, "\(name)")
            }
            let left = try site.store.read { db in
                Result { try Int.fetchOne(db, sql: "SELECT count(*) FROM activity_sample") }
            }
            #expect(try left.get() == 0)
        }
    }

    @Test func `who pays is the person, else the account, and nobody who runs the site`() {
        for (role, user, payer) in [
            (Role.member, "u-ann", "u-ann"), (.trainer, nil, "account:tom"), (.owner, "u-ann", nil),
            (.manager, nil, nil), (.auditor, nil, nil),
        ] as [(Role, String?, String?)] {
            let principal = Principal(name: "account:tom", role: role, user: user)
            #expect(
                RouteRequest(visitor: Visitor(principal, by: .place)).caller.payer == payer,
                "\(role)")
        }
    }

    @Test func `what is undone, or not committed, is not counted`() async throws {
        try await writing {
            desk.rows.use(RowBudget.aDay - 100, .samples, of: "u-ann")
            let request = RouteRequest(visitor: member)
            for _ in 0..<3 {
                await #expect(throws: RouteProblem.self) {
                    _ = try await desk.perform(Self.samples(120), for: request) { _, _ in
                        throw RouteProblem(.internal, "undone")
                    }
                }
            }
            #expect(desk.rows.wait(.samples, of: "u-ann") == nil)
            let stored = try await desk.perform(
                [Self.samples(120)], by: "ingest")
            #expect(stored.count == 1)
            #expect(desk.rows.wait(.samples, of: "u-ann") != nil)
        }
    }
}
