import JSON
import Operations
import Permissions
import SiteModel
import Wire

/// Something that a client asks of a room over MQTT. It is no fact that machines decide on: whoever
/// writes the room answers it, as the same request over HTTP.
package struct RoomRequest: Equatable, Sendable {
    /// What the verb is called.
    package let name: String
    /// Who asks.
    package let principal: Principal
    package let payload: RequestPayload
    private let client: String
    private let topics: SiteTopics

    init(
        _ verb: Verb, of principal: Principal, _ payload: RequestPayload, from client: String,
        _ topics: SiteTopics
    ) {
        name = verb.name
        self.principal = principal
        self.payload = payload
        self.client = client
        self.topics = topics
    }

    /// The answer, to whoever asked.
    package func answer(_ outcome: ResponsePayload.Outcome) -> Publication {
        topics.message(
            .response, client, name, saying: ResponsePayload(id: payload.id, outcome: outcome))
    }

    package func refusal(_ code: ProblemCode) -> Publication {
        answer(.error(code: code.rawValue, message: code.message))
    }
}
