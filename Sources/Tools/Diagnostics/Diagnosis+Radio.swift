import Radio

/// Adapters, and who may use them.
extension Diagnosis {
    /// The bits of CAP_NET_ADMIN and CAP_NET_RAW (capability.h).
    package static let needed: UInt64 = 1 << 12 | 1 << 13
    private static let netAdmin: UInt64 = 1 << 12

    package static func findings(_ radio: RadioFacts) -> [Finding] {
        var findings: [Finding] = []
        let (found, adapters) = adapters(radio)
        findings += found
        if !adapters.isEmpty || !radio.switches.isEmpty { findings.append(switches(radio)) }
        findings += adapters.map { power($0, radio) }
        findings.append(capability(radio))
        findings.append(bluetoothd(radio))
        return findings
    }

    /// Whether there is what is wanted, and which of the adapters that is.
    private static func adapters(
        _ radio: RadioFacts
    ) -> ([Finding], [AdapterSurvey.Adapter]) {
        guard radio.survey.hasBluetooth else {
            let finding = Finding.fault(
                .adapter, "this system's kernel has no Bluetooth",
                do: """
                    sudo modprobe bluetooth hci_uart btusb; in a container use the machine's own \
                    network; a Pi needs dtoverlay=disable-bt out of config.txt
                    """)
            return ([finding], [])
        }
        guard !radio.survey.adapters.isEmpty else {
            let finding = Finding.fault(
                .adapter, "there is no Bluetooth adapter",
                do: """
                    plug one in and look at dmesg | grep -i bluetooth; on a Pi: is disable-bt in \
                    /boot/firmware/config.txt, does hciuart run, is pi-bluetooth installed?
                    """)
            return ([finding], [])
        }
        var findings: [Finding] = []
        var used: [AdapterSurvey.Adapter] = []
        for wanted in radio.wanted {
            guard let adapter = radio.survey.adapter(wanted) else {
                let names = radio.survey.adapters.map { "hci\($0.index) (\($0.address))" }
                findings.append(
                    .fault(
                        .adapter, "there is no adapter \(wanted)",
                        do: "set radio: to one of \(names.joined(separator: ", "))"))
                continue
            }
            findings.append(.ok(.adapter, "hci\(adapter.index) is there, \(adapter.address)"))
            if !used.contains(adapter) { used.append(adapter) }
        }
        return (findings, used)
    }

    private static func switches(_ radio: RadioFacts) -> Finding {
        if let hard = radio.switches.first(where: { $0.isHardBlocked }) {
            return .fault(
                .rfkill, "\(hard.name) is blocked by a switch of the machine",
                do: "turn the switch or key for radio on; rfkill list shows it")
        }
        if let soft = radio.switches.first(where: { $0.isSoftBlocked }) {
            return .fault(
                .rfkill, "\(soft.name) is blocked by rfkill",
                do: "sudo rfkill unblock bluetooth; the node goes on by itself")
        }
        return .ok(.rfkill, "no switch blocks Bluetooth")
    }

    private static func power(_ adapter: AdapterSurvey.Adapter, _ radio: RadioFacts) -> Finding {
        let name = "hci\(adapter.index)"
        if adapter.isUp { return .ok(.power, "\(name) is switched on") }
        // A node switches it on as it starts.
        if radio.node == nil {
            return .warning(
                .power, "\(name) is switched off",
                do: "nothing: a node switches it on; by hand: sudo hciconfig \(name) up")
        }
        return .fault(
            .power, "\(name) is switched off although a node runs",
            do: """
                journalctl -u beacon-node -n 50 says why; sudo hciconfig \(name) up shows the \
                system's own reason
                """)
    }

    private static func capability(_ radio: RadioFacts) -> Finding {
        if let node = radio.node {
            let missing = names(missingIn: node.capabilities)
            return missing.isEmpty
                ? .ok(.capability, "the node (process \(node.process)) may use the adapter")
                : .fault(
                    .capability, "the node (process \(node.process)) lacks \(missing)",
                    do: """
                        start it by deploy/systemd/beacon-node.service, which gives it both and \
                        nothing else
                        """)
        }
        let missing = names(missingIn: radio.own)
        if missing.isEmpty { return .ok(.capability, "we may use the adapter") }
        if let unit = radio.unit {
            return .ok(.capability, "\(unit) gives a node what it needs (we ourselves lack it)")
        }
        return .fault(
            .capability, "we lack \(missing), and no unit of a node is installed that gives it",
            do: """
                install deploy/systemd/beacon-node.service; for a try by hand: sudo setcap \
                cap_net_raw,cap_net_admin+ep on the program
                """)
    }

    private static func names(missingIn capabilities: UInt64) -> String {
        let missing = needed & ~capabilities
        switch missing {
        case 0: return ""
        case needed: return "CAP_NET_RAW and CAP_NET_ADMIN"
        case netAdmin: return "CAP_NET_ADMIN"
        default: return "CAP_NET_RAW"
        }
    }

    private static func bluetoothd(_ radio: RadioFacts) -> Finding {
        guard let process = radio.bluetoothd else {
            return .ok(.bluetoothd, "bluetoothd does not run")
        }
        return .warning(
            .bluetoothd, "bluetoothd runs (process \(process)) and can take the adapter away",
            do: """
                on a machine that only scans: sudo systemctl disable --now bluetooth; the node \
                takes its scan back, but each time something is lost
                """)
    }
}

extension AdapterSurvey {
    /// The adapter of a name, an address, or `any`.
    package func adapter(_ wanted: String) -> Adapter? {
        if wanted == "any" { return adapters.first }
        return adapters.first {
            "hci\($0.index)" == wanted || $0.address.lowercased() == wanted.lowercased()
        }
    }
}
