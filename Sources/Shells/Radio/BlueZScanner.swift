import BeaconDecoding
import Glibc
import NodeEngine
import SiteModel

/// Scans with an adapter of this machine over the kernel's raw HCI sockets, and keeps scanning: what
/// is to be done about an adapter that is absent, off, blocked, mute, silent or taken by others is
/// decided by `ScanRecovery`; here it is done.
///
/// It needs CAP_NET_RAW to listen and CAP_NET_ADMIN to switch the adapter on. Nothing here waits: a
/// command's answer comes like a report, and switching is another thread's business.
package final class BlueZScanner {
    /// The most packets of one call, so that the caller's loop stays responsive.
    private static let batch = 1_024

    private let name: AdapterName
    private let settings: ScanSettings
    private var machine = ScanRecovery(at: Timestamp(milliseconds: 0))
    /// Numbers of adapters that others have or are meant to have.
    package var taken: [UInt16] = []
    /// What the caller was told last.
    private var told: (adapter: AdapterState?, state: ScanStatus.State?)
    /// What was said since it last scanned; none of it is said again.
    private var said: [String] = []
    private var news: [RadioEvent] = []

    /// The adapter we have, and the address of the last one we had.
    private var adapter: AdapterName.Present?
    private var remembered: UInt64?
    private var devices: HCISocket?
    private var socket: HCISocket?
    private let power = AdapterSwitch()
    /// The command whose answer is awaited.
    private var awaited: (command: ScanCommand, opcode: UInt16)?
    private var lateness = Lateness()
    private var lastMoment = Timestamp(milliseconds: 0)
    private var buffer = [UInt8](repeating: 0, count: 2_048)

    /// The adapter of this name, there or not.
    package init(adapter name: AdapterName, settings: ScanSettings = ScanSettings()) {
        self.name = name
        self.settings = settings
    }

    /// What it does and has gone through.
    package var status: ScanStatus {
        let (state, since) = machine.state
        var status = ScanStatus(
            state: state, adapter: label, address: adapter?.address ?? remembered, since: since,
            lateness: lateness.most)
        status.recoveryCounts = machine.recoveries
        status.takeovers = machine.takeovers
        return status
    }

    /// The numbers that nobody else may have.
    package var claims: [UInt16] {
        if case .index(let index) = name { return [index] + (adapter.map { [$0.index] } ?? []) }
        return adapter.map { [$0.index] } ?? []
    }

    /// What to wait on.
    package var descriptors: [Int32] {
        [devices?.number, socket?.number, power.descriptor].compactMap { $0 }
    }

    /// When something is to be done that nobody tells us of; `nil` when stopped.
    package var deadline: Timestamp? { machine.deadline }

    /// Does what time demands.
    package func tick(now: Timestamp) -> [RadioEvent] {
        if let deadline, now >= deadline { perform(machine.tick(at: now), now) }
        return takeNews()
    }

    /// Reads what the adapter and the kernel had to say.
    package func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        // In this order: what switching caused must not look like somebody else's doing.
        readDevices(now)
        if let code = power.outcome() { switched(code, now) }
        readPackets(now, heard)
        return takeNews()
    }

    /// Ends the scan until `resume`.
    package func halt(now: Timestamp) -> [RadioEvent] {
        perform(machine.stop(at: now), now)
        return takeNews()
    }

    /// Begins again after `halt`.
    package func resume(now: Timestamp) -> [RadioEvent] {
        perform(machine.start(at: now), now)
        return takeNews()
    }

    /// Ends the scan and closes the sockets.
    package func stop() {
        // The kernel sends the command although the socket is closed at once.
        perform(machine.stop(at: lastMoment), lastMoment)
        news = []
        (devices, socket) = (nil, nil)
    }
}

// What the machine wants done.
extension BlueZScanner {
    private func handle(_ event: ScanRecovery.Event, _ now: Timestamp) {
        perform(machine.handle(event, at: now), now)
    }

    private func perform(_ effects: [ScanRecovery.Effect], _ now: Timestamp) {
        var effects = effects[...]
        while let effect = effects.popFirst() {
            guard let answer = perform(effect, now) else { continue }
            effects += machine.handle(answer, at: now)
        }
        tellChanges()
    }

    /// Performs one effect and returns what came of it, if that is known at once.
    private func perform(_ effect: ScanRecovery.Effect, _ now: Timestamp) -> ScanRecovery.Event? {
        switch effect {
        case .look: return look()
        case .open: return open()
        case .close:
            (socket, awaited) = (nil, nil)
            return nil
        case .switchOn, .switchOff:
            guard let adapter else { return .switched(.gone) }
            guard power.begin(adapter: adapter.index, on: effect == .switchOn) else {
                note("\(label) is still being switched")
                return .switched(.failed)
            }
            return nil
        case .send(let command, let family): return send(family.command(command, settings), command)
        case .tell(let trouble):
            note("\(label) \(trouble.text)")
            return nil
        }
    }

    private func look() -> ScanRecovery.Event {
        if devices == nil {
            do {
                devices = try HCISocket.devices()
            } catch {
                note(explain(error))
                return .missing
            }
        }
        adapter = name.choose(from: HCISocket.adapters(), taken: taken, remembered: remembered)
        remembered = adapter?.address ?? remembered
        guard adapter == nil else { return .found }
        note(name == .any ? "there is no adapter" : "there is no adapter \(name)")
        return .missing
    }

    private func open() -> ScanRecovery.Event {
        guard let adapter else { return .vanished }
        do {
            socket = try HCISocket.adapter(adapter.index)
        } catch {
            note(explain(error))
            return error.code == ENODEV ? .vanished : .openingFailed
        }
        // A new adapter has no address before it was switched on.
        let present = HCISocket.adapters().first { $0.index == adapter.index }
        self.adapter = present ?? adapter
        remembered = present?.address ?? remembered
        return .opened
    }

    private func send(_ command: HCICommand, _ asked: ScanCommand) -> ScanRecovery.Event? {
        guard let socket else { return nil }
        awaited = (asked, command.opcode)
        do {
            try socket.send(command)
            return nil
        } catch {
            note(explain(error))
            switch error.code {
            case ENODEV, EPIPE: return .vanished
            case ENETDOWN: return .wentDown
            // The answer will be missed.
            default: return nil
            }
        }
    }

    private func switched(_ code: Int32, _ now: Timestamp) {
        // What switching causes is read before the machine hears of it.
        readDevices(now)
        let outcome: ScanRecovery.Switched =
            switch code {
            case 0: .done
            case EALREADY: .already
            case ERFKILL: .blocked
            case ENODEV: .gone
            default: .failed
            }
        if outcome == .failed { note(explain(SystemFailure(call: "switching", code: code))) }
        handle(.switched(outcome), now)
    }
}

// What is to be told.
extension BlueZScanner {
    private var label: String { adapter.map { "hci\($0.index)" } ?? "\(name)" }

    private func tellChanges() {
        let state = machine.state.state
        if state != told.state {
            told.state = state
            if state == .scanning { said = [] }
            news.append(.note("\(label) is \(state.rawValue)"))
        }
        let adapter: AdapterState =
            machine.isListening ? .up : state == .absent ? .absent : .down
        guard adapter != told.adapter else { return }
        told.adapter = adapter
        news.append(.adapter(adapter))
    }

    /// A sentence for the log, unless it was said since the last time that all was well.
    private func note(_ text: String) {
        guard !said.contains(text) else { return }
        if said.count < 32 { said.append(text) }
        news.append(.note(text))
    }

    private func takeNews() -> [RadioEvent] {
        defer { news = [] }
        return news
    }

    private func explain(_ failure: SystemFailure) -> String {
        switch failure.code {
        case EAFNOSUPPORT: "this system has no Bluetooth"
        case EPERM, EACCES: "\(label), \(failure): CAP_NET_RAW and CAP_NET_ADMIN are needed"
        default: "\(label), \(failure)"
        }
    }
}

// What the kernel and the controller say.
extension BlueZScanner {
    private func readPackets(_ now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void) {
        guard socket != nil else { return }
        // Taken out of `self`, so that the packets can be lent to `heard` where they lie.
        var buffer: [UInt8] = []
        swap(&buffer, &self.buffer)
        defer { swap(&buffer, &self.buffer) }
        let wall = Lateness.wallNow
        var stamp: Int64 = 0
        var isUseful = false
        for _ in 0..<Self.batch {
            guard let socket else { break }
            switch socket.read(into: &buffer, stamp: &stamp) {
            case .bytes(let count):
                let packet = buffer.span.extracting(0..<count)
                guard count >= 3, packet[0] == 0x04, packet[1] == 0x3E else {
                    took(packet, now)
                    continue
                }
                let moment = lateness.moment(stamp: stamp, wall: wall, now: now)
                lastMoment = max(lastMoment, moment)
                heard(packet, lastMoment)
                // One a batch will do, so that the others are walked once only.
                if !isUseful, packet.holdsUsefulReport {
                    isUseful = true
                    handle(.heard, now)
                }
            case .nothing: return
            case .ended, .failed: handle(.vanished, now)
            }
        }
    }

    /// Takes what is no report.
    private func took(_ packet: Span<UInt8>, _ now: Timestamp) {
        if let command = ScanRecovery.ForeignCommand(packet: packet) {
            handle(.foreign(command), now)
        } else if packet.count >= 3, packet[0] == 0x04, packet[1] == 0x10 {
            handle(.hardwareError, now)
        } else if let answer = CommandAnswer(packet: packet), let awaited,
            awaited.opcode == answer.opcode
        {
            self.awaited = nil
            handle(
                .answered(awaited.command, status: answer.status, bytes: answer.bytes), now)
        }
    }

    /// What became of adapters: H4 type 1, event 1, length 1, kind 2, change 2, adapter 2, in the
    /// byte order of the kernel's small machines and ours.
    private func readDevices(_ now: Timestamp) {
        var buffer = [UInt8](repeating: 0, count: 64)
        var stamp: Int64 = 0
        for _ in 0..<Self.batch {
            guard let devices, case .bytes(let count) = devices.read(into: &buffer, stamp: &stamp)
            else { return }
            guard count >= 9, buffer[1] == 0xFD, buffer[3] == 0x01, buffer[4] == 0 else { continue }
            let change = UInt16(buffer[5]) | UInt16(buffer[6]) << 8
            let isOurs = adapter?.index == UInt16(buffer[7]) | UInt16(buffer[8]) << 8
            switch (change, isOurs) {
            case (1, _), (3, false): handle(.appeared, now)
            case (2, true): handle(.vanished, now)
            case (3, true): handle(.cameUp, now)
            case (4, true): handle(.wentDown, now)
            default: break
            }
        }
    }
}

extension ScanRecovery.Trouble {
    /// The end of a sentence that begins with the adapter.
    fileprivate var text: String {
        switch self {
        case .silence(let span): "was silent for \(span.milliseconds) ms"
        case .refused(let command, let status):
            "refused the command “\(command.rawValue)” with status \(hex(status))"
        case .unanswered(let command): "did not answer the command “\(command.rawValue)”"
        case .unusable: "cannot be used"
        case .blocked: "is blocked by rfkill"
        case .foreign: "was given scan commands by somebody else (bluetoothd, another scanner?)"
        case .hardwareError: "reports a hardware error"
        }
    }
}

extension Span<UInt8> {
    /// Whether an HCI event holds a report with data and a level.
    fileprivate var holdsUsefulReport: Bool {
        var isUseful = false
        _ = AdvertisingEvent.forEachReport(in: self) { report, data in
            if report.rssi != nil, data.count > 0 { isUseful = true }
        }
        return isUseful
    }
}
