import Broker
import Foundation
import Platform

/// A private broker and the real processes around it. They end with `stop`.
final class BenchRig {
    /// The coordinator's slug.
    static let coordinator = "bench"

    /// Its files.
    let folder: String
    /// The broker's port on this machine.
    var port: Int { broker.port }

    private let broker: PrivateBroker
    private var children: [Child] = []

    /// Starts a broker. Throws `.skipped` where there is none.
    init(folder: String) throws(BenchFailure) {
        self.folder = folder
        do {
            broker = try PrivateBroker(directory: folder)
        } catch .notInstalled {
            throw .skipped("\(PrivateBroker.Failure.notInstalled)")
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Starts a coordinator of a site.
    func startCoordinator(of site: BenchSite) throws -> Child {
        try start(
            "beacon-coordinator",
            """
            coordinator: \(Self.coordinator)
            broker: {host: 127.0.0.1, port: \(port)}
            http: {host: 127.0.0.1, port: 0, anonymous_reading: true}
            log: warning
            sites:
              - id: \(site.names.site)
                database: "\(site.database)"

            """)
    }

    /// Starts a node that listens to a btsnoop stream on a Unix socket.
    func startNode(_ slug: String, site: String, radio: String) throws -> Child {
        try start(
            "beacon-node",
            """
            node: \(slug)
            site: \(site)
            radio: "btsnoop:unix:\(radio)"
            broker: {host: 127.0.0.1, port: \(port)}
            state: "\(folder)/state"
            outbox: {megabytes: 1}
            log: warning

            """)
    }

    /// Ends everything, and waits for it at most three seconds.
    func stop() {
        for child in children { child.terminate() }
        let deadline = Date().addingTimeInterval(3)
        for child in children { child.end(by: deadline) }
        broker.stop()
    }

    /// The resident memory of a process in units of 1,000,000 bytes.
    func residentMegabytes(of child: Child) throws(BenchFailure) -> Double {
        guard let process = child.processIdentifier,
            let status = FileManager.default.contents(atPath: "/proc/\(process)/status")
        else { throw .failed("\(child.name) has ended: \(lastWords(of: child))") }
        // The line reads “VmRSS:     1234 kB”, and means 1,024 bytes.
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n")
        where line.hasPrefix("VmRSS:") {
            let words = line.split { $0 == " " || $0 == "\t" }
            if words.count == 3, let size = Double(words[1]) { return size * 1024 / 1e6 }
        }
        throw .failed("the kernel does not say how much memory \(child.name) has")
    }

    private func start(_ program: String, _ configuration: String) throws -> Child {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let executable = own.deletingLastPathComponent().appendingPathComponent(program).path
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw BenchFailure.failed("\(executable) is not there: build it first")
        }
        let file = "\(folder)/\(program).yaml"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        let child = Child(
            name: program, executable: executable, arguments: ["--config", file],
            log: log(of: program))
        try child.start()
        children.append(child)
        return child
    }

    private func log(of program: String) -> String { "\(folder)/\(program).log" }

    private func lastWords(of child: Child) -> String {
        let data = FileManager.default.contents(atPath: log(of: child.name)) ?? Data()
        return String(String(decoding: data, as: UTF8.self).suffix(500))
    }
}
