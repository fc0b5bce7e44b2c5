@testable import NodeEngine
@testable import SiteModel

/// A recovery machine in front of an adapter that is made of a few variables, with a clock of its own.
/// The adapter keeps the rules of real ones: no parameters while it scans, one family of commands
/// until a reset, a scan that is lost when it is switched off.
struct ScanBench {
    enum Stall { case untilRescan, untilReset }

    var machine = ScanRecovery(at: Timestamp(milliseconds: 0))
    var now = Timestamp(milliseconds: 0)
    var isPresent = true
    var isUp = false
    var isBlocked = false
    var isMute = false
    var knowsExtended = false
    /// It says that it knows the newer commands, and does not.
    var boasts = false
    var isScanning = false
    /// Somebody else's scan leaves out what was seen before.
    var isFiltered = false
    var used: ScanFamily?
    var stall: Stall?
    var refusals: [(command: ScanCommand, status: UInt8)] = []
    /// Who transmits, does so this often.
    var period: Timestamp.Span? = .milliseconds(100)

    private(set) var effects: [(at: Timestamp, effect: ScanRecovery.Effect)] = []
    private(set) var heard: [Timestamp] = []
    private var coming: [(at: Timestamp, event: ScanRecovery.Event)] = []
    private var lastReport = Timestamp(milliseconds: 0)
    private var isWatched = false

    var state: ScanStatus.State { machine.state.state }

    func count(_ effect: ScanRecovery.Effect) -> Int {
        effects.filter { $0.effect == effect }.count
    }

    /// How often a scan was begun.
    var starts: [Timestamp] {
        effects.filter {
            $0.effect == .send(.enable, .legacy) || $0.effect == .send(.enable, .extended)
        }
        .map(\.at)
    }

    mutating func run(_ seconds: Double, step: Int64 = 10) {
        let end = now + .seconds(seconds)
        while now < end {
            now = now + .milliseconds(step)
            while let index = coming.firstIndex(where: { $0.at <= now }) {
                handle(coming.remove(at: index).event)
            }
            report()
            if let deadline = machine.deadline, deadline <= now {
                perform(machine.tick(at: now))
            }
        }
    }

    /// Runs until something is heard again; the seconds until then, or `nil` after `limit`.
    mutating func secondsUntilHeard(limit: Double) -> Double? {
        let (start, before) = (now, heard.count)
        while (now - start).seconds < limit {
            run(0.01)
            if heard.count > before { return (now - start).seconds }
        }
        return nil
    }

    mutating func handle(_ event: ScanRecovery.Event) { perform(machine.handle(event, at: now)) }

    mutating func switchedOff() {
        (isUp, isScanning, isFiltered, used) = (false, false, false, nil)
        if isWatched { handle(.wentDown) }
    }

    mutating func pullOut() {
        (isPresent, isUp, isScanning, isFiltered, used) = (false, false, false, false, nil)
        handle(.vanished)
    }

    mutating func plugIn() {
        isPresent = true
        handle(.appeared)
    }

    /// Somebody else's command.
    mutating func meddle(_ command: ScanRecovery.ForeignCommand) {
        switch command {
        case .enable: (isScanning, isFiltered) = (true, true)
        case .disable: (isScanning, isFiltered) = (false, false)
        case .other: break
        }
        handle(.foreign(command))
    }

    /// The controller reports an error and the kernel resets it.
    mutating func hardwareError() {
        (isScanning, isFiltered, used) = (false, false, nil)
        handle(.hardwareError)
        handle(.foreign(.other))
    }

    private mutating func report() {
        guard let period, now - lastReport >= period else { return }
        lastReport = now
        guard isPresent, isUp, isScanning, !isFiltered, stall == nil else { return }
        heard.append(now)
        handle(.heard)
    }

    private mutating func perform(_ new: [ScanRecovery.Effect]) {
        for effect in new {
            effects.append((now, effect))
            switch effect {
            case .look:
                isWatched = isPresent
                handle(isPresent ? .found : .missing)
            case .open: handle(isPresent ? .opened : .openingFailed)
            case .close: coming.removeAll { if case .answered = $0.event { true } else { false } }
            case .switchOn: switchOn()
            case .switchOff: switchOff()
            case .send(let command, let family): take(command, family)
            case .tell: break
            }
        }
    }

    private mutating func answer(_ event: ScanRecovery.Event, after milliseconds: Int64) {
        coming.append((now + .milliseconds(milliseconds), event))
    }

    private mutating func switchOn() {
        if !isPresent { return answer(.switched(.gone), after: 1) }
        if isBlocked { return answer(.switched(.blocked), after: 1) }
        if isUp { return answer(.switched(.already), after: 1) }
        if isMute { return answer(.switched(.failed), after: 2_000) }
        (isUp, isScanning, isFiltered, used) = (true, false, false, nil)
        if stall == .untilReset { stall = nil }
        answer(.cameUp, after: 90)
        answer(.switched(.done), after: 100)
    }

    private mutating func switchOff() {
        if !isPresent { return answer(.switched(.gone), after: 1) }
        (isUp, isScanning, isFiltered, used) = (false, false, false, nil)
        answer(.wentDown, after: 40)
        answer(.switched(.done), after: isMute ? 2_000 : 50)
    }

    private mutating func take(_ command: ScanCommand, _ family: ScanFamily) {
        guard isPresent, isUp, !isMute else { return }
        let status = status(of: command, family)
        let bytes: [UInt8] =
            switch command {
            case .features where knowsExtended || boasts: [0, 0x10, 0, 0, 0, 0, 0, 0]
            case .supported where knowsExtended || boasts:
                [UInt8](repeating: 0, count: 37) + [0x60] + [UInt8](repeating: 0, count: 26)
            case .features, .supported, .disable, .parameters, .enable: []
            }
        answer(.answered(command, status: status, bytes: bytes), after: 5)
    }

    private mutating func status(of command: ScanCommand, _ family: ScanFamily) -> UInt8 {
        if let index = refusals.firstIndex(where: { $0.command == command }) {
            return refusals.remove(at: index).status
        }
        if command == .features || command == .supported { return 0 }
        if family == .extended, !knowsExtended { return 0x01 }
        if let used, used != family { return 0x0C }
        used = family
        switch command {
        case .parameters where isScanning: return 0x0C
        case .enable: (isScanning, isFiltered) = (true, false)
        case .disable:
            (isScanning, isFiltered) = (false, false)
            if stall == .untilRescan { stall = nil }
        case .features, .supported, .parameters: break
        }
        return 0
    }
}
