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
