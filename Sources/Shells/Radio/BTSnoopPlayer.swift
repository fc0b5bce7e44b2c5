import BeaconDecoding
import NodeEngine
import SiteModel

/// Plays a btsnoop file once. Each packet counts as heard at the moment it is played.
package final class BTSnoopPlayer {
    /// How fast a recording is played.
    package enum Pace: Sendable {
        /// With the gaps it was recorded with, the first packet at once. Time that goes backwards in
        /// the recording is no gap.
        case realtime
        /// As fast as it is asked for.
        case fast
    }

    /// Packets played so far.
    package private(set) var played = 0
    /// When the next packet is due; in the past if it could be had at once, `nil` at the end.
    package private(set) var deadline: Timestamp? = Timestamp(milliseconds: 0)

    /// The most packets of one call, so that the caller's loop stays responsive.
    private static let batch = 512

    private let path: String
    private let pace: Pace
    private var file: Descriptor?
    private var reader = BTSnoopReader()
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var isAnnounced = false
    private var since = Timestamp(milliseconds: 0)
    /// The packet to be played next, read ahead to know when.
    private var following: BTSnoopReader.Record?
    /// The last packet's time in the recording, and when it was due here.
    private var last: (recorded: Timestamp, due: Timestamp)?

    /// A file that can be opened.
    ///
    /// - Throws: `.cannotOpen` with the system's reason.
    package init(path: String, pace: Pace) throws(RadioError) {
        self.path = path
        self.pace = pace
        do {
            file = try Descriptor.open(path: path)
        } catch {
            throw .cannotOpen(path: path, reason: SystemFailure.text(error.code))
        }
    }

    /// What it does, as if it were an adapter named after its file.
    package var status: ScanStatus {
        let state: ScanStatus.State =
            file == nil ? .stopped : isAnnounced ? .scanning : .starting
        return ScanStatus(state: state, adapter: path, since: since)
    }

    /// Plays what is due. At the end it says once that, and why, it ended.
    package func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        guard let file else { return [] }
        var events: [RadioEvent] = []
        if !isAnnounced {
            isAnnounced = true
            since = now
            events.append(.adapter(.up))
        }
        for _ in 0..<Self.batch {
            do {
                following = try following ?? read(file)
            } catch {
                stop()
                since = now
                let reason = "\(path): \(error), after \(played) packets"
                return events + [.note(reason), .adapter(.ended)]
            }
            guard let record = following else {
                stop()
                since = now
                return events + [
                    .note("\(path): played to its end, \(played) packets"), .adapter(.ended),
                ]
            }
            let due = due(record, now: now)
            deadline = due
            guard due <= now else { break }
            last = (record.at, due)
            following = nil
            played += 1
            heard(record.packet.span, now)
        }
        return events
    }

    /// Closes the file.
    package func stop() {
        file = nil
        deadline = nil
    }

    /// When `record` is to be played.
    private func due(_ record: BTSnoopReader.Record, now: Timestamp) -> Timestamp {
        guard pace == .realtime, let last else { return now }
        return max(last.due, last.due + (record.at - last.recorded))
    }

    /// The next record, or `nil` at the file's end.
    private func read(_ file: Descriptor) throws(Fault) -> BTSnoopReader.Record? {
        while true {
            do throws(BTSnoopError) {
                if let record = try reader.next() { return record }
            } catch {
                throw .format(error)
            }
            switch file.read(into: &buffer) {
            case .bytes(let count):
                reader.feed(buffer.span.extracting(0..<count))
            case .failed(let code):
                throw .system(SystemFailure(call: "read", code: code))
            case .ended, .nothing:
                do throws(BTSnoopError) { try reader.end() } catch { throw .format(error) }
                return nil
            }
        }
    }

    /// Why playing stopped early.
    private enum Fault: Error, CustomStringConvertible {
        case format(BTSnoopError)
        case system(SystemFailure)

        var description: String {
            switch self {
            case .format(let error): error.description
            case .system(let error): error.description
            }
        }
    }
}

/// Reads btsnoop from a Unix socket as its peer writes it, and connects again when the peer goes
/// away. Each connection begins with a header. A packet counts as heard when it is read; the times
/// in the stream are not used.
package final class BTSnoopStream {
    /// When to try to connect, or `nil` while connected.
    package private(set) var deadline: Timestamp? = Timestamp(milliseconds: 0)

    /// The wait after a failure doubles from the first to the longest.
    private static let firstWait = Timestamp.Span.milliseconds(250)
    private static let longestWait = Timestamp.Span.milliseconds(5_000)
    /// The most reads of one call, so that the caller's loop stays responsive.
    private static let batch = 8

    private let path: String
    private var peer: Descriptor?
    private var reader = BTSnoopReader()
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var wait = firstWait
    private var state: AdapterState?
    private var isStopped = false
    private var since = Timestamp(milliseconds: 0)

    /// A socket's path, whether somebody listens there yet or not.
    ///
    /// - Throws: `.pathTooLong`; nothing else is final, `tick` tries again.
    package init(path: String) throws(RadioError) {
        guard path.utf8.count <= Descriptor.longestSocketPath else {
            throw .pathTooLong(path: path, limit: Descriptor.longestSocketPath)
        }
        self.path = path
    }

    /// The connection, if there is one.
    package var descriptors: [Int32] { peer.map { [$0.number] } ?? [] }

    /// What it does, as if it were an adapter named after its socket.
    package var status: ScanStatus {
        let state: ScanStatus.State =
            isStopped ? .stopped : peer == nil ? (state == nil ? .starting : .absent) : .scanning
        return ScanStatus(state: state, adapter: path, since: since)
    }

    /// Connects when it is time to.
    package func tick(now: Timestamp) -> [RadioEvent] {
        guard !isStopped, peer == nil, let deadline, now >= deadline else { return [] }
        do {
            peer = try Descriptor.connect(path: path)
        } catch {
            return lost(now: now, reason: "\(error)")
        }
        reader = BTSnoopReader()
        self.deadline = nil
        return change(to: .up, now)
    }

    /// Reads what the peer wrote.
    package func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        guard let peer else { return [] }
        for _ in 0..<Self.batch {
            switch peer.read(into: &buffer) {
            case .nothing:
                return []
            case .ended:
                return lost(now: now, reason: ending)
            case .failed(let code):
                return lost(now: now, reason: SystemFailure.text(code))
            case .bytes(let count):
                reader.feed(buffer.span.extracting(0..<count))
                do throws(BTSnoopError) {
                    while let record = try reader.next() {
                        wait = Self.firstWait
                        heard(record.packet.span, now)
                    }
                } catch {
                    return lost(now: now, reason: error.description)
                }
            }
        }
        return []
    }

    /// Closes the connection for good.
    package func stop() {
        isStopped = true
        peer = nil
        deadline = nil
    }

    /// How a stream that the peer closed ended.
    private var ending: String {
        do throws(BTSnoopError) {
            try reader.end()
            return "closed by its peer"
        } catch {
            return "closed by its peer, \(error)"
        }
    }

    private func lost(now: Timestamp, reason: String) -> [RadioEvent] {
        peer = nil
        deadline = now + wait
        let note = RadioEvent.note("\(path): \(reason); again in \(wait.milliseconds) ms")
        wait = min(wait + wait, Self.longestWait)
        return [note] + change(to: .absent, now)
    }

    private func change(to new: AdapterState, _ now: Timestamp) -> [RadioEvent] {
        guard state != new else { return [] }
        (state, since) = (new, now)
        return [.adapter(new)]
    }
}
