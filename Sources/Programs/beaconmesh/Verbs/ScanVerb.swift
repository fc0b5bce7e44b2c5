import ArgumentParser
import Foundation
import Glibc
import Platform
import Radio
import Scanner

/// `beaconmesh scan`: shows what is in the air.
struct ScanVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Shows what is in the air: a live table, the strongest first.",
        discussion: """
            Listens with an adapter of this machine (the default), plays an HCI log (--capture), or \
            looks through the radio of a node (--node, with --broker and --site). A node that runs on this \
            machine has the adapter to itself: look through it with --node.

            The identity column is what `identity:` of a site file takes; an address in brackets \
            changes and cannot be registered. Ctrl-C ends it. On a terminal the table is redrawn in \
            place; elsewhere it is printed every ten seconds, of a log at its end.
            """)

    @Option(help: "The adapter of this machine to listen with. (default: hci0)")
    var adapter: String?

    @Flag(help: "Ask for names (active scanning): transmits, and costs batteries of others.")
    var active = false

    @Option(help: "Play this HCI log: btsnoop, pcap or pcapng, also with gzip.")
    var capture: String?

    @Option(help: "How fast to play it: 1 is real time, “max” as fast as possible.")
    var speed: PlaySpeed = .times(1)

    @OptionGroup(title: "Through a node")
    var remote: RemoteOptions

    @Flag(help: "Show each advertisement, one line each, instead of the table.")
    var raw = false

    @Flag(
        help: "Write JSON: a line for each row each second; with --raw one for each advertisement.")
    var json = false

    @Flag(help: "Print times in UTC, not as the clocks of this machine show them.")
    var utc = false

    @Option(help: "Stop after so many seconds (of a log: of its own time).")
    var seconds: Double?

    @Option(help: "Show only what has this in its name, identity, address, format or class.")
    var filter = ""

    @Option(help: "Tell devices by the rules of this file, instead of those that come with us.")
    var rules: String?

    func validate() throws {
        let sources = [adapter, capture, remote.node].compactMap(\.self)
        guard sources.count <= 1 else {
            throw ValidationError("--adapter, --capture and --node exclude one another")
        }
        if let seconds, !(0.1...604_800).contains(seconds) {
            throw ValidationError("--seconds: 0.1 to 604800")
        }
        if capture == nil, speed != .times(1) {
            throw ValidationError("--speed is for --capture")
        }
        try remote.check()
    }

    func run() async throws {
        StopSignal.install()
        let rules = try rules.map { try DeviceRules.read(file: $0) } ?? DeviceRules.starter()
        var decoder = ScanDecoder(rules: rules)
        var view = ScanView(
            form: form, screen: screen, filter: filter, title: title,
            clock: utc ? .utc : .machine
        ) { bytes in
            var output = Output()
            do {
                try output.add(bytes)
                try output.flush()
            } catch {
                // Our reader has seen enough.
                throw errno == EPIPE ? ExitCode.success : error
            }
        }
        defer { view.restore() }
        if let capture {
            try CaptureScan(path: capture, speed: speed.factor, seconds: seconds)
                .run(&view, decoder: &decoder)
        } else if let remote = try remote.scan(seconds: seconds) {
            try remote.run(&view, decoder: &decoder)
        } else {
            try AdapterScan(
                adapter: adapter ?? "hci0", settings: ScanSettings(isActive: active),
                seconds: seconds
            ).run(&view, decoder: &decoder)
        }
    }

    private var form: ScanView.Form {
        switch (raw, json) {
        case (false, false): .table
        case (false, true): .rows
        case (true, false): .stream
        case (true, true): .objects
        }
    }

    private var screen: ScanView.Screen {
        if let terminal = Terminal() { return .terminal(terminal) }
        return capture == nil ? .repeated : .last
    }

    private var title: String {
        capture.map { URL(fileURLWithPath: $0).lastPathComponent } ?? remote.node ?? adapter
            ?? "hci0"
    }
}

/// How fast a recording is played.
enum PlaySpeed: ExpressibleByArgument, Equatable {
    /// How many times faster than recorded.
    case times(Double)
    /// As fast as possible.
    case most

    init?(argument: String) {
        if argument == "max" {
            self = .most
            return
        }
        guard let factor = Double(argument), (0.01...10_000).contains(factor) else { return nil }
        self = .times(factor)
    }

    /// The factor, or `nil` for as fast as possible.
    var factor: Double? {
        switch self {
        case .times(let factor): factor
        case .most: nil
        }
    }

    var defaultValueDescription: String { factor.map { "\($0)" } ?? "max" }
}

/// `beaconmesh decode`: says everything that advertisements say.
struct DecodeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Decodes advertisements, one JSON object a line.",
        discussion: """
            Without an option it reads lines from standard input: hexadecimal (an HCI event if it \
            begins with 043e, else advertising data), or a JSON object with "id", "kind" \
            (hci-event, ad, hci-sequence), "hex" and perhaps "context". Each line is answered by \
            one JSON object, in order, whatever is in it.
            """)

    @Option(
        help: """
            Decode the packets of an HCI log instead: btsnoop, or pcap or pcapng with link type 187, 201 or 254, \
            either also compressed with gzip.
            """)
    var btsnoop: String?

    func run() async throws {
        if let btsnoop {
            try DecodeRun.capture(btsnoop)
        } else {
            try DecodeRun.lines()
        }
    }
}
