import Glibc

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
