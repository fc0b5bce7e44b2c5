import Basics
import BeaconDecoding
import Glibc
import NodeEngine
import SiteModel

/// Where a node's HCI packets come from. One thread owns it: wait until one of `descriptors` can be
/// read or `deadline` has come, then call `tick` and `ready`, in this order; calling them more often
/// changes nothing. Neither waits for anything.
package enum RadioSource {
    /// Bluetooth adapters of this machine.
    case adapter(AdapterGroup)
    /// A recording that is played once.
    case recording(BTSnoopPlayer)
    /// A recording that somebody writes as we read.
    case stream(BTSnoopStream)

    /// The source that `text` names: `hci:hci0`, `hci:00:1B:DC:00:00:01`, `hci:any`, several of these
    /// with commas between them, `btsnoop:FILE` or `btsnoop:unix:PATH`. `scan` is for adapters,
    /// `pace` for a file.
    ///
    /// - Throws: `.unknownSource` or `.badAdapter` for a text, `.cannotOpen` or `.pathTooLong` for
    ///   a file: faults of a configuration, which waiting does not mend.
    package init(
        _ text: String, scan: ScanSettings = ScanSettings(), pace: BTSnoopPlayer.Pace = .realtime
    ) throws(RadioError) {
        if let path = Self.rest(of: text, after: "btsnoop:unix:") {
            self = .stream(try BTSnoopStream(path: path))
        } else if let path = Self.rest(of: text, after: "btsnoop:") {
            self = .recording(try BTSnoopPlayer(path: path, pace: pace))
        } else if Self.rest(of: text, after: "hci:") != nil {
            self = .adapter(AdapterGroup(try Self.adapters(text), settings: scan))
        } else {
            throw .unknownSource(text)
        }
    }

    /// What to wait on for reading. It changes whenever `tick` or `ready` was called.
    package var descriptors: [Int32] {
        switch self {
        case .adapter(let group): group.descriptors
        case .recording: []
        case .stream(let stream): stream.descriptors
        }
    }

    /// When `tick` or `ready` next has something to do although nothing can be read; `nil` for
    /// never. A new source is due at once.
    package var deadline: Timestamp? {
        switch self {
        case .adapter(let group): group.deadline
        case .recording(let player): player.deadline
        case .stream(let stream): stream.deadline
        }
    }

    /// What each scanner does, in the order of the configuration; a recording is one too.
    package var statuses: [ScanStatus] {
        switch self {
        case .adapter(let group): group.scanners.map(\.status)
        case .recording(let player): [player.status]
        case .stream(let stream): [stream.status]
        }
    }

    /// What the best of the scanners does: one that listens before one that does not, then the first.
    package var status: ScanStatus {
        let statuses = statuses
        return statuses.first(where: \.isListening) ?? statuses[0]
    }

    /// Does what time demands: opens, connects, starts a scan, tries again. `now` is the node's
    /// anchored clock.
    package func tick(now: Timestamp) -> [RadioEvent] {
        switch self {
        case .adapter(let group): group.tick(now: now)
        case .recording: []
        case .stream(let stream): stream.tick(now: now)
        }
    }

    /// Takes what has arrived and calls `heard` with each H4 packet, whose bytes are valid during the
    /// call only, and the moment it counts as heard. Those of one adapter come in order of time.
    package func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        switch self {
        case .adapter(let group): group.ready(now: now, heard)
        case .recording(let player): player.ready(now: now, heard)
        case .stream(let stream): stream.ready(now: now, heard)
        }
    }

    /// Ceases to listen until `resume`. Of adapters only; a recording goes on.
    package func halt(now: Timestamp) -> [RadioEvent] {
        guard case .adapter(let group) = self else { return [] }
        return group.halt(now: now)
    }

    /// Listens again after `halt`.
    package func resume(now: Timestamp) -> [RadioEvent] {
        guard case .adapter(let group) = self else { return [] }
        return group.resume(now: now)
    }

    /// Leaves the radio as it should be left: the scan off, sockets closed. The source is of no use
    /// afterwards.
    package func stop() {
        switch self {
        case .adapter(let group): group.stop()
        case .recording(let player): player.stop()
        case .stream(let stream): stream.stop()
        }
    }

    /// Gives up, for the rest of the process, the privileges that this source does not need: all but
    /// CAP_NET_RAW and CAP_NET_ADMIN for an adapter, these two as well for anything else. Root keeps
    /// the others. Returns why that failed, or `nil`.
    package func dropPrivileges() -> String? {
        var needsAdapters = false
        if case .adapter = self { needsAdapters = true }
        let code = Privileges.drop(keepingAdapters: needsAdapters)
        return code == 0 ? nil : SystemFailure(call: "capset", code: code).description
    }

    private static func adapters(_ text: String) throws(RadioError) -> [AdapterName] {
        var names: [AdapterName] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = part.drop { $0 == " " }
            guard let name = rest(of: String(word), after: "hci:") else {
                throw .badAdapter(String(word))
            }
            guard let adapter = AdapterName(text: name), !names.contains(adapter) else {
                throw .badAdapter(name)
            }
            names.append(adapter)
        }
        return names
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.hasPrefix(prefix), text.utf8.count > prefix.utf8.count else { return nil }
        return String(text.dropFirst(prefix.count))
    }
}

extension AdapterName {
    /// `hciN`, an address, or `any`; `nil` for anything else.
    package init?(text: String) {
        if text == "any" {
            self = .any
        } else if text.hasPrefix("hci") {
            let number = text.dropFirst("hci".count)
            guard let index = UInt16(number), String(index) == number, index < UInt16.max else {
                return nil
            }
            self = .index(index)
        } else {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 6 else { return nil }
            var address: UInt64 = 0
            for part in parts {
                guard part.utf8.count == 2, let byte = Hex.number(part.utf8) else { return nil }
                address = address << 8 | byte
            }
            self = .address(address)
        }
    }
}

/// What a radio source has to say beside packets.
package enum RadioEvent: Equatable, Sendable {
    /// The radio began or ceased to listen. Told on change only.
    case adapter(AdapterState)
    /// A sentence for the log: why something failed, or what is tried next.
    case note(String)
}

/// Why a radio source cannot be used at all. What may pass (no adapter, nobody at the socket) is
/// told by `RadioEvent` instead and tried again.
package enum RadioError: Error, Equatable, CustomStringConvertible {
    /// The text names no kind of source.
    case unknownSource(String)
    /// What follows `hci:` is no adapter.
    case badAdapter(String)
    /// The file of a recording cannot be opened.
    case cannotOpen(path: String, reason: String)
    /// A socket's path does not fit into a socket address.
    case pathTooLong(path: String, limit: Int)

    /// The fault in words, with what was expected.
    package var description: String {
        switch self {
        case .unknownSource(let text):
            "“\(text)” is no radio: expected hci:hci0, hci:any, btsnoop:FILE or btsnoop:unix:PATH"
        case .badAdapter(let text):
            "“\(text)” is no adapter, or named twice: expected hci0, hci1 …, an address, or any"
        case .cannotOpen(let path, let reason):
            "cannot open \(path): \(reason)"
        case .pathTooLong(let path, let limit):
            "\(path) is longer than the \(limit) bytes a socket's path may have"
        }
    }
}

/// How long packets wait in the kernel before they are read.
struct Lateness {
    private static let window = Timestamp.Span.seconds(10)
    /// A difference beyond this is no lateness: somebody set the clock.
    private static let longest: Int64 = 60_000

    private var began = Timestamp(milliseconds: 0)
    private var present: Int64?
    private var before: Int64?

    /// The most of the last ten to twenty seconds in which there were packets.
    var most: Timestamp.Span? {
        [present, before].compactMap { $0 }.max().map { .milliseconds($0) }
    }

    /// The wall clock in microseconds since 1970.
    static var wallNow: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// When a packet came, in the clock of `now`, if the kernel got it at the wall-clock time `stamp`
    /// and the wall clock says `wall` now, both in microseconds.
    mutating func moment(stamp: Int64, wall: Int64, now: Timestamp) -> Timestamp {
        guard stamp > 0 else { return now }
        let (difference, overflow) = wall.subtractingReportingOverflow(stamp)
        let late = difference / 1_000
        guard !overflow, (0...Self.longest).contains(late) else { return now }
        if now - began >= Self.window {
            (before, present, began) = (present, nil, now)
        }
        present = max(present ?? 0, late)
        return now - .milliseconds(late)
    }
}
