import Foundation
import Glibc

/// What answers HTTP and is no coordinator: another program, or somebody who poses as one. It ends
/// with `stop` or with this object.
final class FalseCoordinator {
    let port: Int
    private let folder: String
    private let process = Process()

    /// Answers each POST as the file `answer` says: a status, and the body from the second line on,
    /// in which SENT is what was sealed. With status 0 it hangs up.
    private static let script = """
        import http.server, json, os, sys
        folder = sys.argv[1]
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                sent = self.rfile.read(int(self.headers['Content-Length']))
                status, text = open(folder + '/answer').read().split('\\n', 1)
                if status == '0':
                    return
                body = text.replace('SENT', json.loads(sent)['sealed']).encode()
                self.send_response(int(status))
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *args):
                pass
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        with open(folder + '/port.new', 'w') as file:
            file.write(str(server.server_port))
        os.rename(folder + '/port.new', folder + '/port')
        server.serve_forever()
        """

    /// Listens at a port of this machine.
    init(_ site: RunningSite) throws {
        let folder = site.file("false-coordinator")
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Self.script, folder]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var port: Int?
        do {
            try site.wait("it listens") {
                let text = FileManager.default.contents(atPath: folder + "/port") ?? Data()
                port = Int(String(decoding: text, as: UTF8.self))
                return port != nil
            }
        } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
        self.port = port ?? 0
    }

    deinit { stop() }

    /// Ends it.
    func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// From now on everything is answered so.
    func answer(_ status: Int, _ body: String) throws {
        try Data("\(status)\n\(body)".utf8)
            .write(to: URL(fileURLWithPath: folder + "/answer"), options: .atomic)
    }
}
