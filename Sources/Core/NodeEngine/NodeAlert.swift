import BeaconDecoding
import SiteModel

/// What a person should look at, on a node. The raw value stands in its health.
package enum NodeAlert: String, CaseIterable, Sendable, Codable {
    /// There is no adapter.
    case radioAbsent = "radio-absent"
    /// The adapter is switched off by rfkill.
    case radioBlocked = "radio-blocked"
    /// The adapter is there and does not listen.
    case radioDown = "radio-down"
    /// The scan was lost, and is being started again.
    case radioRecovering = "radio-recovering"
    /// The scan is on, and nothing has been heard for unusually long.
    case radioQuiet = "radio-quiet"
    /// Another program uses the adapter.
    case radioForeign = "radio-foreign"
    /// Nothing that was tried brought the scan back.
    case radioFailed = "radio-failed"
    /// No time server keeps the wall clock.
    case clockUnsynced = "clock-unsynced"
    /// The wall clock was set while the process ran, which goes on by the old time.
    case clockStepped = "clock-stepped"
    /// The outbox is full: the oldest evidence is being lost.
    case outboxFull = "outbox-full"
    /// A part of the outbox could not be read.
    case outboxDamaged = "outbox-damaged"
    /// The broker does not let the node read all that it must: settings and commands do not reach it.
    case halfDeaf = "half-deaf"
    /// The processor is slowed down for want of power or because of heat.
    case throttled
    /// The processor is about to be slowed down because of heat.
    case hot

    /// How long a condition must hold before it becomes an alert.
    package var patience: Timestamp.Span {
        switch self {
        // At the start none has been found yet.
        case .radioAbsent: .seconds(2)
        case .radioBlocked, .radioDown, .radioForeign, .radioRecovering, .radioQuiet, .radioFailed,
            .clockStepped, .outboxFull, .outboxDamaged, .halfDeaf:
            .seconds(0)
        case .throttled, .hot: .seconds(5)
        // After a start it takes a while to ask a time server.
        case .clockUnsynced: .seconds(60)
        }
    }
}

/// An alert that was raised.
package struct RaisedAlert: Equatable, Sendable {
    package var alert: NodeAlert
    /// Since when what it is about has been so.
    package var since: Timestamp

    package init(_ alert: NodeAlert, since: Timestamp) {
        self.alert = alert
        self.since = since
    }
}

/// Raises alerts when their conditions have held for a while, and clears them some time after they
/// ended: a fault that was over within a blink is seen as well.
package struct NodeAlarm: Equatable, Sendable {
    /// How long a condition must be absent before its alert is cleared.
    static let hold = Timestamp.Span.seconds(3)

    /// The alerts raised, the oldest first.
    private(set) var raised: [RaisedAlert] = []
    /// Since when each condition has held, in the order of `NodeAlert.allCases`.
    private var since = [Timestamp?](repeating: nil, count: NodeAlert.allCases.count)
    /// When each condition that is or was worth an alert was seen last, in the same order.
    private var seen = [Timestamp?](repeating: nil, count: NodeAlert.allCases.count)

    /// Looks at the conditions that hold now. Whether `raised` changed.
    mutating func look(at conditions: Set<NodeAlert>, now: Timestamp) -> Bool {
        var found: [RaisedAlert] = []
        for (index, alert) in NodeAlert.allCases.enumerated() {
            let start = since[index] ?? now
            if conditions.contains(alert) {
                since[index] = start
                guard now - start >= alert.patience else { continue }
                seen[index] = now
            } else if let last = seen[index], now - last < Self.hold {
                // Held: it is told as it was.
            } else {
                (since[index], seen[index]) = (nil, nil)
                continue
            }
            found.append(RaisedAlert(alert, since: start))
        }
        // Equal moments keep the order of the cases: sorting is stable.
        found.sort { $0.since < $1.since }
        guard found != raised else { return false }
        raised = found
        return true
    }
}

extension ScanStatus.State {
    /// The alert that says so, if it is worth one.
    package var alert: NodeAlert? {
        switch self {
        case .absent: .radioAbsent
        case .blocked: .radioBlocked
        case .down: .radioDown
        case .foreign: .radioForeign
        case .quiet: .radioQuiet
        case .failed: .radioFailed
        case .recovering: .radioRecovering
        case .starting, .scanning, .stopped: nil
        }
    }
}

extension AdapterState {
    /// The same where there is no scanner to say more.
    package var alert: NodeAlert? {
        switch self {
        case .absent: .radioAbsent
        case .down: .radioDown
        case .up, .ended, .stopped: nil
        }
    }
}

/// Whether a beacon's battery is low, told once a day.
struct BatteryWatch: Sendable {
    /// How many readings in a row must be low: voltage dips while a tag sends.
    static let confirmations = 3
    /// The time after which it is reported again.
    static let pause = Timestamp.Span.seconds(24 * 3600)

    private var low = 0
    private var toldAt: Timestamp?

    /// The beacon said how its battery is. Returns whether that is to be told; never while
    /// `isYoung`.
    mutating func heard(_ battery: Telemetry.Battery, isYoung: Bool, at now: Timestamp) -> Bool {
        guard battery.isLow else {
            low = 0
            return false
        }
        low = min(low + 1, Self.confirmations)
        guard low == Self.confirmations, !isYoung,
            toldAt.map({ now - $0 >= Self.pause }) ?? true
        else { return false }
        toldAt = now
        return true
    }
}

/// Compares how long a transmitter says it has run with the time that passed: two of them cannot tell
/// one story, and a restarted one begins from nothing.
struct UptimeWatch: Sendable {
    /// Clocks of tags run this much wrong at most, in parts.
    static let drift = 0.05
    /// And what they say is this old at most.
    static let slack = Timestamp.Span.seconds(60)
    /// How often it must agree before it is believed to be a clock: some tags count something else.
    static let lessons = 3

    private var last: (uptime: Timestamp.Span, at: Timestamp)?
    private var fits = 0

    /// It said how long it has run. Returns whether another transmitter says so.
    mutating func heard(_ uptime: Timestamp.Span, at now: Timestamp) -> Bool {
        defer { last = (uptime, now) }
        guard let last, now > last.at else { return false }
        let passed = (now - last.at).seconds
        let slack = Self.slack.seconds + passed * Self.drift
        let error = uptime.seconds - last.uptime.seconds - passed
        if abs(error) <= slack {
            // Right only where it could have been wrong.
            if passed > 0, uptime != last.uptime { fits = min(fits + 1, Self.lessons) }
            return false
        }
        // Restarted since.
        guard uptime.seconds > passed + slack else { return false }
        return fits >= Self.lessons
    }
}

/// Notices when the wall clock is set while a process runs that keeps its own.
package struct ClockWatch: Equatable, Sendable {
    /// A time server corrects a clock by slewing, half a millisecond a second; what is faster was a
    /// step.
    private static let slew = Timestamp.Span.milliseconds(250)
    /// Farther off than this, times told are worth an alert.
    package static let tolerance = Timestamp.Span.seconds(5)

    /// How far the wall clock was ahead of the process's own when last looked at.
    package private(set) var offset = Timestamp.Span.milliseconds(0)
    /// How often it was set.
    package private(set) var steps = 0

    package init() {}

    /// Looked at, about once a second. Whether it was set since the last time.
    package mutating func look(offset new: Timestamp.Span) -> Bool {
        let change = new.milliseconds - offset.milliseconds
        offset = new
        guard abs(change) > Self.slew.milliseconds else { return false }
        steps += 1
        return true
    }

    /// Whether it is so far off that times told are wrong.
    package var isOff: Bool { abs(offset.milliseconds) > Self.tolerance.milliseconds }
}
