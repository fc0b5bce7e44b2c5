import ArgumentParser
import Foundation
import Glibc
import NodeEngine
import SiteModel
import SiteStore
import Platform
import Registry

/// `beaconmesh demo run`, also without the word: a whole site on this machine, with simulated people and nothing else simulated.
package struct DemoVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a demonstration gym: broker, coordinator, nodes, dashboard.",
        discussion: """
            Twelve people walk about, train, come and go. Their beacons reach real beacon-node \
            processes as HCI events over Unix sockets. Ctrl-C, the end of the terminal or of whoever \
            reads standard output stops what was started, and nothing else.
            """)

    @Option(help: "What the people do follows from this number.")
    package var seed: UInt64 = 7

    @Option(help: "How many people.")
    package var people = 12

    @Option(help: "Days of history to simulate first.")
    var historyDays = 14

    @Option(help: "A btsnoop log to play through a node, again and again.")
    package var capture: String?

    @Option(help: "Where to write, once all is ready, what runs where.")
    package var json: String?

    @Option(
        help: "Keep everything in this directory, made yours alone, instead of a temporary one.")
    package var directory: String?

    @Option(help: "The dashboard's port; another one is taken and said if it is in use. 0: any.")
    package var port = 8080

    @Flag(
        help: "Let phones and machines of the same network see the dashboard; prints their way in.")
    package var lan = false

    package init() {}

    package func validate() throws {
        guard (1...200).contains(people) else { throw ValidationError("--people: 1 to 200") }
        guard (0...90).contains(historyDays) else {
            throw ValidationError("--history-days: 0 to 90")
        }
        guard (0...65535).contains(port) else { throw ValidationError("--port: 0 to 65535") }
    }

    package func run() async throws {
        StopSignal.install()
        // Also of files and sockets that the broker, the coordinator and the nodes make.
        umask(0o077)
        let folder = try DemoFolder(directory)
        defer { folder.remove() }
        let log = try capture.map { try CaptureLoop(path: $0, from: AnchoredClock().now) }
        let site = DemoSite(people: people, seed: seed, hasCapture: log != nil)
        let opened = try prepare(site, in: folder)
        if StopSignal.isRaised { return }
        let (seed, historyDays, port, json) = (seed, historyDays, port, json)
        let door = lan ? try LANDoor(to: folder.database) : nil
        try await LoopThread.run {
            try DemoRun(
                site: site, folder: folder, seed: seed, historyDays: historyDays,
                opened: opened, port: port, capture: log, json: json, door: door
            ).run()
        }
    }

    /// Imports the site and lives its history. Returns when it opened on this day.
    private func prepare(_ site: DemoSite, in folder: DemoFolder) throws -> Timestamp {
        do {
            let store = try Store(path: folder.database)
            defer { store.close() }
            let now = AnchoredClock().now
            let span = Timestamp.Span.seconds(Double(historyDays + 2) * 86_400)
            var document = site.document
            document.beacons.append(SurveyTag.beacon)
            _ = try SiteImport(store).importDocument(document, at: now - span)
            guard historyDays > 0, let loaded = try store.load() else { return now }
            let isTerminal = isatty(2) == 1
            var history = DemoHistory(
                site: site, loaded: loaded, days: historyDays, seed: seed, before: now)
            let watch = Stopwatch()
            let outcome = try history.run(into: store, opening: { AnchoredClock().now }) { share in
                guard isTerminal else { return }
                StandardError.write(
                    "\rsimulating \(historyDays) days of history: \(Int(share * 100)) %")
            }
            let seconds = (watch.seconds * 10).rounded() / 10
            StandardError.write(
                """
                \(isTerminal ? "\r" : "")simulated \(historyDays) days of history: \
                \(outcome.frames) frames, \(outcome.facts) facts, \(seconds) s\n
                """)
            return history.opened
        } catch let error as StoreError {
            throw Exit(code: 1, text: "\(error)")
        }
    }
}
