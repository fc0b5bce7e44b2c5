import JSON
import Permissions
import SiteModel
import Wire

/// Something that a client asks of the books over MQTT. It is no fact that machines decide on: whoever
/// writes the books answers it, as the same request over HTTP.
package struct BooksRequest: Equatable, Sendable {
    /// The longest payload, in bytes.
    static let longest = 8192

    package let operation: BooksOperation
    /// Who asks.
    package let principal: Principal
    /// The client's own number for it: asked again, it is answered alike.
    package let id: String
    /// A JSON object.
    package let arguments: [UInt8]
    /// When the client loses interest, in ms since 1970.
    package let expMs: Int64?
    private let topic: String

    /// Reads a payload. Throws what is wrong with it.
    init(
        _ operation: BooksOperation, of principal: Principal, json: Span<UInt8>, topic: String
    ) throws(PayloadError) {
        let object = try JSONObject(document: json, limit: Self.longest)
        _ = try object.members(json)
        id = try object.required("id", json).token(json)
        let arguments = try object.required("args", json)
        _ = try arguments.object(json).members(json)
        self.arguments = try arguments.bytes(json)
        expMs = try object.optional("exp_ms", json)?.time(json)
        self.operation = operation
        self.principal = principal
        self.topic = topic
    }

    /// The answer, to whoever asked.
    package func answer(_ outcome: ResponsePayload.Outcome) -> Publication {
        Publication(
            topic: topic, payload: ResponsePayload(id: id, outcome: outcome).json, quality: 1,
            isRetained: false)
    }

    package func refusal(_ refusal: Answer.Refusal) -> Publication {
        answer(.error(code: refusal.rawValue, message: refusal.message))
    }
}
