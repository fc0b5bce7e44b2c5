import Basics
import Hummingbird

extension Route {
    /// The server's answer to a request for this route's path.
    ///
    /// - Throws: What the route throws beside a `RouteProblem`.
    package func response(to request: Request, context: WebContext) async throws -> Response {
        var request = request
        let answer: RouteAnswer
        do {
            answer = try await self.answer(try await asked(&request, context: context))
        } catch let problem as RouteProblem {
            return Problem(problem).response
        }
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            guard let name = HTTPFields.Element.Name(name) else { continue }
            headers[name] = value
        }
        headers[.contentType] = answer.contentType
        headers[.cacheControl] = "no-store"
        let status = HTTPResponse.Status(code: answer.status)
        switch answer.body {
        case .bytes(let bytes):
            return Response(
                status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .stream(let produce):
            return Response(
                status: status, headers: headers,
                body: .init { writer in
                    try await produce { try await writer.write(ByteBuffer(bytes: $0)) }
                    try await writer.finish(nil)
                })
        }
    }

    /// The request as the route sees it. Throws a `RouteProblem` for what cannot be one.
    private func asked(
        _ request: inout Request, context: WebContext
    ) async throws -> RouteRequest {
        var parameters: [String: String] = [:]
        for (name, value) in context.parameters { parameters[String(name)] = String(value) }
        return RouteRequest(
            parameters: parameters, query: try Self.query(request.uri.query ?? ""),
            body: try await body(of: &request),
            idempotencyKey: HTTPFields.Element.Name("Idempotency-Key").flatMap {
                request.headers[$0]
            },
            ifMatch: request.headers[.ifMatch])
    }

    private func body(of request: inout Request) async throws -> [UInt8] {
        guard method == .post || method == .put else { return [] }
        let type = (request.headers[.contentType] ?? "").prefix { $0 != ";" }
        guard type.lowercased().filter({ $0 != " " }) == "application/json" else {
            // A form of a foreign page can send any other type without being asked first.
            throw RouteProblem(
                .unsupportedType, "Send the body as Content-Type: application/json.")
        }
        do {
            return Array(try await request.collectBody(upTo: longestBody).readableBytesView)
        } catch {
            throw RouteProblem(
                .tooLarge,
                "The body cannot be read or is longer than \(longestBody) bytes.")
        }
    }

    /// The names and values of a query. Throws where percent signs or UTF-8 are wrong.
    package static func query(_ text: String) throws -> [(name: String, value: String)] {
        try text.split(separator: "&").map { pair in
            let parts = pair.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (try decoded(parts[0]), parts.count > 1 ? try decoded(parts[1]) : "")
        }
    }

    private static func decoded(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard rest.count >= 2, let value = Hex.number(rest.prefix(2)) else {
                    throw Self.badQuery
                }
                bytes.append(UInt8(value))
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.badQuery }
        return text
    }

    private static let badQuery = RouteProblem(
        .badRequest, "The query is not percent-encoded UTF-8.")
}
