import Foundation
import Reporting
import TestSupport
import Testing

@testable import Scenarios
@testable import Simulation
@testable import SiteModel
@testable import SiteStore

/// People come to work and to train at two sites while everything fails that can: real evidence, real
/// cores, real databases.
struct MonthTests {
    /// The days on which clocks in Berlin go back.
    private static func options(seed: UInt64) -> MonthRun.Options {
        var options = MonthRun.Options()
        (options.people, options.days, options.first) =
            TestLength.isLong ? (20, 7, 22) : (10, 2, 24)
        (options.seed, options.rhythm) = (seed, 3600)
        return options
    }

    private func folder() throws -> String {
        let folder = NSTemporaryDirectory() + "beaconmesh-month-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private func report(seed: UInt64) throws -> MonthReport {
        let folder = try folder()
        defer { _ = Result { try FileManager.default.removeItem(atPath: folder) } }
        return try MonthReport(Self.options(seed: seed), in: folder)
    }

    @Test(arguments: TestLength.isLong ? Array(UInt64(1)...8) : [1])
    func `outages of every kind change no session and no second`(seed: UInt64) throws {
        let report = try report(seed: seed)
        #expect(report.troubles.count == MonthTrouble.Kind.allCases.count, "seed \(seed)")
        #expect(report.differences == [], "seed \(seed)")
        #expect(report.sameUndisturbed == report.sessions, "seed \(seed)")
        #expect(report.sessions > 10, "seed \(seed)")
        #expect(report.counts.restarts > 20, "seed \(seed)")
        #expect(report.counts.statements > 1, "seed \(seed)")
        #expect(report.counts.waiting == 0, "seed \(seed)")
        #expect(report.counts.refusals == 0, "seed \(seed)")
        #expect(report.rebuilt.flatMap(\.differences) == [], "seed \(seed)")
        // Against where people were.
        let judgement = report.judgement
        #expect(judgement.invented == 0, "seed \(seed)")
        #expect(judgement.open == 0, "seed \(seed)")
        #expect(judgement.heard.lost == 0, "seed \(seed)")
        #expect(judgement.heard.split == 0 && judgement.heard.merged == 0, "seed \(seed)")
        #expect(judgement.heard.wrong == 0, "seed \(seed)")
        #expect(judgement.unheard.unflagged == 0, "seed \(seed)")
        // What people did to them, and what is made of them.
        #expect(report.counts.corrections == 2 && judgement.corrected == 2, "seed \(seed)")
        #expect(report.auditFaults == [] && report.counts.audited > 2, "seed \(seed)")
        #expect(report.sheets.allSatisfy { $0.sheets == $0.sessions }, "seed \(seed)")
    }

    /// Feature C30; after outages, too, above.
    @Test func `sessions rebuilt from stored evidence are the stored sessions`() throws {
        let folder = try folder()
        defer { _ = Result { try FileManager.default.removeItem(atPath: folder) } }
        let outcome = try MonthRun(Self.options(seed: 2)).run(isDisturbed: false, in: folder)
        #expect(outcome.rebuilt.flatMap(\.differences) == [])
        #expect(outcome.rebuilt.reduce(0) { $0 + $1.same } > 10)
        // A check that sees nothing is none.
        let store = try Store(path: "\(folder)/gym-undisturbed.sqlite")
        defer { store.close() }
        let saved = try #require(try store.load()?.saved)
        var wrong = try #require(saved.sessions.last { $0.to != nil && $0.inCause == .heard })
        wrong.from = wrong.from + Timestamp.Span.seconds(1)
        try store.commit([.session(wrong)])
        #expect(try SessionCheck(store).rebuiltSessions()?.differences.count == 2)
    }
}
