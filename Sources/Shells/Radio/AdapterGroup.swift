import MeshCore

/// One or several adapters of this machine that feed one node. The node listens while at least one of
/// them does; an advertisement that two hear counts twice.
public final class AdapterGroup {
    /// One for each adapter, in the order of the configuration.
    public let scanners: [BlueZScanner]
    private var states: [AdapterState?]
    private var told: AdapterState?

    /// Adapters of different names, at least one.
    public init(_ names: [AdapterName], settings: ScanSettings) {
        precondition(!names.isEmpty, "a group of no adapters")
        scanners = names.map { BlueZScanner(adapter: $0, settings: settings) }
        states = names.map { _ in nil }
    }

    /// What to wait on.
    public var descriptors: [Int32] { scanners.flatMap(\.descriptors) }

    /// The first of theirs.
    public var deadline: Timestamp? { scanners.compactMap(\.deadline).min() }

    /// Does what time demands.
    public func tick(now: Timestamp) -> [RadioEvent] { joined { $0.tick(now: now) } }

    /// Reads what the adapters had to say.
    public func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        joined { $0.ready(now: now, heard) }
    }

    /// Ends the scans until `resume`.
    public func halt(now: Timestamp) -> [RadioEvent] { joined { $0.halt(now: now) } }

    /// Begins again after `halt`.
    public func resume(now: Timestamp) -> [RadioEvent] { joined { $0.resume(now: now) } }

    /// Ends the scans and closes the sockets.
    public func stop() { scanners.forEach { $0.stop() } }

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
    static func join(_ states: [AdapterState]) -> AdapterState? {
        if states.isEmpty { return nil }
        if states.contains(.up) { return .up }
        return states.allSatisfy { $0 == .absent } ? .absent : .down
    }
}
