import Basics
import Ciphers
import Foundation
import Scheduling
import SiteEngine
import SiteModel
import SiteService
import TrainingEngine
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

    func request(_ question: LoopMailbox.Question, at now: Timestamp) {
        var line = RecordingLine(at: now, kind: .request)
        line.topic = "\(question.client)/\(question.verb.name)"
        line.payload = String(decoding: question.payload.json, as: UTF8.self)
        write(line)
    }

    func used(_ key: Answer.Key, at now: Timestamp) {
        var line = RecordingLine(at: now, kind: .used)
        line.topic = key.client
        line.payload = key.id
        write(line)
    }

    func recalled(_ found: [Recalled]?, at now: Timestamp) {
        var line = RecordingLine(at: now, kind: .recalled)
        line.recalled = found
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

/// Writes a recording: a header, then one input a line. Bounded; when full it stops and says so.
package final class Recorder {
    /// No recording grows beyond this many bytes.
    package static let limit = 1 << 30

    /// Why a recording cannot be written.
    package struct Failure: Error, CustomStringConvertible {
        package let path: String

        package init(path: String) {
            self.path = path
        }
        package var description: String { "cannot write the recording \(path)" }
    }

    private let file: FileHandle
    private let encoder = JSONEncoder()
    private var buffer = Data()
    private var written = 0
    private let path: String
    /// Inputs written so far.
    package private(set) var inputs = 0

    /// Creates the file at `path`, or writes to standard output for `-`.
    ///
    /// - Throws: A `Failure` that names the file, or the system's error for a full disk.
    package init(path: String, header: RecordingHeader) throws {
        self.path = path
        if path == "-" {
            file = .standardOutput
        } else {
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let opened = FileHandle(forWritingAtPath: path)
            else { throw Failure(path: path) }
            file = opened
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        buffer.append(try encoder.encode(header))
        buffer.append(0x0A)
        try flush()
    }

    /// Whether the recording is full; further lines are dropped.
    package var isFull: Bool { written >= Self.limit }

    /// Writes a line, buffered.
    ///
    /// - Throws: The system's error, a full disk among them: the recording is over, the site goes
    ///   on.
    package func write(_ line: RecordingLine) throws {
        guard !isFull else { return }
        buffer.append(try encoder.encode(line))
        buffer.append(0x0A)
        if line.kind != .end { inputs += 1 }
        if buffer.count >= 64 * 1024 { try flush() }
    }

    /// Writes what is buffered.
    ///
    /// - Throws: The system's error, a full disk among them: the recording is over, the site goes
    ///   on.
    package func flush() throws {
        written += buffer.count
        try file.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}

/// SHA-256 over a sequence of decisions: two runs that decided alike have the same digest.
final class Digest {
    private let sha = SHA256()
    private let encoder = JSONEncoder()
    /// Decisions taken in so far.
    private(set) var decisions = 0

    init() { encoder.outputFormatting = [.sortedKeys] }

    /// Takes in decisions, each as a line of JSON with sorted keys.
    func add(_ made: [Decision]) throws {
        for decision in made {
            sha.add([UInt8](try encoder.encode(decision)) + [0x0A])
            decisions += 1
        }
    }

    /// The digest so far, as 64 lower-case hexadecimal digits. Takes no more afterwards.
    func finish() -> String { Hex.text(sha.finish()) }
}
