import Foundation
import SiteModel
import Glibc
import Platform
import WebServer

/// Asks the coordinator that has a database, over the socket beside it.
struct LocalClient {
    /// The longest answer, in bytes: everything that is held about one person.
    private static let longestAnswer = 1 << 30
    /// So long nothing may come, in seconds: longer than a slice, which is answered or refused by then.
    static let patience = 600

    let socket: LocalSocket

    /// Whether somebody listens there. Throws what else the system says.
    func isAnswered() throws(SocketError) -> Bool {
        do {
            close(try socket.connected())
            return true
        } catch {
            guard error.isNobody else { throw error }
            return false
        }
    }

    /// What is answered: JSON, or nothing. `asker` is who asks, for the audit.
    func ask(_ request: Operation.Request, as asker: String) throws(WriteFault) -> [UInt8] {
        let answer: (status: Int, head: String, body: Data)
        do {
            answer = try exchange(
                request.method.rawValue, request.path, [(Access.typist, asker.percentEncoded)],
                Data(request.body))
        } catch {
            throw Self.unanswered(error)
        }
        guard (200..<300).contains(answer.status) else {
            throw Self.refusal(answer.body) ?? Self.fault(answer.status, answer.body)
        }
        return answer.body.filter { $0 != UInt8(ascii: "\n") }
    }

    /// A refusal that this release knows.
    private static func refusal(_ body: Data) -> WriteFault? {
        guard let problem = try? JSONDecoder().decode(Problem.self, from: body),
            let code = ProblemCode(rawValue: problem.code), code != .internal, code != .unavailable
        else { return nil }
        let text =
            problem.detail.hasSuffix(".") ? String(problem.detail.dropLast()) : problem.detail
        return code == .inDoubt
            ? WriteFault(.unanswered, code: Exit.unfinished, text)
            : WriteFault(.refused, code: code.exitCode, "\(problem.code): \(text)")
    }

    private static func unanswered(_ error: any Error) -> WriteFault {
        WriteFault(
            .unanswered, code: Exit.unfinished,
            """
            the coordinator did not answer (\(error)): look whether it is done before asking \
            again
            """)
    }

    private struct Problem: Decodable {
        var detail: String
        var code: String
    }

    func ask(_ request: LocalRequest) throws(WriteFault) -> SiteWritten {
        let answer: (status: Int, body: Data)
        do {
            answer = try exchange(try JSONEncoder().encode(request))
        } catch {
            throw Self.unanswered(error)
        }
        guard answer.status == 200,
            let told = try? JSONDecoder().decode(LocalAnswer.self, from: answer.body)
        else { throw Self.fault(answer.status, answer.body) }
        switch told {
        case .done(let written): return written
        case .fault(let fault): throw fault
        }
    }

    /// A problem document, or what no coordinator of this release says.
    static func fault(_ status: Int, _ body: Data) -> WriteFault {
        let problem = try? JSONDecoder().decode(Problem.self, from: body)
        guard (400..<500).contains(status) || problem?.code == "unavailable" else {
            return WriteFault(
                .unanswered, code: Exit.unfinished,
                """
                the coordinator's answer cannot be read (status \(status)): look whether it is done before \
                asking again; of another release, it must be restarted with this one
                """)
        }
        if let problem, problem.code == "bad_request" {
            return WriteFault(.refused, code: 64, "\(problem.code): \(problem.detail)")
        }
        guard let problem, problem.code == "unavailable" else {
            return WriteFault(
                .refused, code: Exit.unfinished,
                """
                the running coordinator does not understand this beaconmesh (status \(status)): \
                they are of different releases; restart the coordinator with this one. Nothing was \
                written
                """)
        }
        return WriteFault(
            .unanswered, code: Exit.unfinished, "\(problem.code): \(problem.detail)")
    }

    /// One request of HTTP/1.1, after which the connection is closed.
    private func exchange(_ body: Data) throws -> (status: Int, body: Data) {
        let answer = try exchange("POST", LocalRequest.path, [], body)
        return (answer.status, answer.body)
    }

    /// The same for any path; `patience` is in seconds.
    func exchange(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: Data,
        patience: Int = LocalClient.patience
    ) throws -> (status: Int, head: String, body: Data) {
        let descriptor = try socket.connected()
        defer { close(descriptor) }
        let hasType = headers.contains { $0.0 == "Content-Type" }
        let headers = headers + (hasType ? [] : [("Content-Type", "application/json")])
        var wait = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: \(LocalListener.host)\r
            \(headers.map { "\($0): \($1)\r\n" }.joined())\
            Content-Length: \(body.count)\r
            Connection: close\r
            \r

            """
        try send(Data(head.utf8) + body, to: descriptor)
        let answer = try read(descriptor)
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)),
            let status = Self.status(in: answer[..<end.lowerBound])
        else { throw SocketError(code: EPROTO) }
        return (
            status, String(decoding: answer[..<end.lowerBound], as: UTF8.self),
            answer[end.upperBound...]
        )
    }

    private func send(_ data: Data, to descriptor: Int32) throws(SocketError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { rest = rest.dropFirst(count) }
            // Refused before it was read: the answer says why.
            if count < 0, errno == EPIPE || errno == ECONNRESET { return }
            guard count > 0 || errno == EINTR else { throw SocketError(code: errno) }
        }
    }

    private func read(_ descriptor: Int32) throws(SocketError) -> Data {
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while answer.count <= Self.longestAnswer {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return answer }
            guard count > 0 || errno == EINTR else { throw SocketError(code: errno) }
            answer.append(contentsOf: buffer.prefix(max(0, count)))
        }
        throw SocketError(code: EMSGSIZE)
    }

    /// The number in `HTTP/1.1 200 OK`.
    private static func status(in head: Data) -> Int? {
        let line = String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")
        return line.count > 1 ? Int(line[1]) : nil
    }
}
