import BeaconDecoding
import Ciphers
import Glibc
import Platform
import Radio
import SiteModel

/// Turns HCI packets into what a person wants to see of them.
package struct ScanDecoder {
    private var decoder: AdvertisementDecoder
    /// Packets that were damaged in some way.
    package private(set) var faults = 0

    /// A decoder that tells devices by `rules`.
    package init(rules: [DeviceRule]) {
        decoder = AdvertisementDecoder(
            keys: DecodingKeys(cryptography: LibCrypto.cryptography), rules: rules)
    }

    /// The advertisements of one H4 packet.
    package mutating func advertisements(in packet: Span<UInt8>) -> [HeardAdvertisement] {
        guard packet.count > 0, packet[0] == 0x04 else { return [] }
        var decoded = DecodedPacket()
        decoder.decode(event: packet, into: &decoded)
        if decoded.status == .error { faults += 1 }
        return decoded.reports.map { HeardAdvertisement($0) }
    }

    /// The advertisement of which a node tells only sender and data.
    package func contents(
        of data: [UInt8], address: UInt64?, kind: AdvertisingReport.AddressKind?
    ) -> DecodedReport? {
        var decoded = DecodedPacket()
        decoder.decode(
            data: data.span, from: DecodedReport.Sender(address: address, kind: kind),
            into: &decoded)
        return decoded.reports.first
    }
}

/// Plays an HCI log to a view, in its own time, slower, faster, or at once.
package struct CaptureScan {
    /// The log, which may be compressed.
    package var path: String
    /// How many times faster than recorded it is played; `nil`: as fast as possible.
    package var speed: Double?
    /// The most of the recording that is played, in seconds.
    package var seconds: Double?

    package init(path: String, speed: Double? = nil, seconds: Double? = nil) {
        self.path = path
        self.speed = speed
        self.seconds = seconds
    }

    /// How often the view is looked after while nothing is played.
    private static let step = Timestamp.Span.milliseconds(200)

    /// Plays until the log ends or somebody stops us. A damaged log is played as far as it goes, and
    /// then an `Exit` says where that is.
    package func run(_ view: inout ScanView, decoder: inout ScanDecoder) throws {
        let file = try CompressedFile(path: path)
        var reader = CaptureReader()
        var player = Player(speed: speed, limit: seconds)
        var damage: String?
        do {
            playing: while let piece = try file.read() {
                reader.feed(piece.span)
                while let packet = try reader.next() {
                    guard try player.play(packet, view: &view, decoder: &decoder) else {
                        break playing
                    }
                }
            }
            if !player.isStopped { try reader.end() }
        } catch let error as CaptureError {
            damage = "\(path): \(error)"
        } catch let error as CompressedFile.Damage {
            damage = "\(error)"
        }
        try view.finish(at: player.now)
        if let damage {
            throw Exit(code: 65, text: "\(damage), after \(player.packets) packets")
        }
    }

    /// The recording's time, and ours.
    private struct Player {
        var speed: Double?
        var limit: Double?
        private(set) var packets = 0
        private(set) var isStopped = false
        /// The recording's present moment.
        private(set) var now = Timestamp(milliseconds: 0)
        private var start: (recorded: Timestamp, here: Timestamp)?
        private let clock = AnchoredClock()

        init(speed: Double?, limit: Double?) {
            self.speed = speed
            self.limit = limit
        }

        /// Plays a packet when its time has come; `false` if it is to be the last.
        mutating func play(
            _ packet: CapturedPacket, view: inout ScanView, decoder: inout ScanDecoder
        ) throws -> Bool {
            let start = start ?? (packet.at, clock.now)
            self.start = start
            // Clocks of phones are set; time that goes backwards is no time.
            let due = packets == 0 ? packet.at : max(now, packet.at)
            packets += 1
            if let limit, (due - start.recorded).seconds >= limit {
                now = start.recorded + .seconds(limit)
                isStopped = true
                return false
            }
            try wait(until: due, from: start, &view)
            guard !isStopped else { return false }
            now = due
            for advertisement in decoder.advertisements(in: packet.bytes.span) {
                try view.heard(advertisement, at: now)
            }
            try view.tick(at: now)
            return true
        }

        private mutating func wait(
            until due: Timestamp, from start: (recorded: Timestamp, here: Timestamp),
            _ view: inout ScanView
        ) throws {
            while !StopSignal.isRaised {
                guard let speed else { return }
                let passed = (clock.now - start.here).seconds * speed
                let left = (due - start.recorded).seconds - passed
                guard left > 0 else { return }
                now = max(now, start.recorded + .seconds(passed))
                try view.tick(at: now)
                let milliseconds = min(left / speed * 1000, Double(CaptureScan.step.milliseconds))
                var entry = pollfd(fd: StopSignal.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, max(1, Int32(milliseconds.rounded(.up))))
            }
            isStopped = true
        }
    }
}

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
