import JSON
import SiteModel
import Wire

/// Takes a node's commands in: answers those that need no doing, and remembers what it answered, so
/// that a command told again is not done again.
package struct CommandDeduplicator: Sendable {
    /// What is to be done about a message.
    package enum Verdict: Equatable, Sendable {
        /// Tell this; nothing is to be done.
        case answer(NodeResponsePayload)
        /// Do it, then `answer`.
        case perform(NodeOperation, NodeCommandPayload)
    }

    /// How many answers are remembered.
    package static let memory = 64

    /// The newest last.
    private var answers: [NodeResponsePayload] = []

    package init() {}

    /// A message arrived. `now` is the node's time; `wall` the wall clock, which senders go by.
    package mutating func read(
        _ json: Span<UInt8>, at now: Timestamp, wall: Timestamp
    ) -> Verdict {
        let command: NodeCommandPayload
        do throws(PayloadError) {
            command = try NodeCommandPayload(json: json)
        } catch {
            return .answer(Self.complaint(error, json, at: now))
        }
        if let earlier = answers.first(where: { $0.id == command.id }) { return .answer(earlier) }
        guard let operation = NodeOperation(rawValue: command.op) else {
            return .answer(
                answer(
                    command, refusing: "unknown-op",
                    "there is no \(command.op); there are "
                        + NodeOperation.allCases.map(\.rawValue).joined(separator: ", "), at: now))
        }
        if let expiry = command.expMs, wall.milliseconds > expiry {
            let late = wall.milliseconds - expiry
            return .answer(
                answer(command, refusing: "expired", "it expired \(late) ms ago", at: now))
        }
        return .perform(operation, command)
    }

    /// A command was done, or could not be.
    package mutating func answer(
        _ command: NodeCommandPayload, _ outcome: NodeResponsePayload.Outcome, at now: Timestamp
    ) -> NodeResponsePayload {
        let response = NodeResponsePayload(
            id: command.id, op: command.op, tMs: now.milliseconds, outcome: outcome)
        if answers.count == Self.memory { answers.removeFirst() }
        answers.append(response)
        return response
    }

    /// The same, for a reason.
    package mutating func answer(
        _ command: NodeCommandPayload, refusing code: String, _ message: String, at now: Timestamp
    ) -> NodeResponsePayload {
        answer(command, .failed(.init(code: code, message: message)), at: now)
    }

    /// The answer to what is no command, with as much of it as can be read.
    private static func complaint(
        _ error: PayloadError, _ json: Span<UInt8>, at now: Timestamp
    ) -> NodeResponsePayload {
        var id: String?
        var operation: String?
        do throws(PayloadError) {
            let object = try JSONObject(document: json, limit: NodeCommandPayload.limit)
            id = Self.readable { () throws(PayloadError) in
                try object.optional("id", json)?.token(json)
            }
            operation = Self.readable { () throws(PayloadError) in
                try object.optional("op", json)?.slug(json)
            }
        } catch {}
        return NodeResponsePayload(
            id: id, op: operation, tMs: now.milliseconds,
            outcome: .failed(.init(code: error.reason, message: error.words)))
    }

    private static func readable(
        _ body: () throws(PayloadError) -> String?
    ) -> String? {
        do {
            return try body()
        } catch {
            return nil
        }
    }
}
