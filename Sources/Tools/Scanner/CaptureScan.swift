import Glibc
import Radio
import SiteModel
import Platform

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
