import Foundation
import FoundationNetworking
import Testing

/// A browser or a program that asks a running coordinator: raw HTTP, so that every header is ours.
struct WebClient {
    /// Everybody's.
    static let password = "a long enough phrase"

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
        try site.answer(to: request(method, path, body, key: key, headers: headers))
    }

    /// What is sent to ask that.
    func request(
        _ method: String, _ path: String, _ body: String? = nil, key: String? = nil,
        headers: [String: String] = [:]
    ) throws -> URLRequest {
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
        return request
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

extension WebClient {
    /// Invites somebody, who accepts.
    func invited(_ name: String, _ role: String, user: String? = nil) throws -> WebClient {
        let user = user.map { ",\"user\":\"\($0)\"" } ?? ""
        let made = try ask(
            "POST", "/api/v1/accounts", "{\"name\":\"\(name)\",\"role\":\"\(role)\"\(user)}")
        #expect(made.reply.status == 201)
        let secret = made.reply.json["invitation"] as? String ?? ""
        var client = WebClient(site)
        let body = "{\"invitation\":\"\(secret)\",\"password\":\"\(Self.password)\"}"
        #expect(try client.enter("/api/v1/session/invitation", body) == 201)
        let again = try client.ask("POST", "/api/v1/session/invitation", body)
        #expect(again.reply.code == "not_found", "an invitation is good once")
        return client
    }
}

extension RunningSite {
    /// Starts the coordinator; its owner Ada, signed in.
    func claimed() throws -> WebClient {
        try startCoordinator()
        var owner = WebClient(self)
        let code = try claimCode().lowercased()
        let body = "{\"code\":\"\(code)\",\"name\":\"ada\",\"password\":\"\(WebClient.password)\"}"
        #expect(try owner.enter("/api/v1/claim", body) == 201)
        return owner
    }

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

extension WebClient {
    /// Accepts the invitation whose link a verb printed. Returns the status.
    mutating func accept(_ output: String) throws -> Int {
        let link = try #require(output.firstMatch(of: /#invite=([A-Za-z0-9_-]{43})/))
        return try enter(
            "/api/v1/session/invitation",
            "{\"invitation\":\"\(link.1)\",\"password\":\"\(Self.password)\"}")
    }
}
