/// Which backups are kept: the newest of each of the last 24 hours, 14 days and 8 weeks (Monday to
/// Sunday, UTC) *that have one*, and those made before a migration for as long as the weekly ones
/// reach back.
///
/// A function of the names alone: a clock that jumps, or a machine that was off for a year, deletes
/// nothing.
package struct BackupRotation: Sendable {
    /// How many hours, days and weeks.
    package let hourly, daily, weekly: Int

    /// A rule; the one in force if nothing else is said.
    package init(hourly: Int = 24, daily: Int = 14, weekly: Int = 8) {
        self.hourly = hourly
        self.daily = daily
        self.weekly = weekly
    }

    /// Those of `files`, which are all there are, that may go, oldest first. Never the newest.
    package func superseded(_ files: [BackupFile]) -> [BackupFile] {
        let ordinary = files.filter { $0.schema == nil }.sorted { $0.at > $1.at }
        let weeks = Self.newest(weekly, of: ordinary, each: Self.week, from: Self.monday)
        var kept = Set(weeks)
        kept.formUnion(Self.newest(hourly, of: ordinary, each: Self.hour))
        kept.formUnion(Self.newest(daily, of: ordinary, each: Self.day))
        // Until that many weeks have one, nothing is too old.
        let oldest = weeks.count < weekly ? nil : weeks.last?.at
        return files.filter { file in
            if file.schema == nil { return !kept.contains(file) }
            return oldest.map { file.at < $0 } ?? false
        }
        .sorted { $0.at < $1.at }
    }

    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    private static let week = 7 * day
    /// The first Monday, 5 January 1970.
    private static let monday = 4 * day

    /// The newest of each of the last `count` stretches that have one. `files` are newest first.
    private static func newest(
        _ count: Int, of files: [BackupFile], each length: Int64, from start: Int64 = 0
    ) -> [BackupFile] {
        var result: [BackupFile] = []
        var last: Int64?
        for file in files where result.count < count {
            let stretch = (file.at.milliseconds - start).floored(to: length)
            if stretch != last { result.append(file) }
            last = stretch
        }
        return result
    }
}
