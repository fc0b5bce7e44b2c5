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
                on the broker's machine: sudo beaconmesh broker update; if that does not help, \
                \(another(broker, user)). Where passwords are kept by hand: sudo mosquitto_passwd \
                PASSWORDS \(user), then systemctl reload mosquitto
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
                .rights, "\(origin(broker)): nothing to read at \(right.topic)",
                do: "\(beginning(broker)); if that has happened, \(demand(broker))")
        }
    }

    /// Who has not written yet what is not there.
    private static func origin(_ broker: BrokerFacts) -> String {
        switch broker.role {
        case .node: "no coordinator has told this node what to do yet"
        case .coordinator: "no node has spoken yet"
        }
    }

    private static func beginning(_ broker: BrokerFacts) -> String {
        switch broker.role {
        case .node: "start the coordinator, and see that this node is in its site"
        case .coordinator: "start a node"
        }
    }

    /// How a user gets another password.
    private static func another(_ broker: BrokerFacts, _ user: String) -> String {
        switch broker.role {
        case .node: "beaconmesh node replace \(user)"
        case .coordinator: "beaconmesh revoke \(user), then beaconmesh enrol coordinator \(user)"
        }
    }

    /// Who may do what stands in the list that is made from who is enrolled: no line of it is written by hand.
    private static func demand(_ broker: BrokerFacts) -> String {
        let user = broker.username ?? "USER"
        return """
            on the broker's machine: sudo beaconmesh broker update, which writes the list of what \(user) may do; a \
            list that is kept by hand needs the lines for \(user) of deploy/mosquitto/beaconmesh.acl
            """
    }
}
