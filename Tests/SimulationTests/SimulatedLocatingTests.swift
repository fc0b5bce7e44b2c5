import Foundation
import TestSupport
import Testing

@testable import Scenarios

/// The gate: ours may get no worse on the scenarios than what is kept in `Baselines`.
///
/// To keep new figures, with the reason in the commit:
///
///     mesh-lab simulate --score --json > Tests/SimulationTests/Baselines/locating.json
///     mesh-lab simulate --score --long --json > Tests/SimulationTests/Baselines/locating-long.json
struct SimulatedLocatingTests {
    private func baseline(_ name: String) throws -> LocatingReport {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("Baselines/\(name).json")
        return try JSONDecoder().decode(LocatingReport.self, from: Data(contentsOf: file))
    }

    @Test func `ours gets no worse on the scenarios`() throws {
        let kept = try baseline(TestLength.isLong ? "locating-long" : "locating")
        let report = LocatingReport(size: TestLength.isLong ? .long : .short)
        print(report.table)
        #expect(report.regressions(against: kept) == [])
        // The simulator has not changed either: others' rules reach exactly what they did.
        for row in kept.rows where row.method.hasPrefix("peer ") {
            #expect(report.row(row.scenario, row.method) == row)
        }
        #expect(kept.rows.count == report.rows.count)
    }

    @Test func `the kept figures are of these scenarios and methods`() throws {
        for (name, size) in [("locating", LocatingSize.short), ("locating-long", .long)] {
            let kept = try baseline(name)
            #expect(kept.size == size)
            let names = LocatingScenario.all.flatMap { scenario in
                ScenarioRun.Method.all.map { [scenario.name, $0.name] }
            }
            #expect(kept.rows.map { [$0.scenario, $0.method] } == names)
        }
    }

    @Test func `a fall beyond the slack is noticed`() throws {
        let kept = try baseline("locating")
        func change(_ body: (inout LocatingReport.Row) -> Void) -> [String] {
            var report = kept
            guard let ours = report.rows.firstIndex(where: { $0.method == "auto" }) else {
                return []
            }
            body(&report.rows[ours])
            return report.regressions(against: kept)
        }
        #expect(change { _ in } == [])
        #expect(change { $0.accuracy *= 0.96 } == [])
        #expect(change { $0.accuracy *= 0.94 }.count == 1)
        #expect(change { $0.flaps = $0.flaps * 1.04 + 0.04 } == [])
        #expect(change { $0.flaps = $0.flaps * 1.06 + 0.06 }.count == 1)
        #expect(change { $0.method = "gone" }.count == 1)
        var longer = kept
        longer.size = .long
        #expect(longer.regressions(against: kept).count == 1)
    }

    @Test func `the figures read back as they were written`() throws {
        let kept = try baseline("locating")
        #expect(try JSONDecoder().decode(LocatingReport.self, from: Data(kept.json.utf8)) == kept)
    }
}
