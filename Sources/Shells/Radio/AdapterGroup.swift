import Basics
import BeaconDecoding
import CBlueZ
import Glibc
import NodeEngine
import SiteModel

/// One or several adapters of this machine that feed one node. The node listens while at least one of
/// them does; an advertisement that two hear counts twice.
package final class AdapterGroup {
    /// One for each adapter, in the order of the configuration.
    package let scanners: [BlueZScanner]
    private var states: [AdapterState?]
    private var told: AdapterState?

    /// Adapters of different names, at least one.
    package init(_ names: [AdapterName], settings: ScanSettings) {
        precondition(!names.isEmpty, "a group of no adapters")
        scanners = names.map { BlueZScanner(adapter: $0, settings: settings) }
        states = names.map { _ in nil }
    }

    /// What to wait on.
    package var descriptors: [Int32] { scanners.flatMap(\.descriptors) }

    /// The first of theirs.
    package var deadline: Timestamp? { scanners.compactMap(\.deadline).min() }

    /// Does what time demands.
    package func tick(now: Timestamp) -> [RadioEvent] { joined { $0.tick(now: now) } }

    /// Reads what the adapters had to say.
    package func ready(
        now: Timestamp, _ heard: (Span<UInt8>, Timestamp) -> Void
    ) -> [RadioEvent] {
        joined { $0.ready(now: now, heard) }
    }

    /// Ends the scans until `resume`.
    package func halt(now: Timestamp) -> [RadioEvent] { joined { $0.halt(now: now) } }

    /// Begins again after `halt`.
    package func resume(now: Timestamp) -> [RadioEvent] { joined { $0.resume(now: now) } }

    /// Ends the scans and closes the sockets.
    package func stop() { scanners.forEach { $0.stop() } }

    /// Turns what each says into what all say.
    private func joined(_ act: (BlueZScanner) -> [RadioEvent]) -> [RadioEvent] {
        var events: [RadioEvent] = []
        for (index, scanner) in scanners.enumerated() {
            if scanners.count > 1 {
                scanner.taken = scanners.filter { $0 !== scanner }.flatMap(\.claims)
            }
            for event in act(scanner) {
                if case .adapter(let state) = event {
                    states[index] = state
                } else {
                    events.append(event)
                }
            }
        }
        let all = Self.join(states.compactMap { $0 })
        if let all, all != told {
            told = all
            events.append(.adapter(all))
        }
        return events
    }

    /// What several adapters are together: up if one is, absent if all are.
    package static func join(_ states: [AdapterState]) -> AdapterState? {
        if states.isEmpty { return nil }
        if states.contains(.up) { return .up }
        return states.allSatisfy { $0 == .absent } ? .absent : .down
    }
}

/// Switches an adapter on and off without making the caller wait. The system call lasts as long as the
/// controller likes, so each is made by a thread of its own, which ends with it.
final class AdapterSwitch {
    /// What such a thread needs.
    fileprivate struct Job {
        var adapter: UInt16
        var isOn: Bool
        /// Where to say what came of it; the thread closes it.
        var reply: Int32
    }

    private var answers: Descriptor?

    /// What to wait on for reading while a switch is under way.
    var descriptor: Int32? { answers?.number }

    /// Begins to switch. `false`, and nothing is done, while another switch is under way or when the
    /// system has no thread to spare.
    func begin(adapter: UInt16, on isOn: Bool) -> Bool {
        guard answers == nil else { return false }
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC | O_NONBLOCK
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return false }
        let ours = Descriptor(owning: ends[0])
        guard Self.start(Job(adapter: adapter, isOn: isOn, reply: ends[1])) else {
            _ = close(ends[1])
            return false
        }
        answers = ours
        return true
    }

    /// What came of it: 0 or the system's error number; `nil` while it is not known.
    func outcome() -> Int32? {
        guard let answers else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4)
        switch answers.read(into: &bytes) {
        case .nothing: return nil
        case .bytes(4):
            self.answers = nil
            return bytes.reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
        case .bytes, .ended, .failed:
            self.answers = nil
            return EIO
        }
    }

    /// Hands `job` to a thread, which owns it from then on. The thread shares nothing else with us.
    private static func start(_ job: Job) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 256 << 10)
        let size = MemoryLayout<Job>.size
        guard let memory = malloc(size) else { return false }
        memory.storeBytes(of: job, as: Job.self)
        var thread = pthread_t()
        guard pthread_create(&thread, &attributes, body, memory) == 0 else {
            free(memory)
            return false
        }
        return true
    }
}

/// What the thread does: switches, says what came of it, and lets go of everything.
private let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let memory = $0 else { return nil }
    let job = memory.load(as: AdapterSwitch.Job.self)
    free(memory)
    var code = HCISocket.switch(job.adapter, on: job.isOn).littleEndian
    // Without a reader the answer is lost, and that must not kill us.
    _ = send(job.reply, &code, MemoryLayout<Int32>.size, Int32(MSG_NOSIGNAL))
    _ = close(job.reply)
    return nil
}

/// What Bluetooth adapters this machine has, asked without any privilege and without touching them.
package struct AdapterSurvey: Equatable, Sendable {
    /// One adapter.
    package struct Adapter: Equatable, Sendable {
        /// As in `hci0`.
        package var index: UInt16
        /// Its address as people write it, upper case, colons.
        package var address: String
        /// Whether it is switched on.
        package var isUp: Bool

        package init(index: UInt16, address: String, isUp: Bool) {
            self.index = index
            self.address = address
            self.isUp = isUp
        }
    }

    /// Whether the kernel has a Bluetooth stack at all.
    package var hasBluetooth: Bool
    /// The adapters, by index.
    package var adapters: [Adapter]

    /// The most adapters that the kernel numbers (`HCI_MAX_DEV`).
    private static let most: UInt16 = 16

    package init(hasBluetooth: Bool, adapters: [Adapter]) {
        self.hasBluetooth = hasBluetooth
        self.adapters = adapters
    }

    /// Looks at this machine.
    package static func now() -> AdapterSurvey {
        var survey = AdapterSurvey(hasBluetooth: true, adapters: [])
        for index in 0..<most {
            var info = hci_dev_info()
            if hci_devinfo(Int32(index), &info) == 0 {
                survey.adapters.append(Adapter(info, index: index))
            } else if errno == EAFNOSUPPORT {
                survey.hasBluetooth = false
                break
            }
        }
        return survey
    }
}

extension AdapterSurvey.Adapter {
    fileprivate init(_ info: hci_dev_info, index: UInt16) {
        let bytes = info.bdaddr.b
        let address = [bytes.5, bytes.4, bytes.3, bytes.2, bytes.1, bytes.0]
            .reduce(0) { $0 << 8 | UInt64($1) }
        // The first flag of the kernel's adapters (`HCI_UP`).
        self.init(
            index: index, address: Hex.text(address: address).uppercased(),
            isUp: info.flags & 1 != 0)
    }
}
