import Foundation

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
