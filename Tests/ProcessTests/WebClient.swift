import Foundation
import FoundationNetworking

/// A browser or a program that asks a running coordinator: raw HTTP, so that every header is ours.
struct WebClient {
    let site: RunningSite
    /// `name=value` of the session's cookie.
    var cookie: String?
    var token: String?
    var origin: String?

    init(_ site: RunningSite, token: String? = nil) {
        self.site = site
        self.token = token
    }

    /// What a path is answered.
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, key: String? = nil,
        headers: [String: String] = [:]
    ) throws -> (reply: WebReply, headers: [String: String]) {
        try site.wait("the dashboard") { site.dashboard != nil }
        let base = site.dashboard ?? ""
        guard let url = URL(string: base.dropLast() + path) else {
            throw RunningProgram.Fault(description: "no path \(path)")
        }
        var request = URLRequest(url: url)
        request.httpShouldHandleCookies = false
        request.httpMethod = method
        if let body {
            request.httpBody = Data(body.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        // A browser says where its page is from whenever it changes something.
        if let origin = origin ?? (method == "GET" ? nil : String(base.dropLast())) {
            request.setValue(origin, forHTTPHeaderField: "Origin")
        }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try site.answer(to: request)
    }

    /// The status and the code of a refusal.
    func status(_ method: String, _ path: String, _ body: String? = nil) throws -> Int {
        try ask(method, path, body).reply.status
    }

    /// Signs in and keeps the cookie; the status.
    mutating func signIn(_ name: String, _ password: String) throws -> Int {
        try enter("/api/v1/session", "{\"name\":\"\(name)\",\"password\":\"\(password)\"}")
    }

    /// Posts to a path that opens a session.
    mutating func enter(_ path: String, _ body: String) throws -> Int {
        let answer = try ask("POST", path, body)
        if let set = answer.headers["Set-Cookie"] {
            cookie = set.split(separator: ";").first.map(String.init)
        }
        return answer.reply.status
    }
}

extension RunningSite {
    /// The code that claims the site, as the coordinator's log has it.
    func claimCode() throws -> String {
        var code: String?
        try wait("the code in the log") {
            code = (coordinator?.errors ?? "").firstMatch(of: /the code ([A-Z2-9]{4}-[A-Z2-9]{4})/)
                .map {
                    String($0.1)
                }
            return code != nil
        }
        return code ?? ""
    }
}
