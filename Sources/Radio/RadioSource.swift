import MeshCore

/// Where a node's HCI packets come from. One thread owns it: wait until one of `descriptors` can be
/// read or `deadline` has come, then call `tick` and `ready`, in this order; calling them more often
/// changes nothing. Neither blocks, except that a controller may take some seconds to be switched on.
public enum RadioSource {
    /// A Bluetooth adapter of this machine.
    case adapter(BlueZScanner)
    /// A recording that is played once.
    case recording(BTSnoopPlayer)
    /// A recording that somebody writes as we read.
    case stream(BTSnoopStream)

    /// The source that `text` names: `hci:hci0`, `btsnoop:FILE` or `btsnoop:unix:PATH`. `scan` is
    /// for an adapter, `pace` for a file.
    public init(
        _ text: String, scan: ScanSettings = ScanSettings(), pace: BTSnoopPlayer.Pace = .realtime
    ) throws(RadioError) {
        if let path = Self.rest(of: text, after: "btsnoop:unix:") {
            self = .stream(try BTSnoopStream(path: path))
        } else if let path = Self.rest(of: text, after: "btsnoop:") {
            self = .recording(try BTSnoopPlayer(path: path, pace: pace))
        } else if let name = Self.rest(of: text, after: "hci:") {
            guard let number = Self.rest(of: name, after: "hci"), let index = UInt16(number),
                String(index) == number, index < UInt16.max
            else { throw .badAdapter(name) }
            self = .adapter(BlueZScanner(adapter: index, settings: scan))
        } else {
            throw .unknownSource(text)
        }
    }

    /// What to wait on for reading. It changes whenever `tick` or `ready` was called.
    public var descriptors: [Int32] {
        switch self {
        case .adapter(let scanner): scanner.descriptors
        case .recording: []
        case .stream(let stream): stream.descriptors
        }
    }

    /// When `tick` or `ready` next has something to do although nothing can be read; `nil` for
    /// never. A new source is due at once.
    public var deadline: Timestamp? {
        switch self {
        case .adapter(let scanner): scanner.deadline
        case .recording(let player): player.deadline
        case .stream(let stream): stream.deadline
        }
    }

    /// Does what time demands: opens, connects, starts a scan, tries again. `now` is the node's
    /// anchored clock.
    public func tick(now: Timestamp) -> [RadioEvent] {
        switch self {
        case .adapter(let scanner): scanner.tick(now: now)
        case .recording: []
        case .stream(let stream): stream.tick(now: now)
        }
    }

    /// Takes what has arrived and calls `heard` with each H4 packet, whose bytes are valid during the
    /// call only, and the moment it counts as heard.
    public func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        switch self {
        case .adapter(let scanner): scanner.ready(now: now, heard)
        case .recording(let player): player.ready(now: now, heard)
        case .stream(let stream): stream.ready(now: now, heard)
        }
    }

    /// Leaves the radio as it should be left: the scan off, sockets closed. The source is of no use
    /// afterwards.
    public func stop() {
        switch self {
        case .adapter(let scanner): scanner.stop()
        case .recording(let player): player.stop()
        case .stream(let stream): stream.stop()
        }
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.hasPrefix(prefix), text.utf8.count > prefix.utf8.count else { return nil }
        return String(text.dropFirst(prefix.count))
    }
}
