import Basics
import SiteModel

/// What one scanner does, and what it has gone through: what health, alerts and people are told.
package struct ScanStatus: Equatable, Sendable {
    /// What the scanner does.
    package enum State: String, Equatable, Sendable, CaseIterable {
        /// There is no such adapter.
        case absent
        /// The adapter is switched off by rfkill, which only a person or a program may lift.
        case blocked
        /// The adapter was switched off, by somebody or something.
        case down
        /// It is being switched on and told to scan, for the first time or after an absence.
        case starting
        case scanning
        /// Somebody else uses the adapter; our scan is off or not as it should be.
        case foreign
        /// It scans, as far as the controller says, and hears nothing for unusually long. Either
        /// nobody transmits, or the controller lies; what could be tried has been tried.
        case quiet
        /// A remedy is under way.
        case recovering
        /// The remedies did not help; they are tried again ever less often.
        case failed
        /// It was told to stop, or its recording is over.
        case stopped
    }

    /// Counts of remedies since the start of the process.
    package struct Recoveries: Equatable, Sendable {
        /// Scans started again because of an error, a disturbance, or silence.
        package var rescans = 0
        /// Adapters switched off and on again.
        package var powerCycles = 0

        package init() {}

        package var total: Int { rescans + powerCycles }
    }

    package var state: State
    /// The adapter, such as `hci0`; what was asked for while there is none.
    package var adapter: String
    /// The adapter's address, most significant byte first in the low 48 bits, once it is known.
    /// Nothing to identify a node by: some adapters all have the same.
    package var address: UInt64?
    package var since: Timestamp
    /// The remedies so far.
    package var recoveryCounts = Recoveries()
    /// How often somebody else's commands ended our scan.
    package var takeovers = 0
    /// The most that packets waited to be read in the last ten to twenty seconds, or `nil` if the
    /// source does not say when they came.
    package var lateness: Timestamp.Span?

    /// A scanner that has done nothing but this.
    package init(
        state: State, adapter: String, address: UInt64? = nil, since: Timestamp,
        lateness: Timestamp.Span? = nil
    ) {
        self.state = state
        self.adapter = adapter
        self.address = address
        self.since = since
        self.lateness = lateness
    }

    /// The remedies so far, of whatever kind.
    package var recoveries: Int { recoveryCounts.total }

    /// Whether what is not heard counts as silence. It does when the scan is on and its controller
    /// answers, however little is heard.
    package var isListening: Bool { state == .scanning || state == .quiet }
}

/// Which adapter of a machine is meant. Adapters are numbered in the order in which they appear, so
/// one that is pulled out may return under another number.
package enum AdapterName: Hashable, Sendable, CustomStringConvertible {
    /// `hciN`. Once it was there, its address is remembered, and it is found under another number
    /// while no adapter has this one.
    case index(UInt16)
    /// The one with this address, most significant byte first in the low 48 bits.
    case address(UInt64)
    /// The one with the lowest number.
    case any

    /// An adapter that is there.
    package struct Present: Equatable, Sendable {
        /// Its number, as in `hciN`.
        package var index: UInt16
        /// Its address, or `nil` while the system has not asked it yet.
        package var address: UInt64?

        package init(index: UInt16, address: UInt64?) {
            self.index = index
            self.address = address
        }
    }

    /// The adapter that is meant, if it is there.
    ///
    /// - Parameters:
    ///   - present: the adapters of the machine, in any order.
    ///   - taken: numbers that are not to be had, because another scanner has them.
    ///   - remembered: the address of the adapter that was last found by this name.
    package func choose(
        from present: [Present], taken: [UInt16] = [], remembered: UInt64? = nil
    ) -> Present? {
        let free = present.filter { !taken.contains($0.index) }
            .sorted { $0.index < $1.index }
        switch self {
        case .index(let index):
            return free.first { $0.index == index }
                ?? remembered.flatMap { address in free.first { $0.address == address } }
        case .address(let address): return free.first { $0.address == address }
        case .any:
            // The one we had, wherever it is now, before one we do not know.
            return remembered.flatMap { address in free.first { $0.address == address } }
                ?? free.first
        }
    }

    /// As in the configuration: `hci0`, `00:1B:DC:00:00:01`, `any`.
    package var description: String {
        switch self {
        case .index(let index): "hci\(index)"
        case .address(let address): Hex.text(address: address).uppercased()
        case .any: "any"
        }
    }
}

/// The times of the recovery machine. What is bound to a cause says where it comes from.
enum ScanTiming {
    /// The interval of looking for an absent adapter, in case the kernel's event is missed.
    static let lookingAgain = Timestamp.Span.milliseconds(2_000)
    /// The interval of attempts while rfkill blocks the adapter: a Bluetooth socket does not report
    /// its end.
    static let whileBlocked = Timestamp.Span.milliseconds(2_000)
    /// How long an adapter that somebody switched off is left off.
    static let afterDown = Timestamp.Span.milliseconds(1_000)
    /// How long after another program's last command we leave the adapter to it.
    static let settling = Timestamp.Span.milliseconds(300)
    /// But no longer than this in all, also while a scan of theirs runs.
    static let patience = Timestamp.Span.milliseconds(15_000)
    /// How often within `window` the scan is taken back from other programs at once: two that fight
    /// for an adapter both lose. From then on we wait for `pace` before each.
    static let fights = 6
    /// The same for scans begun for whatever reason, except after failures, which have waits of their
    /// own: this is not reached unless faults follow each other every few seconds.
    static let starts = 12
    static let window = Timestamp.Span.milliseconds(60_000)
    static let pace = Timestamp.Span.milliseconds(5_000)
    /// A controller answers a command in a few milliseconds; the kernel itself gives up after two
    /// seconds.
    static let answer = Timestamp.Span.milliseconds(1_000)
    /// The kernel gives a controller ten seconds to come up.
    static let switching = Timestamp.Span.milliseconds(30_000)
    /// Between off and on.
    static let rest = Timestamp.Span.milliseconds(500)
    /// Without a scan for longer than this, what is not heard is not silence.
    static let grace = Timestamp.Span.milliseconds(1_000)
    /// The failed attempts from which the scanner counts as failed.
    static let failuresToSay = 2
    /// How long advertisements must come regularly before a silence counts as a new one.
    static let regular = Timestamp.Span.milliseconds(10_000)

    /// What is heard so soon after a power cycle was cured by it.
    static let cure = Timestamp.Span.milliseconds(2_000)

    /// The wait after the failure `number`, from 1, of a trouble that has lasted for `span`. For five
    /// minutes it is so short that the end of a fault is met within seconds.
    static func wait(afterFailure number: Int, lasting span: Timestamp.Span) -> Timestamp.Span {
        if span >= .seconds(3_600) { return .seconds(300) }
        if span >= .seconds(300) { return .seconds(30) }
        return .milliseconds(min(500 << Int64(min(max(number, 1) - 1, 3)), 3_000))
    }

    /// The wait before another power cycle against silence, after `useless` of them that brought
    /// nothing: 1, 2, 4 … 30 minutes. Where nothing transmits, resetting is of no use.
    static func wait(afterUseless useless: Int) -> Timestamp.Span {
        .seconds(Double(min(60 << min(max(useless, 1) - 1, 5), 1_800)))
    }
}

/// Keeps scans from being begun too often, and from being taken back from somebody too often.
struct ScanPace: Equatable, Sendable {
    /// When scans were begun lately, oldest first, at most `ScanTiming.starts`.
    private var starts: [Timestamp] = []
    /// When the scan was taken back from somebody, likewise at most `ScanTiming.fights`.
    private var fights: [Timestamp] = []

    /// When the latest scan was begun.
    var lastStart: Timestamp? { starts.last }

    /// A scan was begun.
    mutating func started(at now: Timestamp) {
        starts.append(now)
        if starts.count > ScanTiming.starts { starts.removeFirst() }
    }

    /// The scan was taken back from somebody.
    mutating func fought(at now: Timestamp) {
        fights.append(now)
        if fights.count > ScanTiming.fights { fights.removeFirst() }
    }

    /// Whether the next scan may begin as soon as it should, for all that was begun in the last
    /// minute; `isFight` if it is to be taken from somebody.
    func allows(_ now: Timestamp, isFight: Bool = false) -> Bool {
        func isFull(_ moments: [Timestamp], _ limit: Int) -> Bool {
            moments.count >= limit && now - moments[moments.count - limit] < ScanTiming.window
        }
        if isFight, isFull(fights, ScanTiming.fights) { return false }
        return !isFull(starts, ScanTiming.starts)
    }

    /// `span` from now, or later when scans were begun too often lately.
    func moment(_ now: Timestamp, _ span: Timestamp.Span, isFight: Bool = false) -> Timestamp {
        now + (allows(now, isFight: isFight) ? span : max(span, ScanTiming.pace))
    }
}
