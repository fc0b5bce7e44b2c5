import SiteModel

/// Backups.
extension Diagnosis {
    /// One is made every hour; two that failed are worth a word.
    private static let late = Timestamp.Span.seconds(2 * 3600)

    static func finding(backupsOf database: Facts.Database, at now: Timestamp?) -> Finding? {
        guard database.exists else { return nil }
        let make = "beaconmesh backup --database \(database.path)"
        let watch = "look at what beacon-coordinator logs about backups; \(make) makes one now"
        guard let backups = database.backups else {
            return .warning(
                .backup, "backups of \(database.path) are switched off",
                do: "take away backups: {enabled: false}, unless something else backs it up")
        }
        if let fault = backups.fault {
            return .fault(
                .backup, "the newest backup cannot be used: \(fault)",
                do: "\(make), and look at the disk: dmesg, smartctl")
        }
        guard let newest = backups.newest else {
            return .warning(.backup, "no backup in \(backups.folder)", do: watch)
        }
        guard let now, plausible.contains(now) else {
            return .ok(.backup, "there are backups in \(backups.folder)")
        }
        let age = (now - newest).milliseconds / 60_000
        if age < 0 {
            return .warning(
                .backup, "the newest backup in \(backups.folder) is \(-age) min in the future",
                do: "see whether the clock is right; a backup is made every hour all the same")
        }
        let text = "the newest backup in \(backups.folder) is \(age) min old"
        return now - newest > late ? .warning(.backup, text, do: watch) : .ok(.backup, text)
    }
}
