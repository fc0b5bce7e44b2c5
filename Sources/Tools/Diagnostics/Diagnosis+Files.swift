import Glibc
import SiteModel
import SiteStore

/// Disks, directories, databases.
extension Diagnosis {
    /// Less than this is low, in bytes: it lasts for weeks, and somebody should know.
    package static let low: UInt64 = 200_000_000
    /// Files that may still be made; fewer is low.
    static let fewFiles: UInt64 = 1_000

    package static func findings(_ directory: Facts.Directory) -> [Finding] {
        let path = directory.path
        switch directory.trial {
        case .absent:
            return [
                .fault(
                    .state, "\(path), for \(directory.purpose), does not exist",
                    do: """
                        sudo install -d -o beaconmesh -g beaconmesh -m 750 \(path), or name \
                        another directory
                        """)
            ]
        case .failed(let code, let reason) where [ENOSPC, EDQUOT].contains(code):
            return [
                .fault(
                    .disk, "the disk of \(path) is full: \(reason)",
                    do: """
                        free some space: sudo du -xh --max-depth=2 / | sort -h | tail, \
                        sudo journalctl --vacuum-size=100M; nothing else needs to be done
                        """)
            ]
        case .failed(let code, let reason):
            let action =
                code == EROFS
                ? """
                the disk is mounted for reading only: sudo mount -o remount,rw, and look at \
                dmesg, an SD card that fails does this
                """
                : "sudo chown beaconmesh:beaconmesh \(path), or name another directory"
            return [.fault(.state, "\(path) cannot be written: \(reason)", do: action)]
        case .written:
            return [writable(directory), space(directory)]
        }
    }

    private static func writable(_ directory: Facts.Directory) -> Finding {
        guard let user = directory.excluded else {
            return .ok(.state, "\(directory.path) can be written")
        }
        return .fault(
            .state, "\(directory.path) can be written by us, and not by \(user)",
            do: "sudo chown -R \(user): \(directory.path)")
    }

    private static func space(_ directory: Facts.Directory) -> Finding {
        let free = directory.free.map { "\($0 / 1_000_000) MB" } ?? "an unknown amount"
        let isLow = directory.free.map { $0 < low } ?? false
        if isLow {
            return .warning(
                .disk, "\(free) are left for \(directory.path)",
                do: """
                    free some space; a node's outbox takes 32 MB, a site 40 MB a year, its \
                    evidence up to 100 MB
                    """)
        }
        if let files = directory.freeFiles, files < fewFiles {
            return .warning(
                .disk, "only \(files) more files can be made in \(directory.path)",
                do: "remove files nobody needs: df -i shows which disk it is")
        }
        return .ok(.disk, "\(free) are free for \(directory.path)")
    }

    static func finding(_ database: Facts.Database) -> Finding {
        let path = database.path
        guard database.exists else {
            return .fault(
                .database, "\(path) is not there yet",
                do: "beaconmesh import --database \(path) site.yaml")
        }
        let examination: StoreExamination
        switch database.examination {
        case .success(let found): examination = found
        case .failure(let error):
            return .fault(.database, "\(error)", do: action(for: error, path))
        }
        guard let site = examination.site else {
            return .fault(
                .database, "\(path) holds no site yet",
                do: "beaconmesh import --database \(path) site.yaml")
        }
        guard site == database.site else {
            return .fault(
                .database, "\(path) holds site \(site), not \(database.site)",
                do: "set sites: in coordinator.yaml to the site's own file")
        }
        let state =
            examination.schema < examination.known
            ? "schema \(examination.schema), brought to \(examination.known) at the next start"
            : "schema \(examination.schema)"
        let depth = database.isDeep ? ", read through" : ""
        return .ok(
            .database, "\(path): site \(site), revision \(examination.revision), \(state)\(depth)")
    }

    /// Corrections that are left out, and facts that were refused.
    static func finding(setAsideIn database: Facts.Database, at now: Timestamp?) -> Finding? {
        guard case .success(let found) = database.examination else { return nil }
        let path = database.path
        if !found.setAside.isEmpty {
            let list = found.setAside.map { "\($0)" }.joined(separator: ", ")
            let reason = found.refused.map { " (\($0.reason))" } ?? ""
            return .fault(
                .database,
                "\(path): set aside, because the database refused what followed: corrections \(list)\(reason)",
                do: """
                    correct the sessions anew, or withdraw the corrections: beaconmesh attendance refuse \
                    ID --reason "…" --database \(path); report it with the newest row of refused_input
                    """)
        }
        guard let refused = found.refused, let now, now - refused.at < .seconds(7 * 86_400) else {
            return nil
        }
        return .warning(
            .database,
            "\(path): the database refused facts within the last week: \(refused.reason)",
            do: """
                look whether the page or core/+/health has the alert set-aside; then beaconmesh attendance \
                retry --database \(path). Report it with the newest row of refused_input
                """)
    }

    private static func action(for error: StoreError, _ path: String) -> String {
        switch error {
        case .olderSchema: "start this release's coordinator, which brings it up to date"
        case .newerSchema: "start the newer release, or restore a backup made before it"
        case .foreign, .notDatabase: "name another file under sites: in coordinator.yaml"
        case .beforeFirstRelease:
            """
            export the site with the build that made it, import it with this one into a new file, and \
            name that under sites: in coordinator.yaml
            """
        case .missing, .empty: "beaconmesh import --database \(path) site.yaml"
        case .cannotOpen, .cannotRead: "run us as root, or as the user of the service"
        case .corrupt:
            "stop the coordinator, move \(path) aside, restore the newest backup or import anew"
        case .full: "free some space"
        case .busy, .owned: "end whatever holds it: sudo fuser -v \(path)"
        case .refused, .document, .other: "report it, with this line"
        }
    }

    static func finding(_ outbox: Facts.Outbox) -> Finding {
        let path = outbox.path
        return switch outbox.state {
        case .absent: .ok(.outbox, "\(path) is not there yet; the node makes it")
        case .sound(let text): .ok(.outbox, "\(path): \(text)")
        case .damaged(let reason):
            .warning(
                .outbox, "\(path) is damaged: \(reason)",
                do: """
                    nothing: the node sends what can be read and sets the rest aside; if it comes \
                    again, replace the SD card
                    """)
        case .unusable(let reason):
            .fault(
                .outbox, "\(path) is of no use: \(reason)",
                do: "move it aside; the node makes a new one, and what was in it is not sent")
        }
    }
}
