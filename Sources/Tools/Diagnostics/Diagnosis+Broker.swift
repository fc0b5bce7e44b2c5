/// What a broker did when it was tried.
extension Diagnosis {
    package static func findings(_ broker: BrokerFacts) -> [Finding] {
        let name = "\(broker.host):\(broker.port)"
        let reached = Finding.ok(.broker, "a broker answers at \(name)")
        switch broker.outcome {
        case .unreachable(let reason):
            return [
                .fault(
                    .broker, "no broker at \(name): \(reason)",
                    do: """
                        on its machine: systemctl status mosquitto, and “listener \(broker.port)” \
                        in its configuration, without which it serves its own machine only; then \
                        broker: in \(broker.file), and firewalls between
                        """)
            ]
        case .unencrypted(let fault):
            return [
                .fault(
                    .broker, "no encrypted connection to \(name): \(fault)",
                    do: """
                        compare broker.host and broker.tls of \(broker.file) with what beaconmesh broker \
                        config --tls prints on the broker's machine
                        """)
            ]
        case .mute:
            return [
                .fault(
                    .broker, "what listens at \(name) does not answer as a broker does",
                    do: """
                        is \(broker.port) the port of MQTT (usually 1883, with TLS 8883)? A broker \
                        that was suspended looks the same
                        """)
            ]
        case .refused(let reason):
            return [reached, login(broker, reason)]
        case .connected(let rights):
            let user = broker.username.map { "as \($0)" } ?? "without a user"
            return [reached, .ok(.login, "it takes us \(user)")] + self.rights(broker, rights)
        }
    }

    private static func login(_ broker: BrokerFacts, _ reason: String) -> Finding {
        guard let user = broker.username else {
            return .fault(
                .login, "the broker refuses us without a user: \(reason)",
                do: "set broker.username and broker.password_file in \(broker.file)")
        }
        return .fault(
            .login, "the broker refuses user \(user): \(reason)",
            do: """
                compare broker.password_file of \(broker.file) with the broker's password file: \
                sudo mosquitto_passwd PASSWORDS \(user), then reload it (systemctl reload mosquitto)
                """)
    }

    private static func rights(
        _ broker: BrokerFacts, _ rights: [BrokerFacts.Right]
    ) -> [Finding] {
        let findings = rights.compactMap { finding($0, of: broker) }
        return findings.isEmpty ? [.ok(.rights, "its ACL gives us what we need")] : findings
    }

    private static func finding(
        _ right: BrokerFacts.Right, of broker: BrokerFacts
    ) -> Finding? {
        let user = broker.username ?? "nobody"
        switch right.outcome {
        case .granted: return nil
        case .refused(let reason):
            return .fault(
                .rights,
                "the broker does not let \(user) \(right.verb.rawValue) \(right.topic): \(reason)",
                do: demand(broker))
        case .silent:
            return .fault(
                .rights,
                "what \(user) wrote to \(right.topic) did not come back: the broker dropped it",
                do: demand(broker))
        case .empty:
            return .warning(
                .rights, "nothing to read at \(right.topic)",
                do: """
                    \(origin(broker)); if that has happened, the ACL forbids reading: \
                    \(demand(broker))
                    """)
        }
    }

    /// Who should have written what was not there.
    private static func origin(_ broker: BrokerFacts) -> String {
        switch broker.role {
        case .node: "the coordinator puts it there once this node is in site.yaml"
        case .coordinator: "nodes put it there when they start"
        }
    }

    /// The lines that the broker's ACL file needs.
    private static func demand(_ broker: BrokerFacts) -> String {
        let user = broker.username ?? "USER"
        switch broker.role {
        case .node(let node, let site):
            return """
                the ACL file needs: user \(user) / topic readwrite mesh/v1/\(site)/node/\(node)/# \
                / topic read mesh/v1/\(site)/debug/lease/\(node)
                """
        case .coordinator(let name, let sites):
            let trees = sites.map { "topic readwrite mesh/v1/\($0)/#" }
            return """
                the ACL file needs: user \(user) / \(trees.joined(separator: " / ")) \
                / topic readwrite mesh/v1/core/\(name)/#
                """
        }
    }
}
