import Logging
import Platform
import Records
import SiteModel
import SiteStore

/// A site's database and its backups, as a start finds them.
struct SiteDatabase {
    private let site: CoordinatorConfiguration.Site
    private let logger: Logger

    init(_ site: CoordinatorConfiguration.Site, logger: Logger) {
        self.site = site
        self.logger = logger
    }

    /// Where its backups are.
    var folder: BackupFolder { BackupFolder(of: site.database, at: site.backups) }

    /// Opens it. A damaged one is put aside, and the newest backup that can be used takes its place, if
    /// the configuration says so; else it is left as it is, and the error names the newest backup. Who was
    /// erased and came back with a backup is unreadable again when it returns.
    func open(under lock: DatabaseLock, at now: Timestamp) throws -> Store {
        let store = try openedOrRestored(under: lock, at: now)
        eraseAgain(in: store, at: now)
        return store
    }

    private func eraseAgain(in store: Store, at now: Timestamp) {
        do {
            let repetition = try Erasures(store).eraseListed(at: now)
            if !repetition.runs.isEmpty {
                logger.warning(
                    """
                    \(repetition.runs.count) people who had been erased came back with a backup, and are \
                    erased again
                    """)
            }
            for (slug, advice) in repetition.refused {
                logger.warning(
                    "\(slug) had been erased and came back with a backup: \(advice); they are erased then"
                )
            }
        } catch {
            logger.error(
                "cannot erase again who came back with a backup, it is tried again: \(error)")
        }
    }

    private func openedOrRestored(under lock: DatabaseLock, at now: Timestamp) throws -> Store {
        do {
            return try opened(under: lock)
        } catch {
            guard case .corrupt(let path, let detail) = error else { throw error }
            guard site.onDamage == .restore else {
                throw Exit(code: 78, text: advice(path, detail))
            }
            logger.critical("\(path): damaged: \(detail)")
            try restore(under: lock, at: now)
            return try opened(under: lock)
        }
    }

    private func opened(under lock: DatabaseLock) throws(StoreError) -> Store {
        try Store(path: site.database, backups: site.isBackedUp ? folder : nil, under: lock)
    }

    private func advice(_ path: String, _ detail: String) -> String {
        let damage = "\(path): damaged (\(detail)). Nothing was changed."
        guard let newest = folder.newest else {
            return "\(damage) There is no backup in \(folder.path)."
        }
        return """
            \(damage) The newest backup is \(folder.path(of: newest)): \
            beaconmesh restore --database \(path) --from \(folder.path(of: newest)); with \
            on_damage: restore a start does that by itself.
            """
    }

    /// Tries the backups from the newest on: what was proven may be damaged since.
    private func restore(under lock: DatabaseLock, at now: Timestamp) throws {
        for file in folder.files().reversed() {
            let backup = folder.path(of: file)
            do {
                let result = try Restoration.restore(
                    site.database, from: backup, under: lock, aside: .damaged(now))
                logger.critical(
                    """
                    \(site.database) is from the backup \(backup) now, epoch \(result.epoch): nodes \
                    send again what they heard since; check-ins, corrections and locks since then are \
                    in \(result.replaced ?? "nothing") only
                    """)
                return
            } catch {
                guard case .corrupt(backup, let detail) = error else { throw error }
                logger.critical("\(backup): damaged: \(detail)")
            }
        }
        throw Exit(
            code: 78,
            text: "\(site.database): damaged, and no backup in \(folder.path) can be used")
    }
}
