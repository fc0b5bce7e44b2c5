import Foundation
import Glibc

@testable import Wire

/// Somebody else's HTTP server on this machine, in another language: it checks signatures with
/// Python's own HMAC, notes what comes, and answers what it is told to.
final class WebhookReceiver {
    /// One delivery as it came.
    struct Arrival: Decodable {
        /// The path it came to.
        var path: String
        /// `Beaconmesh-Id`.
        var id: String
        /// `t` of the signature.
        var t: Int64
        /// Whether the signature is that of the body under the secret of the path.
        var genuine: Bool
        var type: String
        var body: String
    }

    let port: Int
    private let folder: String
    private let process = Process()

    /// Notes to `log`, reads `answer-<name>` for what to answer at `/<name>`: a status, or `hold`
    /// for as long as it says so.
    private static let script = """
        import hashlib, hmac, http.server, json, sys, time
        folder = sys.argv[1]
        def read(name):
            try:
                return open(folder + '/' + name).read().strip()
            except FileNotFoundError:
                return ''
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                name = self.path[1:]
                body = self.rfile.read(int(self.headers['Content-Length']))
                parts = dict(p.split('=', 1) for p in self.headers['Beaconmesh-Signature'].split(','))
                code = hmac.new(read('secret-' + name).encode(),
                                parts['t'].encode() + b'.' + body, hashlib.sha256).hexdigest()
                line = json.dumps({'path': name, 'id': self.headers['Beaconmesh-Id'],
                                   't': int(parts['t']),
                                   'genuine': hmac.compare_digest(code, parts['v1']),
                                   'type': self.headers['Content-Type'], 'body': body.decode()})
                with open(folder + '/log', 'a') as log:
                    log.write(line + '\\n')
                while read('answer-' + name) == 'hold':
                    time.sleep(0.02)
                self.send_response(int(read('answer-' + name) or 204))
                self.send_header('Content-Length', '0')
                self.end_headers()
            def log_message(self, *args):
                pass
        server = http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[2])), Handler)
        server.serve_forever()
        """

    /// Listens at a port of this machine. The secrets and first answers, by name, are written before it starts.
    init(
        port: Int, in directory: String, secrets: [String: String] = [:],
        answers: [String: String] = [:]
    ) throws {
        self.port = port
        folder = directory + "/receiver"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (name, secret) in secrets { try expect(secret: secret, at: name) }
        for (name, text) in answers { try answer(text, at: name) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Self.script, folder, "\(port)"]
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit { stop() }

    /// Ends it.
    func stop() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// From now on `/name` answers this.
    func answer(_ text: String, at name: String) throws { try write(text, to: "answer-\(name)") }

    /// `/name` checks signatures with this secret.
    func expect(secret: String, at name: String) throws { try write(secret, to: "secret-\(name)") }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(
            to: URL(fileURLWithPath: "\(folder)/\(name)"), options: .atomic)
    }

    /// All that came so far to `/name`.
    func arrivals(at name: String) throws -> [Arrival] {
        let data = FileManager.default.contents(atPath: folder + "/log") ?? Data()
        return try data.split(separator: 0x0A).map {
            try JSONDecoder().decode(Arrival.self, from: $0)
        }.filter { $0.path == name }
    }

    /// The notifications in what came to `/name`.
    func notifications(at name: String) throws -> [NotificationPayload] {
        try arrivals(at: name).map { try NotificationPayload(json: Array($0.body.utf8).span) }
    }
}
