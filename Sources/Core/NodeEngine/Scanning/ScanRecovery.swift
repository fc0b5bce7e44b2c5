import SiteModel

/// Keeps one adapter scanning: decides when to look for it, when to switch it on, which command to
/// send, how to handle a fault, and when to leave it alone. It holds no clock and touches no
/// adapter.
///
/// The shell tells it what happened (`handle`) and that time has passed (`tick`), performs the effects
/// in their order, and reports back what came of them. At any time but in `stopped` there is a
/// `deadline`: whatever fails to answer is given up by then.
package struct ScanRecovery: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// Some adapter appeared or was switched on; perhaps it is ours.
        case appeared
        /// The answers to `look`.
        case found, missing
        /// Our adapter is not there any more.
        case vanished
        /// Our adapter was switched off or on, by whomever.
        case wentDown, cameUp
        /// The answers to `open`.
        case opened, openingFailed
        /// The answer to `switchOn` and `switchOff`.
        case switched(Switched)
        /// The controller answered a command of ours: status and what stands behind it.
        case answered(ScanCommand, status: UInt8, bytes: [UInt8])
        /// Somebody else gave a command that ends or changes a scan.
        case foreign(ForeignCommand)
        /// The controller says that it had to give up. The kernel resets it.
        case hardwareError
        /// An advertisement with data and a level arrived; once for a batch of them will do.
        case heard
    }

    /// What came of switching an adapter.
    package enum Switched: Equatable, Sendable {
        /// It is now as was asked, and was not before.
        case done
        /// It was like that already.
        case already
        /// rfkill forbids it.
        case blocked
        /// The adapter is not there.
        case gone
        /// It did not come to pass, for instance because the controller did not answer.
        case failed
    }

    /// A command of somebody else.
    package enum ForeignCommand: Equatable, Sendable {
        /// Starts a scan in place of ours.
        case enable
        /// Ends ours.
        case disable
        /// How to scan, or a reset.
        case other
    }

    package enum Effect: Equatable, Sendable {
        /// Look for our adapter, and answer `found` or `missing`.
        case look
        /// Begin to listen to the adapter, and answer `opened` or `openingFailed`.
        case open
        /// Cease to listen to it, and forget answers that are still out.
        case close
        /// Switch it on, without waiting for it; answer `switched`. It is right although the adapter
        /// is on: that keeps the kernel from switching a new one off after two seconds.
        case switchOn
        /// Switch it off, without waiting for it; answer `switched`. It then forgets which scan
        /// commands it was given.
        case switchOff
        /// Give it a command, without waiting for the answer.
        case send(ScanCommand, ScanFamily)
        /// Say why.
        case tell(Trouble)
    }

    /// Why something is done.
    package enum Trouble: Equatable, Sendable {
        /// The silence lasted this long.
        case silence(Timestamp.Span)
        /// The controller refused a command with a status.
        case refused(ScanCommand, status: UInt8)
        /// The controller did not answer a command in time.
        case unanswered(ScanCommand)
        /// The adapter could not be switched or opened.
        case unusable
        /// rfkill blocks the adapter.
        case blocked
        /// Somebody else gave scan commands.
        case foreign
        /// The controller reported an error.
        case hardwareError
    }

    /// Why a scan is being started.
    package enum Purpose: Equatable, Sendable {
        /// The adapter has just been found.
        case start
        /// It was disturbed, or off, and is taken back.
        case resume
        /// An attempt failed.
        case retry
        /// rfkill blocked it, and perhaps does no more.
        case unblock
        /// Nothing was heard.
        case rescan
        /// It is switched off and on, which resets its controller.
        case power
    }

    /// How far the starting has come.
    package enum Step: Equatable, Sendable {
        case switchingOff, resting, switchingOn, opening
        case waiting(ScanCommand)
    }

    /// Where it stands. `next` is when something is to be done unless something happens before.
    enum Phase: Equatable, Sendable {
        case stopped
        case absent(next: Timestamp)
        case blocked(next: Timestamp)
        case down(next: Timestamp)
        /// Others were given, or the controller gave itself, commands after which our scan is not what
        /// it was. `isTheirs`: it was somebody's will.
        case disturbed(isTheirs: Bool, isScanning: Bool, since: Timestamp, next: Timestamp)
        case failed(next: Timestamp)
        case working(Step, Purpose, next: Timestamp)
        /// `since` something was heard or the scan began, whichever was later.
        case scanning(since: Timestamp)
        /// The remedies against silence tried since something was heard: 1 a new scan, 2 the power.
        case quiet(remedies: Int, next: Timestamp)
    }

    var phase: Phase
    /// Since when the status is what it is.
    package var since: Timestamp
    package var isOpen = false
    package var family: ScanFamily?
    package var features: [UInt8] = []
    package var silence = ScanSilence()
    package var lastHeard: Timestamp?
    /// When somebody else or an accident took the scan from us, if that was so short a time ago that
    /// the second counts as listened to.
    package var grace: Timestamp?
    /// Failed attempts in a row, and since when.
    package var failures = 0
    var troubleSince: Timestamp?
    /// How often scans were begun lately.
    var pace = ScanPace()
    /// Power cycles against silence that brought nothing, in a row, and when the next may be.
    var uselessCycles = 0
    var powerAllowedAt: Timestamp
    /// Since when advertisements come without a remedy.
    var regularSince: Timestamp?
    /// The remedies so far.
    package internal(set) var recoveries = ScanStatus.Recoveries()
    /// How often others took the scan from us.
    package internal(set) var takeovers = 0

    /// A scanner that has not begun. Its first `tick` is due at once.
    package init(at now: Timestamp) {
        phase = .absent(next: now)
        since = now
        powerAllowedAt = now
    }

    /// When `tick` next has something to do; `nil` when stopped.
    package var deadline: Timestamp? {
        guard let next else { return nil }
        return grace.map { min($0, next) } ?? next
    }

    /// Whether what is not heard counts as silence.
    package var isListening: Bool {
        switch phase {
        case .scanning, .quiet: true
        case .stopped, .absent, .blocked, .down, .failed, .disturbed, .working: grace != nil
        }
    }

    /// What it does, and since when.
    package var state: (state: ScanStatus.State, since: Timestamp) { (summary, since) }

    /// Time passed. Called early, late or twice does no harm.
    package mutating func tick(at now: Timestamp) -> [Effect] {
        noting(now) { machine in
            if let grace = machine.grace, now >= grace { machine.grace = nil }
            guard let next = machine.next, now >= next else { return [] }
            return machine.expired(at: now)
        }
    }

    package mutating func handle(_ event: Event, at now: Timestamp) -> [Effect] {
        noting(now) { $0.react(to: event, at: now) }
    }

    /// Ends the scan for good, or until `start`.
    package mutating func stop(at now: Timestamp) -> [Effect] {
        noting(now) { machine in
            machine.lose(at: now)
            machine.grace = nil
            machine.phase = .stopped
            guard machine.isOpen else { return [] }
            machine.isOpen = false
            return [.send(.disable, machine.family ?? .legacy), .close]
        }
    }

    /// Begins again after `stop`.
    package mutating func start(at now: Timestamp) -> [Effect] {
        noting(now) { machine in
            guard machine.phase == .stopped else { return [] }
            return machine.look(at: now)
        }
    }

    private mutating func noting(
        _ now: Timestamp, _ change: (inout ScanRecovery) -> [Effect]
    ) -> [Effect] {
        let before = summary
        let effects = change(&self)
        if summary != before { since = now }
        return effects
    }
}

extension ScanRecovery {
    /// When the phase is up.
    private var next: Timestamp? {
        switch phase {
        case .stopped: nil
        case .absent(let next), .blocked(let next), .down(let next), .failed(let next),
            .disturbed(_, _, _, let next), .working(_, _, let next), .quiet(_, let next):
            next
        case .scanning(let since): since + silence.limit
        }
    }

    private var summary: ScanStatus.State {
        switch phase {
        case .stopped: .stopped
        case .absent: .absent
        case .blocked: .blocked
        case .down: .down
        case .disturbed(let isTheirs, _, _, _): isTheirs ? .foreign : .recovering
        case .failed: failures < ScanTiming.failuresToSay ? .recovering : .failed
        case .working(_, .start, _): .starting
        // Nine times in ten it is blocked still.
        case .working(.switchingOn, .unblock, _): .blocked
        case .working: failures < ScanTiming.failuresToSay ? .recovering : .failed
        case .scanning: .scanning
        case .quiet: .quiet
        }
    }
}

/// How long a scanner may hear nothing before that is strange, learned from what it hears.
///
/// What counts as hearing is for the caller to say: reports with data and a level.
package struct ScanSilence: Equatable, Sendable {
    /// The limit where gaps of 150 ms and less are usual.
    package static let least = Timestamp.Span.milliseconds(3_000)
    /// The limit after a remedy against silence, shorter than the usual one.
    package static let leastAfterRemedy = Timestamp.Span.milliseconds(2_000)
    /// The limit where next to nothing is heard.
    package static let most = Timestamp.Span.milliseconds(600_000)
    /// As long as nothing has been learned.
    package static let unlearned = Timestamp.Span.milliseconds(120_000)
    /// The limit as a multiple of the median gap.
    private static let multiple: Int64 = 20
    /// Gaps remembered, and how many it takes to know anything.
    private static let memory = 32
    private static let enough = 16

    /// The last gaps in milliseconds, as a ring.
    private var gaps: [Int64] = []
    private var next = 0
    /// The median gap in milliseconds, once there are enough.
    private var median: Int64?
    private var lastAt: Timestamp?

    package init() {}

    /// Something was heard. The time since the last time is a gap, unless `pause` came between.
    package mutating func heard(at now: Timestamp) {
        defer { lastAt = now }
        guard let lastAt else { return }
        let gap = max(0, (now - lastAt).milliseconds)
        if gaps.count < Self.memory { gaps.append(gap) } else { gaps[next] = gap }
        next = (next + 1) % Self.memory
        // Sorting at each report would cost more than reading it.
        if gaps.count >= Self.enough, next % 8 == 0 || gap > limit.milliseconds {
            median = gaps.sorted()[gaps.count / 2]
        }
    }

    /// From here to the next time something is heard is no gap: nobody listened.
    package mutating func pause() { lastAt = nil }

    /// Longer than this is strange.
    package var limit: Timestamp.Span { limit(atLeast: Self.least) }

    /// Longer than this after a remedy, and it did not help.
    package var limitAfterRemedy: Timestamp.Span { limit(atLeast: Self.leastAfterRemedy) }

    private func limit(atLeast least: Timestamp.Span) -> Timestamp.Span {
        guard let median else { return Self.unlearned }
        guard median < Self.most.milliseconds / Self.multiple else { return Self.most }
        return max(least, .milliseconds(median * Self.multiple))
    }
}

/// What is asked of a controller to make it scan, one command at a time.
package enum ScanCommand: String, Equatable, Sendable, CaseIterable {
    /// What it can do with Low Energy.
    case features
    /// Which optional commands it knows.
    case supported
    /// Ends any scan. A controller that does not scan may refuse it, and no harm done.
    case disable
    case parameters
    /// Starts the scan.
    case enable
}

/// The two families of scan commands. A controller refuses one after it has heard the other, until
/// it is reset.
package enum ScanFamily: String, Equatable, Sendable {
    /// Those every controller knows. They do not see extended advertising.
    case legacy
    /// Those of Bluetooth 5, for controllers that say so.
    case extended

    /// The family for a controller, from its LE features (8 bytes) and its supported commands (64
    /// bytes); both may be missing. Some controllers say version 5.0 and know no extended command, so
    /// both bits count: LE feature 12 (extended advertising), and octet 37 bits 5 and 6 of the
    /// supported commands (LE Set Extended Scan Parameters and Enable).
    package init(features: [UInt8], supported: [UInt8]) {
        let hasFeature = features.count > 1 && features[1] & 0x10 != 0
        let hasCommands = supported.count > 37 && supported[37] & 0x60 == 0x60
        self = hasFeature && hasCommands ? .extended : .legacy
    }
}
