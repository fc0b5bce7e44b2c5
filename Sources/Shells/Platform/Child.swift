import Foundation
import Glibc

/// A process this one started and will stop, by its id. It ends with the thread that starts it.
package final class Child {
    /// What it is called in messages and in the JSON file.
    package let name: String
    private let executable: String
    private let arguments: [String]
    private let log: String
    private let environment: [String: String]?
    private var process: Process?
    /// How often it was started again.
    package private(set) var restarts = 0

    /// A process that is not started yet. Its output goes to the file `log`, which its owner alone may
    /// read. `environment`: its variables, if not ours.
    package init(
        name: String, executable: String, arguments: [String], log: String,
        environment: [String: String]? = nil
    ) {
        self.name = name
        self.executable = executable
        self.arguments = arguments
        self.log = log
        self.environment = environment
    }

    /// Its process, while it runs.
    package var processIdentifier: Int32? {
        guard let process, process.isRunning else { return nil }
        return process.processIdentifier
    }

    /// Starts it. Output is appended to the log.
    ///
    /// - Throws: An `Exit` with 1 if the log cannot be written or the program not be started.
    package func start() throws {
        let files = FileManager.default
        if !files.fileExists(atPath: log) { _ = files.createFile(atPath: log, contents: nil) }
        guard let output = FileHandle(forWritingAtPath: log),
            fchmod(output.fileDescriptor, 0o600) == 0
        else {
            throw Exit(code: 1, text: "\(log): cannot be written")
        }
        try output.seekToEnd()
        let process = Process()
        let words = Bond.launcher("TERM") + [executable] + arguments
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        if let environment { process.environment = environment }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw Exit(code: 1, text: "\(executable): cannot be started: \(error)")
        }
        self.process = process
    }

    /// Starts it again if it has died. Returns whether it had.
    ///
    /// - Throws: An `Exit` with 1 if the log cannot be written or the program not be started.
    package func revive() throws -> Bool {
        guard let process, !process.isRunning else { return false }
        restarts += 1
        try start()
        return true
    }

    /// Asks it to stop.
    package func terminate() {
        if let process, process.isRunning { process.terminate() }
    }

    /// Waits until `deadline` for it to end, then kills it.
    package func end(by deadline: ContinuousClock.Instant) {
        guard let process else { return }
        while process.isRunning, ContinuousClock.now < deadline { usleep(20_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

/// Starts programs that end with their parent process, also when that is killed.
package enum Bond {
    /// The words to put before a command (util-linux; on every Debian), or none where that program is
    /// missing. The kernel sends the signal when the *thread* that started the program ends. Programs
    /// with capabilities of their own (`setcap`) do not get it.
    package static func launcher(_ signal: String) -> [String] {
        let program = "/usr/bin/setpriv"
        return access(program, X_OK) == 0 ? [program, "--pdeathsig", signal, "--"] : []
    }
}
