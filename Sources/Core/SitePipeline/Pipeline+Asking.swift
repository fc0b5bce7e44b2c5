import SiteModel
import Wire

/// Requests, over MQTT and past it.
extension Pipeline {
    /// Somebody who is not on MQTT asks for something. The answer is an effect `respond`, at once or
    /// when what it tells of is stored.
    ///
    /// - Parameter client: Who asks. No slug, so that nobody on MQTT can be mistaken for it, nor ask
    ///   for its answers.
    package mutating func asked(
        _ operation: Operation, _ payload: RequestPayload, client: String, at now: Timestamp
    ) -> [Effect] {
        precondition(!Names.isSlug(client), "\(client) could be a client on MQTT")
        return perform(operation, payload, client: client, at: now)
    }

    package mutating func perform(
        _ operation: Operation, _ payload: RequestPayload, client: String, at now: Timestamp
    ) -> [Effect] {
        if let expiry = payload.expMs, now.milliseconds > expiry { return refuse("expired") }
        guard let verb = names.verb(operation, payload) else {
            let code = Answer.Refusal.notFound
            let response = ResponsePayload(
                id: payload.id, outcome: .error(code: code.rawValue, message: code.message))
            guard Names.isSlug(client) else { return [.respond(to: client, response)] }
            let topic = board.paths.response(client: client, operation: operation.rawValue)
            return [
                .publish(
                    Publication(
                        topic: topic, payload: response.json, quality: 1, isRetained: false))
            ]
        }
        let request = Request(client: client, id: payload.id, verb: verb)
        guard factsWaiting < Self.patience else {
            let answer = Answer(request: request, at: now, outcome: .refused(.unavailable))
            return [response(to: answer)].compactMap(\.self)
                + board.published(answer).map { .publish($0) }
        }
        return handle(.request(request), at: now)
    }

    /// An answer for a request that did not come over MQTT; `nil` if it did.
    package func response(to answer: Answer) -> Effect? {
        let client = answer.request.client
        return Names.isSlug(client)
            ? nil : .respond(to: client, board.response(to: answer))
    }
}
