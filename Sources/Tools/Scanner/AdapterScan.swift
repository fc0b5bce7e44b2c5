import BeaconDecoding
import Glibc
import Radio
import SiteModel
import Platform

/// Listens with an adapter of this machine.
package struct AdapterScan {
    /// The adapter, as after `hci:` in a node's configuration.
    package var adapter: String
    /// How to listen.
    package var settings: ScanSettings
    /// How long, in seconds, or `nil` until somebody stops us.
    package var seconds: Double?

    package init(adapter: String, settings: ScanSettings, seconds: Double? = nil) {
        self.adapter = adapter
        self.settings = settings
        self.seconds = seconds
    }

    /// The longest wait for an adapter to listen.
    private static let patience = Timestamp.Span.seconds(5)

    /// Listens until it is time to stop. Throws an `Exit` that says what to do if it cannot listen.
    package func run(_ view: inout ScanView, decoder: inout ScanDecoder) throws {
        let radio: RadioSource
        do {
            radio = try RadioSource("hci:\(adapter)", scan: settings)
        } catch {
            throw Exit(code: 64, text: "--adapter \(adapter): \(error)")
        }
        defer { radio.stop() }
        let clock = AnchoredClock()
        let start = clock.now
        let end = seconds.map { start + .seconds($0) }
        var state: AdapterState?
        var wasUp = false
        var reason = ""
        while !StopSignal.isRaised {
            let now = clock.now
            if let end, now >= end { break }
            var heard: [HeardAdvertisement] = []
            let events =
                radio.tick(now: now)
                + radio.ready(now: now) { packet, _ in
                    heard += decoder.advertisements(in: packet)
                }
            for event in events {
                switch event {
                case .adapter(let now): state = now
                case .note(let text): reason = text
                }
            }
            if state == .up { wasUp = true }
            if !wasUp, now - start >= Self.patience || state == .absent {
                throw Self.exit(reason)
            }
            view.note = state == .up ? "" : "not listening: \(reason)"
            for advertisement in heard { try view.heard(advertisement, at: now) }
            try view.tick(at: now)
            wait(radio, until: min(view.deadline(after: now), end ?? now + .seconds(1)), clock)
        }
        try view.finish(at: clock.now)
    }

    private func wait(_ radio: RadioSource, until deadline: Timestamp, _ clock: AnchoredClock) {
        let due = min(deadline, radio.deadline ?? deadline)
        var entries = ([StopSignal.descriptor] + radio.descriptors).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let milliseconds = min(max(0, (due - clock.now).milliseconds), 1_000)
        poll(&entries, nfds_t(entries.count), Int32(milliseconds))
    }

    private static func exit(_ reason: String) -> Exit {
        Exit(
            code: 69,
            text: """
                \(reason.isEmpty ? "the adapter does not listen" : reason)
                beaconmesh doctor says what is missing; to look without an adapter, use \
                --capture FILE, or --node NODE --broker HOST --site SITE
                """)
    }
}
