import Foundation
import Testing

@testable import SiteModel
@testable import SiteStore

/// Which backups stay, and what their names say.
struct BackupRotationTests {
    private func file(_ hours: Double, schema: Int? = nil) -> BackupFile {
        BackupFile(stem: "gym", at: start + .seconds(hours * 3600), schema: schema)
    }

    /// What stands after backups at these hours, each followed by the rotation.
    private func kept(_ hours: some Sequence<Double>) -> [BackupFile] {
        hours.reduce(into: []) { files, hour in
            files.append(file(hour))
            let old = Set(BackupRotation().superseded(files))
            files.removeAll { old.contains($0) }
        }
    }

    @Test func `a year of hours leaves 24 hours, 14 days and 8 weeks`() throws {
        let files = kept((0..<8760).map(Double.init))
        let ages = files.map { (file(8759).at - $0.at).milliseconds / 3_600_000 }
        let hours: [Int64] = (0..<24).reversed()
        #expect(ages.filter { $0 < 24 } == hours)
        let days: Set<Int64> = Set(ages.map { $0 / 24 })
        #expect(days.isSuperset(of: 0..<13))
        let oldest = try #require(ages.first)
        #expect((1008...1176).contains(oldest), "six to seven weeks: \(oldest) h")
        #expect((41...46).contains(files.count), "\(files.count)")
    }

    @Test(arguments: UInt64(1)...200)
    func `whatever the times, what was kept is enough and no more`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var hour = 0.0
        var files: [BackupFile] = []
        for _ in 0..<400 {
            // Mostly an hour, now and then a minute, weeks of nothing, or a clock that was set back.
            switch Int.random(in: 0..<20, using: &random) {
            case 0: hour += Double.random(in: 0...1, using: &random)
            case 1: hour += Double.random(in: 24...1500, using: &random)
            case 2: hour -= Double.random(in: 0...30, using: &random)
            default: hour += 1
            }
            let isMigration = Int.random(in: 0..<50, using: &random) == 0
            let new = file(hour, schema: isMigration ? 12 : nil)
            guard !files.contains(new) else { continue }
            files.append(new)
            let old = BackupRotation().superseded(files)
            let newest = files.filter { $0.schema == nil }.max { $0.at < $1.at }
            #expect(newest.map { !old.contains($0) } ?? true, "seed \(seed)")
            files.removeAll { old.contains($0) }
            #expect(BackupRotation().superseded(files).isEmpty, "seed \(seed)")
            let ordinary = files.filter { $0.schema == nil }
            #expect(ordinary.count <= 24 + 14 + 8, "seed \(seed)")
        }
        #expect(files.count > 20, "seed \(seed)")
    }

    @Test func `a backup before a migration stays as long as the weeks reach back`() {
        let week = 168.0
        let before = file(1, schema: 12)
        let seven = (0..<7).map { file(2 + Double($0) * week) }
        #expect(BackupRotation().superseded([before] + seven + [file(2.05)]) == [seven[0]])
        let nine = (0..<9).map { file(2 + Double($0) * week) }
        #expect(
            BackupRotation(hourly: 1, daily: 1).superseded([before] + nine) == [before, nine[0]])
    }

    @Test func `names carry UTC, and only ours are read`() throws {
        let name = BackupFile(stem: "gym", at: Timestamp(milliseconds: 1_795_352_400_999)).name
        #expect(name == "gym-20261122T130000Z.sqlite")
        #expect(BackupFile(name, stem: "gym")?.at.milliseconds == 1_795_352_400_000)
        let kept = BackupFile(stem: "a-b", at: start, schema: 7)
        #expect(BackupFile(kept.name, stem: "a-b") == kept)
        for other in [
            "gym.sqlite", "gym-20261122T130000Z.sqlite.partial", "gym-20261122T130000.sqlite",
            "gym-2026-11-22T13:00:00Z.sqlite", "gym-20261322T130000Z.sqlite", "gym-.sqlite",
            "gym-20261122T130000Z-schema.sqlite", "gym-20261122T130000Z-schema07.sqlite",
            "other-20261122T130000Z.sqlite", "gym-2-20261122T130000Z.sqlite",
        ] { #expect(BackupFile(other, stem: "gym") == nil, "\(other)") }
    }
}
