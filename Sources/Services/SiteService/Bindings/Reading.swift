import Foundation
import JSON
import SiteModel
import WebServer

/// Reads bodies and writes answers of routes.
package enum Reading {
    /// The longest body, in bytes.
    package static let longest = 8192

    /// Reads a body; what is wrong with it is told as `schema`. Members that are not in `known` are
    /// refused: a misspelt one would be passed over.
    package static func body<Value>(
        _ request: RouteRequest, known: Set<String>, limit: Int = longest,
        _ read: (JSONObject, Span<UInt8>) throws(PayloadError) -> Value
    ) throws -> Value {
        guard request.query.isEmpty else {
            throw ProblemCode.problem("bad_request", "This path takes no query.")
        }
        let json = request.body.span
        do throws(PayloadError) {
            let object = try JSONObject(document: json, limit: limit)
            if let strange = try object.members(json).first(where: { !known.contains($0.name) }) {
                throw .unknownMember(field: strange.name)
            }
            return try read(object, json)
        } catch {
            throw ProblemCode.problem("schema", "The body is refused: \(error.words).")
        }
    }

    package static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    package static func answer(_ value: some Encodable, status: Int = 200) throws -> RouteAnswer {
        .json(try text(of: value) + "\n", status: status)
    }

    /// 204.
    package static let nothing = RouteAnswer(status: 204, contentType: nil, body: .bytes([]))
}
