import Basics
import Ciphers
import Foundation
import Glibc
import JSON
import Platform
import SiteModel
import Wire

/// `beacon-node join`: makes this machine a node of a site, by a code or by a file.
struct JoinCommand {
    static let usage = """
        usage: beacon-node join HOST CODE [options]
               beacon-node join FILE [--delete] [options]

        Makes this machine a node: HOST is where the coordinator is, CODE what “beaconmesh node invite” printed;
        FILE is one of those that “beaconmesh node bundle” wrote. Checks and writes node.yaml, the password and the
        broker's certificate, turns the service bluetooth off and beacon-node on.

          --radio RADIO     what it listens with (hci:any)
          --folder DIR      where the files go (/etc/beaconmesh)
          --state DIR       what it may write to later (/var/lib/beaconmesh)
          --delete          delete FILE afterwards
          --keep-bluetooth  leave the service bluetooth as it is
          --no-start        start nothing

        Leaves with 64 for wrong arguments, 69 without an answer, 73 where a file cannot be written, 77 for a code
        that is not good, 78 for what cannot be used.
        """

    /// Where the package has its configuration.
    private static let usualFolder = "/etc/beaconmesh"
    /// The user that the package makes, who runs the node.
    private static let user = "beaconmesh"
    /// How often an answer is asked for, and how long after each other, in seconds.
    private static let attempts = (count: 5, pause: UInt32(2))
    /// How long an answer may take, in seconds.
    private static let patience = 15
    /// How far the clock may be behind before it is worth saying.
    private static let bearable = Timestamp.Span.seconds(3600)

    private enum Source {
        case coordinator(url: String, code: JoinCode)
        case file(String)
    }

    private var source: Source
    private var radio = "hci:any"
    private var folder = Self.usualFolder
    private var state = "/var/lib/beaconmesh"
    private var isDeleting = false
    private var keepsBluetooth = false
    private var isStarting = true

    /// The words after `join`. Throws an `Exit` with 64.
    init(_ arguments: some Collection<String>) throws(Exit) {
        var given: [String] = []
        var values: [String: String] = [:]
        var flags: Set<String> = []
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            if ["--radio", "--folder", "--state"].contains(word), let value = rest.popFirst(),
                !value.isEmpty
            {
                values[word] = value
            } else if ["--delete", "--keep-bluetooth", "--no-start"].contains(word) {
                flags.insert(word)
            } else if word.hasPrefix("-") {
                throw Exit(code: 64, text: Self.usage)
            } else {
                given.append(word)
            }
        }
        switch given.count {
        case 1: source = .file(given[0])
        case 2: source = .coordinator(url: try Self.url(given[0]), code: try Self.code(given[1]))
        default: throw Exit(code: 64, text: Self.usage)
        }
        radio = values["--radio"] ?? radio
        folder = values["--folder"] ?? folder
        state = values["--state"] ?? state
        isDeleting = flags.contains("--delete")
        keepsBluetooth = flags.contains("--keep-bluetooth")
        isStarting = !flags.contains("--no-start")
    }

    private static func code(_ text: String) throws(Exit) -> JoinCode {
        guard let code = JoinCode(text) else {
            throw Exit(
                code: 64,
                text: """
                    \(HarmlessText.line(text)): expected a code of four groups of four letters and digits, \
                    such as ab3k-9mpq-w2xy-hj7r
                    """)
        }
        return code
    }

    /// `gym.lan`, `gym.lan:8090`, or a whole address.
    private static func url(_ host: String) throws(Exit) -> String {
        let text = host.contains("://") ? host : "http://" + host
        guard var parts = URLComponents(string: text), let name = parts.host, !name.isEmpty,
            ["http", "https"].contains(parts.scheme), parts.user == nil, parts.query == nil,
            ["", "/"].contains(parts.path),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else {
            throw Exit(
                code: 64,
                text: "\(HarmlessText.line(host)): expected HOST, HOST:PORT or https://HOST")
        }
        if parts.port == nil, parts.scheme == "http" { parts.port = 8080 }
        parts.path = "/api/v1/join"
        return parts.string ?? text
    }

    /// Throws an `Exit` that says what to do. Nothing is written before all that came is checked.
    func run() throws(Exit) {
        try prepare()
        let bundle: NodeBundle
        switch source {
        case .file(let path): bundle = try Self.bundle(in: path)
        case .coordinator(let url, let code): bundle = try join(at: url, by: code)
        }
        let settings = try check(bundle)
        try setAside(settings)
        try write(bundle)
        // Not before what it held is stored.
        if case .coordinator = source { unlink(request) }
        print("\(bundle.node) of \(bundle.site): \(folder)/node.yaml is made, with its password")
        print("broker: \(bundle.host):\(bundle.port)")
        let now = AnchoredClock().now
        let made = Timestamp(milliseconds: bundle.madeMs)
        if made > now + Self.bearable {
            print(
                """
                the clock of this machine is behind: it says \(Self.date(now)), the coordinator \(Self.date(made)). \
                The node connects when it is right: see timedatectl
                """)
        }
        if isStarting { try start() }
        if case .file(let path) = source, isDeleting { try Self.delete(path) }
    }

    // MARK: What is asked

    /// What the request is called, in a file: after a power cut the same is asked for again, and answered.
    private var request: String { folder + "/.joining" }

    private func join(at url: String, by code: JoinCode) throws(Exit) -> NodeBundle {
        let keys = code.keys
        let name = try name(of: code)
        let asked = NodeBundle.Request(request: name, machine: Self.machine)
        let sealed = Hex.text(keys.seal(asked.json, .toCoordinator))
        let body = Data("{\"code\":\"\(code.name)\",\"sealed\":\"\(sealed)\"}".utf8)
        let (status, answer) = try ask(url, body)
        guard status == 200 else { throw Self.refusal(status, answer, url) }
        let told: NodeBundle.Answer
        do throws(PayloadError) {
            let object = try JSONObject(document: answer.span, limit: 4 * NodeBundle.limit)
            let text = try object.required("sealed", answer.span).text(answer.span)
            guard let bytes = Hex.bytes(text), let opened = keys.open(bytes, .toNode) else {
                throw .unknownValue(field: "sealed")
            }
            told = try NodeBundle.Answer(json: opened.span)
        } catch {
            throw Exit(
                code: 77,
                text: """
                    what answers at \(url) does not know the code (\(error.words)): it is not the coordinator that \
                    made it. Nothing was written
                    """)
        }
        guard told.request == name else {
            throw Exit(
                code: 77, text: "what answers at \(url) answers somebody else. Nothing was written")
        }
        return told.bundle
    }

    private func ask(_ url: String, _ body: Data) throws(Exit) -> (Int, [UInt8]) {
        var attempt = 1
        while true {
            do throws(Exit) {
                let answer = try WebRequest.exchange(
                    "POST", url, [("Content-Type", "application/json")], body,
                    patience: Self.patience, most: 4 * NodeBundle.limit)
                return (answer.status, Array(answer.body))
            } catch {
                guard attempt < Self.attempts.count else {
                    throw Exit(
                        code: 69,
                        text: """
                            \(url): \(HarmlessText.line(error.text)). Is the coordinator reached from here, and is \
                            its name right? The code is as good as before
                            """)
                }
                attempt += 1
                StandardError.line("\(url): \(HarmlessText.line(error.text)); trying again")
                sleep(Self.attempts.pause)
            }
        }
    }

    private static func refusal(_ status: Int, _ answer: [UInt8], _ url: String) -> Exit {
        struct Problem: Decodable {
            var detail: String
            var code: String?
        }
        guard let problem = try? JSONDecoder().decode(Problem.self, from: Data(answer)) else {
            return Exit(
                code: 69,
                text: "\(url): status \(status): what answers there is no coordinator of ours")
        }
        let detail = HarmlessText.line(String(problem.detail.prefix(300)))
        switch problem.code {
        case "not_found", "expired", "unauthorised", "bad_state":
            return Exit(code: 77, text: "\(detail) A new code: sudo beaconmesh node invite")
        // The code was not looked at, or nothing is known of what came of it.
        case "rate_limited", "unavailable", "in_doubt":
            return Exit(code: 69, text: "\(detail) Then run the same line again")
        default: return Exit(code: 77, text: detail)
        }
    }

    private func name(of code: JoinCode) throws(Exit) -> String {
        do throws(File.Failure) {
            if let bytes = try File.read(request, limit: 64) {
                let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
                if words.count == 2, words[0] == code.name { return String(words[1]) }
            }
            let name = Hex.text((0..<16).map { _ in UInt8.random(in: 0...255) })
            try File.replace(request, with: Array("\(code.name) \(name)".utf8))
            return name
        } catch {
            throw Exit(code: 73, text: "\(error); run it as root: sudo beacon-node join …")
        }
    }

    private static var machine: String {
        var text = [CChar](repeating: 0, count: 65)
        gethostname(&text, text.count - 1)
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    private static func bundle(in path: String) throws(Exit) -> NodeBundle {
        do throws(File.Failure) {
            guard let bytes = try File.read(path, limit: NodeBundle.limit) else {
                throw File.Failure("\(path): no such file")
            }
            do throws(PayloadError) {
                return try NodeBundle(json: bytes.span)
            } catch {
                throw File.Failure("\(path): no file of “beaconmesh node bundle”: \(error.words)")
            }
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    // MARK: What is written

    private var owner: passwd? { geteuid() == 0 ? getpwnam(Self.user)?.pointee : nil }

    private func prepare() throws(Exit) {
        guard access(folder, W_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw Exit(
                code: 73, text: "\(folder): \(reason); run it as root: sudo beacon-node join …")
        }
        guard geteuid() != 0 || owner != nil || folder != Self.usualFolder else {
            throw Exit(
                code: 78, text: "there is no user \(Self.user): install the package beaconmesh-node"
            )
        }
    }

    /// Reads what is to be written as the node will, before what was there is touched.
    private func check(_ bundle: NodeBundle) throws(Exit) -> NodeSettings {
        let names = [".check-password", ".check.pem", ".check.yaml"]
        defer { for name in names { unlink("\(folder)/\(name)") } }
        do throws(File.Failure) {
            try put(Array((bundle.password + "\n").utf8), names[0])
            if let authority = bundle.authority { try put(Array(authority.utf8), names[1]) }
            let text = yaml(bundle).replacing("node-password", with: names[0])
                .replacing("ca.pem", with: names[1])
            try put(Array(text.utf8), names[2])
        } catch {
            throw Exit(code: 73, text: "\(error)")
        }
        do {
            return try NodeSettings(file: "\(folder)/\(names[2])")
        } catch {
            let text = "\(error)".replacing(names[2], with: "node.yaml")
            throw Exit(code: 78, text: "\(text)\nNothing was written")
        }
    }

    /// What the machine heard as another node is not said in this one's name: it stays, beside its place.
    private func setAside(_ settings: NodeSettings) throws(Exit) {
        let outbox = settings.outbox.path
        let before = try? NodeSettings(file: folder + "/node.yaml")
        let isSame = before?.node == settings.node && before?.site == settings.site
        guard !isSame, access(outbox, F_OK) == 0 else { return }
        if isStarting, Self.hasServices {
            _ = try run("systemctl", "stop", "beacon-node")
        }
        let place = "\(outbox).\(before?.node ?? "unknown")-\(AnchoredClock().now.milliseconds)"
        guard rename(outbox, place) == 0 else {
            throw Exit(code: 73, text: "\(outbox): \(String(cString: strerror(errno)))")
        }
        print("what it heard as another node and had not sent is in \(place) now")
    }

    private static var hasServices: Bool {
        geteuid() == 0 && access("/run/systemd/system", F_OK) == 0
    }

    /// The file that names the others comes last. A power cut in between leaves a node that is refused, until the same
    /// line is run again.
    private func write(_ bundle: NodeBundle) throws(Exit) {
        do throws(File.Failure) {
            let place = folder + "/node.yaml"
            let text = Array(yaml(bundle).utf8)
            if let before = try File.read(place, limit: 1 << 20), before != text {
                try put(before, "node.yaml.old")
                print("what stood in \(place) is in \(place).old now")
            }
            if let authority = bundle.authority { try put(Array(authority.utf8), "ca.pem") }
            try put(Array((bundle.password + "\n").utf8), "node-password")
            try put(text, "node.yaml")
        } catch {
            throw Exit(code: 73, text: "\(error)")
        }
    }

    private func put(_ bytes: [UInt8], _ name: String) throws(File.Failure) {
        let path = "\(folder)/\(name)"
        let owner = owner
        try File.replace(path, with: bytes) { file in
            guard let owner else { return true }
            return fchown(file, owner.pw_uid, owner.pw_gid) == 0
        }
    }

    private func yaml(_ bundle: NodeBundle) -> String {
        let tls = bundle.authority == nil ? "plaintext: true" : "tls: {ca: ca.pem}"
        return """
            # Made by “beacon-node join”. What else can be said stands in the manual's example, node.yaml.
            node: \(bundle.node)
            site: \(bundle.site)
            radio: \(Self.quoted(radio))
            broker:
              host: \(Self.quoted(bundle.host))
              port: \(bundle.port)
              username: \(bundle.node)
              password_file: node-password
              \(tls)
            state: \(Self.quoted(state))

            """
    }

    /// As JSON writes it, YAML reads it.
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONWriter.quoted(text), as: UTF8.self)
    }

    /// A card may be read by anybody later: what was there is written over first.
    private static func delete(_ path: String) throws(Exit) {
        var info = stat()
        let file = open(path, O_WRONLY | O_CLOEXEC)
        if file >= 0, fstat(file, &info) == 0 {
            let zeros = [UInt8](repeating: 0, count: Int(info.st_size))
            if Glibc.write(file, zeros, zeros.count) != zeros.count || fsync(file) != 0 {
                print("\(path): it could not be written over before it is deleted")
            }
        }
        if file >= 0 { close(file) }
        guard unlink(path) == 0 || errno == ENOENT else {
            throw Exit(
                code: 73,
                text: """
                    \(path): \(String(cString: strerror(errno))): it holds this node's password: delete it by hand, \
                    or replace the node
                    """)
        }
        print("deleted \(path)")
    }

    // MARK: What is started

    private func start() throws(Exit) {
        guard Self.hasServices else {
            return print("start it with: beacon-node --config \(folder)/node.yaml")
        }
        if !keepsBluetooth, try run("systemctl", "is-enabled", "--quiet", "bluetooth").status == 0 {
            let ended = try run("systemctl", "disable", "--now", "--quiet", "bluetooth")
            print(
                ended.status == 0
                    ? "turned the service bluetooth off: two who scan disturb each other"
                    : "the service bluetooth could not be turned off: \(ended.fault)")
        }
        let enabled = try run("systemctl", "enable", "--quiet", "beacon-node")
        // It may wait for its radio for as long as it takes to plug one in.
        let started = try run("systemctl", "--no-block", "restart", "beacon-node")
        guard enabled.status == 0, started.status == 0 else {
            throw Exit(
                code: 69,
                text: """
                    systemctl: \(enabled.fault + started.fault); see: systemctl status \
                    beacon-node
                    """)
        }
        for _ in 0..<15 {
            sleep(1)
            guard try run("systemctl", "is-active", "--quiet", "beacon-node").status == 0 else {
                continue
            }
            return print("beacon-node runs: \(try status())")
        }
        print("beacon-node is not ready yet: \(try status()); see: systemctl status beacon-node")
    }

    /// What the node says of itself.
    private func status() throws(Exit) -> String {
        let told = try run("systemctl", "show", "-p", "StatusText", "--value", "beacon-node")
        return HarmlessText.line(told.text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func run(_ words: String...) throws(Exit) -> Program.Ended { try Program.run(words) }

    private static func date(_ moment: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000).formatted(.iso8601)
    }
}
