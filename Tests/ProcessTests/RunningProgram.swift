import Foundation
import Glibc

/// One of the project's executables, started by a test. It is killed with this object, at the latest.
final class RunningProgram {
    /// It did not do as a test expects.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    private let process = Process()
    private let files: (output: String, errors: String)
    /// How it ended, once that was seen.
    private var end: Int32?

    /// The executables lie beside the program that runs the tests.
    static func path(_ name: String) -> URL {
        URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent(name)
    }

    /// Starts `name` in `directory`, where its output is kept, too. Of our own environment it gets
    /// nothing but the path. `descriptors`: as many as it may have open.
    init(
        _ name: String, _ arguments: [String], in directory: String,
        environment: [String: String] = [:], descriptors: Int? = nil
    ) throws {
        self.name = name
        let stem = "\(directory)/\(name)-\(UUID().uuidString.prefix(8))"
        files = (stem + ".out", stem + ".err")
        process.executableURL = Self.path(name)
        process.arguments = arguments
        if let descriptors {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
            process.arguments =
                ["--nofile=\(descriptors)", Self.path(name).path] + arguments
        }
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (try Self.create(files.output), try Self.create(files.errors))
        process.standardOutput = output
        process.standardError = errors
        // The program has them by then. With 1,365 files open Foundation reads past the end of the list of
        // them as it starts a process, and the tests end with signal 11.
        defer { for file in [output, errors] { _ = Result { try file.close() } } }
        try process.run()
    }

    deinit { kill() }

    private static func create(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Fault(description: "\(path) cannot be written") }
        return file
    }

    /// What it has written to standard output so far.
    var output: String { Self.text(files.output) }

    /// What it has written to standard error so far.
    var errors: String { Self.text(files.errors) }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// Its exit status, or the signal that ended it as a negative number; `nil` while it runs.
    ///
    /// The system is asked, because Foundation waits for the end of a socket that a program started
    /// in the same instant may have inherited. Foundation collects it meanwhile, and says so later;
    /// what was seen is kept, or it would seem to run again.
    var status: Int32? {
        if end == nil { end = currentStatus }
        return end
    }

    private var currentStatus: Int32? {
        var end = siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        guard waitid(P_PID, id_t(process.processIdentifier), &end, options) == 0 else {
            // Foundation has collected it.
            guard !process.isRunning else { return nil }
            let isKilled = process.terminationReason == .uncaughtSignal
            return isKilled ? -process.terminationStatus : process.terminationStatus
        }
        let child = end._sifields._sigchld
        guard child.si_pid != 0 else { return nil }
        return end.si_code == CLD_EXITED ? child.si_status : -child.si_status
    }

    /// The number of its process.
    var processIdentifier: Int32 { process.processIdentifier }

    /// The most memory it has had so far, in MiB.
    var peakMemory: Double {
        let status = Self.text("/proc/\(process.processIdentifier)/status")
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Double($0.split(separator: " ").dropLast().last ?? "") }.map {
            $0 / 1024
        } ?? .nan
    }

    /// Whether it has not ended yet.
    var isRunning: Bool { status == nil }

    /// Sends it a signal.
    func signal(_ number: Int32) {
        if isRunning { Glibc.kill(process.processIdentifier, number) }
    }

    /// Ends it at once, as a power cut would.
    func kill() {
        signal(SIGKILL)
        while isRunning { usleep(1000) }
    }
}
