import JSON
import SiteModel
import Wire

/// What a phone, a watch or a bridge sends of somebody with `ingest/…`.
package struct IngestRequest: Equatable, Sendable {
    /// What is measured.
    package enum Content: Equatable, Sendable {
        case steps(StepsPayload)
        case activity(ActivityPayload)
        case heartRate(HeartRatePayload)

        /// `nil`: that kind is nothing measured.
        init?(_ kind: PayloadKind, _ json: Span<UInt8>) throws(PayloadError) {
            switch kind {
            case .ingestSteps: self = .steps(try StepsPayload(json: json))
            case .ingestActivity: self = .activity(try ActivityPayload(json: json))
            case .ingestHeartRate: self = .heartRate(try HeartRatePayload(json: json))
            default: return nil
            }
        }

        package var kind: PayloadKind {
            switch self {
            case .steps: .ingestSteps
            case .activity: .ingestActivity
            case .heartRate: .ingestHeartRate
            }
        }

        package var head: IngestHead {
            switch self {
            case .steps(let payload): payload.head
            case .activity(let payload): payload.head
            case .heartRate(let payload): payload.head
            }
        }
    }

    /// The slug of the person, as the topic says: the broker lets nobody else write there.
    package let user: String
    package let content: Content
    private let topics: SiteTopics

    init(_ content: Content, of user: String, _ topics: SiteTopics) {
        self.user = user
        self.content = content
        self.topics = topics
    }

    /// The answer: it is stored, or why not.
    package func answer(_ refusal: ProblemCode?, _ message: String? = nil) -> Publication {
        let outcome: ResponsePayload.Outcome =
            if let refusal {
                .error(code: refusal.rawValue, message: message ?? refusal.message)
            } else {
                .result(Array("{}".utf8))
            }
        return topics.message(
            .response, user, IngestHead.operation,
            saying: ResponsePayload(id: content.head.id, outcome: outcome))
    }
}

extension RequestGate {
    /// What follows from something measured, or `nil` for any other message. It is nobody's but the person's, so
    /// neither the recording nor the machines see it.
    mutating func ingestEffects(
        _ topic: String, _ payload: Span<UInt8>, isRetained: Bool
    ) -> [Pipeline.Effect]? {
        guard case .ingest(let kind, let user)? = Inbound.parse(topic, site: site) else {
            return nil
        }
        guard !isRetained else {
            refused += 1
            return [
                .complain("something measured of \(user) is retained", about: "retained sample")
            ]
        }
        do throws(PayloadError) {
            guard let content = try IngestRequest.Content(kind, payload) else { return nil }
            let request = IngestRequest(content, of: user, topics)
            guard policy.isTaken(of: user) else {
                refused += 1
                return [
                    .publish(request.answer(.forbidden)),
                    .complain(
                        "something measured of \(user) is refused", about: "forbidden sample"),
                ]
            }
            return [.ingest(request)]
        } catch {
            refused += 1
            let words = "this is no sample: \(error.words)"
            let answer = ResponsePayload(refusing: payload, because: words).map { response in
                Pipeline.Effect.publish(
                    topics.message(.response, user, IngestHead.operation, saying: response))
            }
            return [answer].compactMap(\.self) + [
                .complain("a sample of \(user) is no sample: \(error.words)", about: "bad sample")
            ]
        }
    }
}

extension RequestPolicy {
    /// Whether what is measured of somebody is taken: from clients of their own, and from all where nobody was ever
    /// enrolled. Whose topic it is the broker has seen to.
    func isTaken(of user: String) -> Bool { isOpen || people.contains(user) }
}
