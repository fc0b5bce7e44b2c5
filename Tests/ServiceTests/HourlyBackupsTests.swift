import Foundation
import Logging
import Testing

@testable import CoordinatorService
@testable import SiteModel
@testable import SiteStore
@testable import Platform

/// The thread that backs up a database, and what it says of itself.
struct HourlyBackupsTests {
    private let directory = NSTemporaryDirectory() + "hourly-\(UUID().uuidString)"
    private let status = SharedStatus()
    private var folder: BackupFolder { BackupFolder(of: directory + "/gym.sqlite") }

    private func at(_ minutes: Double) -> Timestamp {
        Timestamp(milliseconds: 1_790_000_000_000) + .seconds(minutes * 60)
    }

    @Test func `at the start if it was missed, then every hour, after a failure in five minutes`() {
        #expect(HourlyBackups.isDue(at: at(0), newest: nil, failed: nil))
        #expect(!HourlyBackups.isDue(at: at(59), newest: at(0), failed: nil))
        #expect(HourlyBackups.isDue(at: at(60), newest: at(0), failed: nil))
        #expect(!HourlyBackups.isDue(at: at(64), newest: at(0), failed: at(60)))
        #expect(HourlyBackups.isDue(at: at(65), newest: at(0), failed: at(60)))
        // By clocks that were wrong.
        #expect(HourlyBackups.isDue(at: at(0), newest: at(9), failed: nil))
        #expect(HourlyBackups.isDue(at: at(0), newest: at(-90), failed: at(5)))
    }

    /// Waits for what another thread does; nothing else tells of it.
    private func wait(_ condition: () -> Bool) {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition(), ContinuousClock.now < deadline { usleep(5000) }
        #expect(condition())
    }

    private func begin() -> HourlyBackups {
        HourlyBackups(
            folder: folder, clock: AnchoredClock(), status: status, logger: Logger(label: "tests"))
    }

    @Test func `a success and a failure are told to health and metrics`() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(atPath: directory) } }
        let missing = begin()
        wait { status.backups?.failures == 1 }
        missing.stop(within: 5)
        #expect(status.backups?.newest == nil)
        #expect(status.metrics.contains("mesh_backup_failures_total 1\n"))

        let store = try Store(path: directory + "/gym.sqlite")
        defer { store.close() }
        let first = begin()
        wait { status.backups?.newest != nil }
        first.stop(within: 5)
        let newest = try #require(status.backups?.newest)
        #expect(newest.file == folder.newest?.name && newest.tookS != nil)
        #expect(status.metrics.contains("mesh_backup_timestamp_seconds \(newest.atMs / 1000)\n"))
        #expect(status.metrics.contains("mesh_backup_bytes \(newest.bytes)\n"))

        // The next process knows of it, and has nothing to do.
        let second = begin()
        second.stop(within: 5)
        #expect(status.backups?.newest?.file == newest.file)
        #expect(status.backups?.newest?.tookS == nil)
        #expect(folder.files().count == 1)
    }
}
