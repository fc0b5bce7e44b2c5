import Glibc
import MeshCore

/// Scans with an adapter of this machine over the kernel's raw HCI sockets, and keeps scanning: an
/// adapter that is absent, off, blocked or taken by others is waited for and started again.
///
/// It needs CAP_NET_RAW to listen and CAP_NET_ADMIN to switch the adapter on. A controller that
/// stops reporting without a sign is not noticed here.
public final class BlueZScanner {
    /// So many packets at most in one call, so that the caller's loop stays alive.
    private static let batch = 1_024
    /// The status “command disallowed”: a scan is on, or the other command family was used.
    private static let disallowed: UInt8 = 0x0C
    /// The status “unknown command”.
    private static let unknownCommand: UInt8 = 0x01

    private let adapter: UInt16
    private let settings: ScanSettings
    private var schedule = ScanSchedule()
    /// What the caller was told last.
    private var told: AdapterState?
    private var lastNote: String?

    private var devices: HCISocket?
    private var reports: HCISocket?
    private var commands: HCISocket?
    private var family: ScanCommands?
    /// Our own commands, which the report socket will show us like anybody's.
    private var echoes: [[UInt8]] = []
    private var needsPowerCycle = false
    private var buffer = [UInt8](repeating: 0, count: 2_048)

    /// The adapter `hciN`, there or not.
    public init(adapter: UInt16, settings: ScanSettings = ScanSettings()) {
        self.adapter = adapter
        self.settings = settings
    }

    /// The sockets to wait on.
    public var descriptors: [Int32] { [devices, reports].compactMap { $0?.number } }

    /// When the scan is to be started next, or `nil` while it runs undisturbed.
    public var deadline: Timestamp? { schedule.deadline }

    /// Starts the scan when it is time to.
    public func tick(now: Timestamp) -> [RadioEvent] {
        guard let deadline, now >= deadline else { return [] }
        do {
            try start()
            schedule.started(at: now)
            lastNote = nil
            return changes() + [.note("hci\(adapter) scans, \(family ?? .legacy) commands")]
        } catch {
            if error.isAbsence { vanish(now) } else { schedule.failed(at: now) }
            return note("\(error)") + changes()
        }
    }

    /// Reads what the adapter and the kernel had to say.
    public func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        var notes: [RadioEvent] = []
        for change in deviceChanges() { notes += took(change, now: now) }
        // Taken out of `self`, so that the packets can be lent to `heard` where they lie.
        var buffer: [UInt8] = []
        swap(&buffer, &self.buffer)
        defer { swap(&buffer, &self.buffer) }
        reading: for _ in 0..<Self.batch {
            guard let reports else { break }
            switch reports.read(into: &buffer) {
            case .bytes(let count):
                notes += received(buffer.span.extracting(0..<count), now: now, heard)
            case .nothing:
                break reading
            case .ended:
                vanish(now)
                notes += note("hci\(adapter) is gone")
            case .failed(let code):
                vanish(now)
                notes += note("hci\(adapter) is gone: \(SystemFailure.text(code))")
            }
        }
        return notes + changes()
    }

    /// Ends the scan and closes the sockets.
    public func stop() {
        schedule.stopped()
        if let commands, let family {
            // If this fails there is nothing left to stop.
            _ = try? commands.request(family.disable)
        }
        (devices, reports, commands) = (nil, nil, nil)
    }

    // The order that works even against a scan that is already on: report socket, disable,
    // parameters, enable.
    private func start() throws(ScanFailure) {
        do throws(SystemFailure) {
            if devices == nil { devices = try HCISocket.devices() }
            if commands == nil { commands = try HCISocket.commands(adapter: adapter) }
            guard let commands else { throw SystemFailure(call: "socket", code: EBADF) }
            if needsPowerCycle {
                needsPowerCycle = false
                try commands.switchOff()
            }
            // What switching causes is no disturbance: neither the commands that the kernel then sends
            // nor its telling of it.
            if try commands.switchOn() { reports = nil }
            if deviceChanges().contains(.unregistered) {
                throw SystemFailure(call: "switching on", code: ENODEV)
            }
            if family == nil { family = try chosenFamily(commands) }
            if reports == nil { reports = try HCISocket.reports(adapter: adapter) }
        } catch {
            throw .system(adapter: adapter, error)
        }
        let family = family ?? .legacy
        echoes = []
        _ = try send(family.disable)
        try demand(family.parameters(settings))
        try demand(family.enable)
    }

    private func chosenFamily(_ commands: HCISocket) throws(SystemFailure) -> ScanCommands {
        let features = try commands.request(.readLowEnergyFeatures, answerLength: 8)
        let supported = try commands.request(.readSupportedCommands, answerLength: 64)
        return ScanCommands(
            features: features.status == 0 ? features.answer : [],
            supported: supported.status == 0 ? supported.answer : [])
    }

    /// Sends a command that has to succeed.
    private func demand(_ command: HCICommand) throws(ScanFailure) {
        let status = try send(command)
        guard status != 0 else { return }
        switch status {
        case Self.unknownCommand where family == .extended: family = .legacy
        case Self.disallowed: needsPowerCycle = true
        default: break
        }
        throw .refused(adapter: adapter, opcode: command.opcode, status: status)
    }

    private func send(_ command: HCICommand) throws(ScanFailure) -> UInt8 {
        guard let commands else {
            throw .system(adapter: adapter, SystemFailure(call: "command", code: EBADF))
        }
        echoes.append(command.packet)
        do {
            return try commands.request(command).status
        } catch {
            throw .system(adapter: adapter, error)
        }
    }

    /// Takes one packet from the report socket.
    private func received(
        _ packet: Span<UInt8>, now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        guard packet.count >= 3 else { return [] }
        switch (packet[0], packet[1]) {
        case (0x04, 0x3E):
            heard(packet, now)
            return []
        case (0x04, 0x10):
            schedule.disturbed(at: now)
            return note("hci\(adapter) reports a hardware error")
        case (0x01, _):
            if isEcho(packet) { return [] }
            let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
            guard ScanCommands.isDisturbing(opcode: opcode) else { return [] }
            schedule.disturbed(at: now)
            return note("hci\(adapter) was given the command \(hex(opcode)) by somebody else")
        default:
            return []
        }
    }

    /// Whether a command is the next of our own, which is then done with.
    private func isEcho(_ packet: Span<UInt8>) -> Bool {
        guard let own = echoes.first, own.count == packet.count else { return false }
        for index in packet.indices where packet[index] != own[index] { return false }
        echoes.removeFirst()
        return true
    }

    /// What became of an adapter, as the stack's internal events number it.
    private enum DeviceChange: UInt16 {
        case registered = 1
        case unregistered = 2
        case up = 3
        case down = 4
    }

    /// What became of our adapter since the last time: H4 type 1, event 1, length 1, kind 2, change
    /// 2, adapter 2, in the byte order of the kernel's small machines and ours.
    private func deviceChanges() -> [DeviceChange] {
        guard let devices else { return [] }
        var changes: [DeviceChange] = []
        while case .bytes(let count) = devices.read(into: &buffer) {
            guard count >= 9, buffer[1] == 0xFD, buffer[3] == 0x01, buffer[4] == 0,
                UInt16(buffer[7]) | UInt16(buffer[8]) << 8 == adapter,
                let change = DeviceChange(rawValue: UInt16(buffer[5]) | UInt16(buffer[6]) << 8)
            else { continue }
            changes.append(change)
        }
        return changes
    }

    private func took(_ change: DeviceChange, now: Timestamp) -> [RadioEvent] {
        switch change {
        case .registered, .up:
            schedule.disturbed(at: now)
            return []
        case .down:
            schedule.wentDown(at: now)
            return note("hci\(adapter) went down")
        case .unregistered:
            vanish(now)
            return note("hci\(adapter) is gone")
        }
    }

    /// Lets go of an adapter that is not there.
    private func vanish(_ now: Timestamp) {
        (reports, commands, family) = (nil, nil, nil)
        needsPowerCycle = false
        schedule.vanished(at: now)
    }

    private func changes() -> [RadioEvent] {
        guard let state = schedule.state, state != told else { return [] }
        told = state
        return [.adapter(state)]
    }

    /// A sentence for the log, unless it was the last one too.
    private func note(_ text: String) -> [RadioEvent] {
        defer { lastNote = text }
        return text == lastNote ? [] : [.note(text)]
    }
}
