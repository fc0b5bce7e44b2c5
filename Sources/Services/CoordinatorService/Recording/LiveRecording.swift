import SiteEngine
import SiteModel
import Wire

/// The recording of a running coordinator: its inputs, and at the end the digest of its decisions.
/// A fault of the disk ends the recording, never the coordinator.
final class LiveRecording {
    private let recorder: Recorder
    private let digest = Digest()
    private var fault: String?
    private var isOver = false

    init(path: String, header: RecordingHeader) throws {
        recorder = try Recorder(path: path, header: header)
    }

    func message(_ topic: String, _ payload: Span<UInt8>, isRetained: Bool, at now: Timestamp) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count)
        for index in payload.indices { bytes.append(payload[index]) }
        write(RecordingLine(at: now, topic: topic, payload: bytes, isRetained: isRetained))
    }

    func request(_ question: LoopDesk.Question, at now: Timestamp) {
        var line = RecordingLine(at: now, kind: .request)
        line.topic = "\(question.client)/\(question.operation.rawValue)"
        line.payload = String(decoding: question.payload.json, as: UTF8.self)
        write(line)
    }

    func tick(at now: Timestamp) { write(RecordingLine(at: now, kind: .tick)) }

    func connected(at now: Timestamp) { write(RecordingLine(at: now, kind: .connected)) }

    func lost(at now: Timestamp) { write(RecordingLine(at: now, kind: .lost)) }

    func plan(_ plan: Plan, _ names: Names, at now: Timestamp) {
        var line = RecordingLine(at: now, kind: .plan)
        line.plan = plan
        line.names = names
        write(line)
    }

    func overrides(_ overrides: Overrides, at now: Timestamp) {
        var line = RecordingLine(at: now, kind: .overrides)
        line.overrides = overrides
        write(line)
    }

    /// Takes the decisions made since the last call into the digest.
    func decided(_ decisions: [Decision]) {
        guard !isOver else { return }
        attempt { try digest.add(decisions) }
    }

    /// Writes the last line and nothing after it. `reason`: why, if the coordinator goes on.
    func end(_ decisions: [Decision], because reason: String? = nil, at now: Timestamp) {
        guard !isOver else { return }
        decided(decisions)
        var line = RecordingLine(at: now, kind: .end)
        line.decisions = digest.decisions
        line.digest = digest.finish()
        write(line)
        guard !isOver else { return }
        attempt { try recorder.flush() }
        isOver = true
        if let reason { fault = fault ?? "the recording ends here: \(reason)" }
    }

    /// What went wrong since the last call.
    func takeFault() -> String? {
        defer { fault = nil }
        return fault
    }

    private func write(_ line: RecordingLine) {
        guard !isOver else { return }
        attempt { try recorder.write(line) }
        if recorder.isFull {
            isOver = true
            fault = "the recording has reached \(Recorder.limit) bytes and ends here"
        }
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            isOver = true
            fault = "the recording ends here: \(error)"
        }
    }
}
