import Foundation
import Logging
import SiteModel
import SiteStore
import Synchronization
import Platform
import Wire

/// The thread that backs up a site's database: at the start if the newest backup is an hour old, and
/// then every hour. It has a connection of its own, so that no commit waits for it; on a slow disk
/// it takes as long as it takes.
final class HourlyBackups: Sendable {
    /// The age of the newest backup at which another is due.
    static let interval = Timestamp.Span.seconds(3600)
    /// The wait before another attempt after a failure.
    static let again = Timestamp.Span.seconds(300)
    /// Between two looks at the clock, in seconds.
    private static let pause = 5.0

    private let folder: BackupFolder
    private let clock: AnchoredClock
    private let status: SharedStatus
    private let logger: Logger
    private let waiting = MonotonicSemaphore()
    private let ended = MonotonicSemaphore()
    private let isStopping = Atomic(false)

    /// Begins to work at once.
    init(folder: BackupFolder, clock: AnchoredClock, status: SharedStatus, logger: Logger) {
        self.folder = folder
        self.clock = clock
        self.status = status
        self.logger = logger
        let newest = folder.newest.map { Self.told($0, in: folder, took: nil) }
        status.update { $0.backups = CoreHealthPayload.Backups(failures: 0, newest: newest) }
        Thread.detachNewThread { self.run() }
    }

    /// Ends the thread and waits for it, at most `seconds`. A backup under way is given up.
    func stop(within seconds: Double) {
        isStopping.store(true, ordering: .releasing)
        waiting.signal()
        ended.wait(seconds: seconds)
    }

    /// Whether a backup is due. One from the future, by a clock that was wrong, counts for nothing.
    static func isDue(at now: Timestamp, newest: Timestamp?, failed: Timestamp?) -> Bool {
        if let failed, failed <= now, now - failed < again { return false }
        guard let newest, newest <= now else { return true }
        return now - newest >= interval
    }

    private func run() {
        var failed: Timestamp?
        while !isStopping.load(ordering: .acquiring) {
            let now = clock.now
            let newest = folder.files().last { $0.at <= now }?.at
            if Self.isDue(at: now, newest: newest, failed: failed) {
                failed = make(at: now) ? nil : now
            }
            waiting.wait(seconds: Self.pause)
        }
        ended.signal()
    }

    private func make(at now: Timestamp) -> Bool {
        do {
            let backup = try folder.make(at: now) { [self] in
                isStopping.load(ordering: .acquiring)
            }
            status.update {
                $0.backups?.newest = Self.told(backup.file, in: folder, took: backup.seconds)
            }
            let seconds = (backup.seconds * 10).rounded() / 10
            logger.info(
                "backup \(backup.path): \(backup.bytes) bytes, \(backup.rows) rows, \(seconds) s")
            return true
        } catch {
            guard !isStopping.load(ordering: .acquiring) else { return true }
            status.update { $0.backups?.failures += 1 }
            logger.error("no backup was made in \(folder.path), older ones stay: \(error)")
            return false
        }
    }

    private static func told(
        _ file: BackupFile, in folder: BackupFolder, took seconds: Double?
    ) -> CoreHealthPayload.Backups.Newest {
        CoreHealthPayload.Backups.Newest(
            atMs: file.at.milliseconds, file: String(file.name.prefix(255)),
            bytes: folder.bytes(of: file) ?? 0, tookS: seconds)
    }
}
