import Basics
import Broker
import CoordinatorService
import Foundation
import Glibc
import Platform
import Wire

/// Gathers the facts that configurations give reason to look for.
package struct Examination {
    /// The files that programs read, if nobody names others.
    package static let usual = ["/etc/beaconmesh/node.yaml", "/etc/beaconmesh/coordinator.yaml"]

    /// The configurations to look at.
    package var files: [String]
    /// Whether to read databases through.
    package var isDeep: Bool
    private let machine = MachineProbe()

    /// An examination of what `files` describe, or of the machine as it is.
    package init(files: [String], isDeep: Bool) {
        self.files = files
        self.isDeep = isDeep
    }

    /// Looks at everything; some seconds at most for each broker.
    package func facts() -> Facts {
        var facts = Facts()
        facts.clock = machine.clock()
        facts.configurations = files.map(ConfigurationProbe.check)
        var adapters: [String] = []
        for configuration in facts.configurations {
            switch configuration.kind {
            case .node:
                guard let file = try? NodeFile(reading: configuration.file) else { continue }
                adapters += file.adapters
                add(file, configuration.file, to: &facts)
            case .coordinator:
                guard let settings = try? CoordinatorConfiguration(reading: configuration.file)
                else { continue }
                add(settings, configuration.file, to: &facts)
            case .site, .unknown: continue
            }
        }
        // Without a file that says otherwise, an adapter is meant.
        if facts.configurations.isEmpty { adapters = ["any"] }
        if !adapters.isEmpty { facts.radio = machine.radio(wanted: adapters) }
        return facts
    }

    private func add(_ file: NodeFile, _ name: String, to facts: inout Facts) {
        // Nothing is said to a broker in a name that cannot stand on topics.
        if file.passwordFault == nil, file.node.isSlug, file.site.isSlug {
            facts.brokers.append(
                BrokerProbe(
                    file: name, address: file.broker, role: .node(file.node, site: file.site)
                ).run())
        }
        guard !file.state.isEmpty else { return }
        facts.directories.append(
            FileProbe.directory(
                file.state, for: "a node's state", user: user(of: "beacon-node")))
        facts.outboxes.append(OutboxProbe.outbox(file.outbox))
    }

    private func add(
        _ settings: CoordinatorConfiguration, _ name: String, to facts: inout Facts
    ) {
        let sites = settings.sites
        if let password = try? Secret.read(settings.broker.passwordFile) ?? "" {
            let address = BrokerAddress(
                settings.broker, password: settings.broker.username == nil ? nil : password)
            facts.brokers.append(
                BrokerProbe(
                    file: name, address: address,
                    role: .coordinator(settings.coordinator, sites: sites.map(\.id))
                ).run())
        }
        for site in sites {
            let directory = URL(fileURLWithPath: site.database).deletingLastPathComponent().path
            facts.directories.append(
                FileProbe.directory(
                    directory, for: "the database", user: user(of: "beacon-coordinator")))
            facts.databases.append(
                FileProbe.database(
                    site.database, site: site.id, folder: site.isBackedUp ? site.backups : nil,
                    isDeep: isDeep))
        }
        if settings.http.port > 0 {
            facts.ports.append(PortProbe.port(settings.http.port, of: settings.http.host))
        }
    }

    /// Whom a program runs as, or would: the user that the units name, if there is one.
    private func user(of program: String) -> uid_t? {
        machine.running(program).flatMap { machine.user(ofProcess: $0) }
            ?? FileProbe.user(named: "beaconmesh")
    }
}
