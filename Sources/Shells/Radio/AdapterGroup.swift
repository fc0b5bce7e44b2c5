import BeaconDecoding
import NodeEngine
import SiteModel

/// One or several adapters of this machine that feed one node. The node listens while at least one of
/// them does; an advertisement that two hear counts twice.
package final class AdapterGroup {
    /// One for each adapter, in the order of the configuration.
    package let scanners: [BlueZScanner]
    private var states: [AdapterState?]
    private var told: AdapterState?

    /// Adapters of different names, at least one.
    package init(_ names: [AdapterName], settings: ScanSettings) {
        precondition(!names.isEmpty, "a group of no adapters")
        scanners = names.map { BlueZScanner(adapter: $0, settings: settings) }
        states = names.map { _ in nil }
    }

    /// What to wait on.
    package var descriptors: [Int32] { scanners.flatMap(\.descriptors) }

    /// The first of theirs.
    package var deadline: Timestamp? { scanners.compactMap(\.deadline).min() }

    /// Does what time demands.
    package func tick(now: Timestamp) -> [RadioEvent] { joined { $0.tick(now: now) } }

    /// Reads what the adapters had to say.
    package func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        joined { $0.ready(now: now, heard) }
    }

    /// Ends the scans until `resume`.
    package func halt(now: Timestamp) -> [RadioEvent] { joined { $0.halt(now: now) } }

    /// Begins again after `halt`.
    package func resume(now: Timestamp) -> [RadioEvent] { joined { $0.resume(now: now) } }

    /// Ends the scans and closes the sockets.
    package func stop() { scanners.forEach { $0.stop() } }

    /// Turns what each says into what all say.
    private func joined(_ act: (BlueZScanner) -> [RadioEvent]) -> [RadioEvent] {
        var events: [RadioEvent] = []
        for (index, scanner) in scanners.enumerated() {
            if scanners.count > 1 {
                scanner.taken = scanners.filter { $0 !== scanner }.flatMap(\.claims)
            }
            for event in act(scanner) {
                if case .adapter(let state) = event {
                    states[index] = state
                } else {
                    events.append(event)
                }
            }
        }
        let all = Self.join(states.compactMap { $0 })
        if let all, all != told {
            told = all
            events.append(.adapter(all))
        }
        return events
    }

    /// What several adapters are together: up if one is, absent if all are.
    package static func join(_ states: [AdapterState]) -> AdapterState? {
        if states.isEmpty { return nil }
        if states.contains(.up) { return .up }
        return states.allSatisfy { $0 == .absent } ? .absent : .down
    }
}
