import Foundation
import FoundationNetworking

/// What a web server answered.
struct WebReply {
    var status = 0
    var type = ""
    var body = Data()

    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }
    /// The code of a problem document.
    var code: String? { json["code"] as? String }
}

extension RunningSite {
    /// From the next start on the coordinator's web server takes the token “letmein”.
    func takeToken() throws {
        let file = try write("letmein\n", to: "token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        httpMore = ", token_file: token"
    }

    /// Sends a body to a path below `api/v1/attendance/`; without one (`method` GET) it reads.
    func post(
        _ path: String, _ body: String, token: String? = "letmein", key: String? = nil,
        type: String = "application/json", method: String = "POST"
    ) throws -> WebReply {
        try wait("the dashboard") { dashboard != nil }
        guard let url = URL(string: (dashboard ?? "") + "api/v1/attendance/" + path) else {
            throw RunningProgram.Fault(description: "no path \(path)")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if method != "GET" { request.httpBody = Data(body.utf8) }
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        return try reply(to: request)
    }

    /// What a path is answered without a token.
    func get(_ path: String) throws -> WebReply {
        guard let url = URL(string: (dashboard ?? "") + path) else {
            throw RunningProgram.Fault(description: "no path \(path)")
        }
        return try reply(to: URLRequest(url: url))
    }

    private func reply(to request: URLRequest) throws -> WebReply {
        try answer(to: request).reply
    }

    /// Cookies are sent as the test says, and none is kept.
    private static let plain: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        return URLSession(configuration: configuration)
    }()

    /// What a request is answered, with the headers.
    func answer(to request: URLRequest) throws -> (reply: WebReply, headers: [String: String]) {
        try answers(to: [request])[0]
    }

    /// What requests are answered that are sent at once.
    func answers(
        to requests: [URLRequest]
    ) throws -> [(reply: WebReply, headers: [String: String])] {
        try requests.map(sent).map { try $0() }
    }

    /// Sends a request. What is returned waits for the answer.
    private func sent(
        _ request: URLRequest
    ) -> () throws -> (reply: WebReply, headers: [String: String]) {
        let path = request.url?.path ?? ""
        let result = Box()
        Self.plain.dataTask(with: request) { data, response, _ in
            let answer = response as? HTTPURLResponse
            var headers: [String: String] = [:]
            for (name, value) in answer?.allHeaderFields ?? [:] {
                headers["\(name)"] = "\(value)"
            }
            let reply = WebReply(
                status: answer?.statusCode ?? -1,
                type: answer?.value(forHTTPHeaderField: "Content-Type") ?? "",
                body: data ?? Data())
            result.put((reply, headers))
        }.resume()
        return {
            try self.wait("\(path) is answered") { result.reply != nil }
            guard let reply = result.reply else {
                throw RunningProgram.Fault(description: "no answer from \(path)")
            }
            return reply
        }
    }
}

/// Where another thread leaves a reply.
private final class Box: @unchecked Sendable {
    // Both are only touched with the lock held.
    private let lock = NSLock()
    private var stored: (WebReply, [String: String])?

    var reply: (WebReply, [String: String])? { lock.withLock { stored } }

    func put(_ reply: (WebReply, [String: String])) { lock.withLock { stored = reply } }
}
