import CoordinatorService
import SiteModel

/// What facts mean, and what to do. Pure: the same facts, the same findings.
package enum Diagnosis {
    /// The findings, in the order in which things must work.
    package static func findings(of facts: Facts) -> [Finding] {
        let now = facts.clock?.now
        let databases = facts.databases.flatMap { database in
            [
                finding(database), finding(setAsideIn: database, at: now),
                finding(backupsOf: database, at: now),
            ].compactMap(\.self)
        }
        return (facts.configurations.isEmpty ? [unconfigured] : facts.configurations.map(finding))
            + radioFindings(of: facts)
            + (facts.clock.map { [finding($0)] } ?? [])
            + facts.brokers.flatMap(findings)
            + facts.directories.flatMap(findings)
            + databases
            + facts.outboxes.map(finding)
            + facts.ports.map(finding)
    }

    private static let unconfigured = Finding.warning(
        .configuration,
        "no configuration in /etc/beaconmesh: looked at this machine only, as a node would need it",
        do: "name the files: beaconmesh doctor --config node.yaml coordinator.yaml site.yaml")

    /// Where no configuration says that a node is to use an adapter, nothing about one is a fault: the
    /// machine may be a coordinator's, and a node that runs here may be a simulated one.
    private static func radioFindings(of facts: Facts) -> [Finding] {
        let found = facts.radio.map(findings) ?? []
        guard facts.configurations.isEmpty else { return found }
        return found.map { finding in
            finding.level == .fault
                ? .warning(finding.id, finding.seen, do: "for a node: \(finding.action)") : finding
        }
    }

    private static func finding(_ file: Facts.Configuration) -> Finding {
        if !file.faults.isEmpty {
            return .fault(
                .configuration, file.faults.joined(separator: "\n"),
                do: file.kind == .unknown
                    ? "name a node.yaml, a coordinator.yaml or a site.yaml"
                    : "change these lines of \(file.file); deploy/examples has examples")
        }
        if let unchecked = file.unchecked {
            return .warning(
                .configuration, "\(file.file): not checked: \(unchecked)",
                do: "run beacon-\(file.kind.rawValue) --config \(file.file) --check where it is")
        }
        return .ok(.configuration, "\(file.file): a good \(file.kind.rawValue).yaml")
    }

    /// The first release was made in this year; clocks without a battery start decades before.
    static let plausible =
        Timestamp(milliseconds: 1_767_225_600_000)..<Timestamp(milliseconds: 4_102_444_800_000)

    private static func finding(_ clock: Facts.Clock) -> Finding {
        guard plausible.contains(clock.now) else {
            return .fault(
                .clock, "the clock shows \(year(clock.now)), which cannot be",
                do: """
                    connect the machine to a network with a time server: timedatectl set-ntp true; \
                    a Pi without a network needs a clock with a battery
                    """)
        }
        guard clock.isSynced else {
            return .warning(
                .clock, "no time server keeps the clock",
                do: """
                    timedatectl set-ntp true, then timedatectl: “System clock synchronized: yes”; \
                    without it what is heard gets a wrong time
                    """)
        }
        return .ok(.clock, "a time server keeps the clock")
    }

    /// The year, reckoned as if all had the same length: it is to be shown as absurd.
    private static func year(_ moment: Timestamp) -> String {
        "the year \(1970 + moment.milliseconds / 31_556_952_000)"
    }

    private static func finding(_ port: PortState) -> Finding {
        let name = "\(port.host):\(port.port)"
        return switch port.state {
        case .free: .ok(.port, "\(name) is free for the dashboard")
        case .ours: .ok(.port, "a coordinator serves the dashboard at \(name)")
        case .taken:
            .fault(
                .port, "\(port.owner ?? "another program") listens on \(name)",
                do: "end it (sudo ss -ltnp 'sport = :\(port.port)' names it) or change http.port")
        case .refused(let reason):
            .fault(
                .port, "\(name) cannot be listened on: \(reason)",
                do: "set http.host to an address of this machine and http.port to one from 1024 on")
        }
    }
}

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
