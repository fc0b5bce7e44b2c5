import Basics
import CoordinatorService
import Foundation
import Platform
import Records
import Reporting
import SiteEngine
import SiteModel
import SiteStore
import SiteService
import Synchronization

/// `fact-wait`: the longest that a fact waits until it is stored while a year's report, a backup and an
/// erasure run.
///
/// This thread is that of the store: a fact is decided every ten milliseconds, each just before a slice
/// of the erasure begins, as late as it can be.
enum FactWaitBench {
    private static let people = 40
    private static let days: Int64 = 365
    /// Seconds between two facts.
    private static let pause = 0.01

    static func run(_ context: BenchContext) throws -> [Figure] {
        let samples = try context.samples { round in
            let folder = try context.directory("fact-wait/\(round)")
            return try longest(context, in: folder) * 1000
        }
        return [Figure("fact-wait", unit: "ms", samples)]
    }

    private static func longest(_ context: BenchContext, in folder: String) throws -> Double {
        let start = BenchContext.start - .seconds(Double(days) * 86_400)
        let site = try BenchSite(people: people, seed: context.seed, in: folder, from: start)
        let store = try Store(path: site.database)
        defer { store.close() }
        try fill(store, site, from: start)
        let others = Others()
        others.begin { try report(store) }
        others.begin { _ = try BackupFolder(of: site.database).make(at: BenchContext.start) }
        let user = site.demo.document.users[0].slug
        var erasure: WriteRun? = WriteRun(
            .erase(user, reason: "bench", options: .init()), by: "bench")
        var longest = 0.0
        var number: Int64 = 1 << 40
        while erasure != nil || !others.areOver {
            try context.goOn()
            let watch = Stopwatch()
            if try erasure?.step(on: store, at: BenchContext.start) != nil { erasure = nil }
            number += 1
            try store.commit([event(number, of: 1 + number % 12)])
            longest = max(longest, watch.seconds)
            Thread.sleep(forTimeInterval: pause)
        }
        try others.result.get()
        return longest
    }

    /// A year: each day everybody came twice and was at ten places.
    private static func fill(_ store: Store, _ site: BenchSite, from start: Timestamp) throws {
        var id: Int64 = 0
        for day in 0..<days {
            var facts: [Fact] = []
            for user in site.plan.users {
                let morning = start + .seconds(Double(day) * 86_400 + 8 * 3600)
                for hour in [0.0, 5.0] {
                    id += 1
                    let from = morning + .seconds(hour * 3600)
                    facts.append(
                        .session(
                            Session(
                                id: id, user: user.id, from: from, to: from + .seconds(4 * 3600),
                                outCause: .lastHeard, lastHeard: from + .seconds(4 * 3600))))
                }
                for minute in 0..<10 {
                    id += 1
                    facts.append(
                        .event(
                            Event(
                                id: id, kind: .entered, at: morning + .seconds(Double(minute) * 60),
                                user: user.id, place: .room(RoomID(1)), subject: id)))
                }
            }
            try store.commit(facts)
        }
    }

    private static func event(_ id: Int64, of user: Int64) -> Fact {
        .event(
            Event(
                id: id, kind: .entered, at: BenchContext.start, user: UserID(1 + user),
                place: .room(RoomID(1)), subject: id))
    }

    private static func report(_ store: Store) throws {
        let mailbox = try ReportDesk(store, now: BenchContext.start)
        let calendar = mailbox.context.calendar
        let last = calendar.businessDay(of: BenchContext.start)
        let order = try ReportOrder(
            .day, ["from": "\(last + -days)", "to": "\(last)"], calendar, now: BenchContext.start)
        var run = try ReportRun(order, mailbox)
        var writer = SheetWriter(mailbox.sheet(for: order), as: .json)
        writer.begin()
        while try run.step(&writer) { _ = writer.take() }
        writer.end()
    }

    /// What runs beside, each on a thread of its own.
    private final class Others: Sendable {
        private let state = Mutex<(running: Int, fault: (any Error)?)>((0, nil))

        func begin(_ body: @escaping @Sendable () throws -> Void) {
            state.withLock { $0.running += 1 }
            Thread.detachNewThread { [self] in
                let result = Result { try body() }
                state.withLock { state in
                    state.running -= 1
                    if case .failure(let error) = result { state.fault = error }
                }
            }
        }

        var areOver: Bool { state.withLock { $0.running == 0 } }

        var result: Result<Void, any Error> {
            state.withLock { state in state.fault.map { .failure($0) } ?? .success(()) }
        }
    }
}
