import JSON
import SiteModel
import Wire

/// What a phone, a watch or a bridge sends of somebody with `ingest/…`, or an external detector of what it found.
package struct IngestRequest: Equatable, Sendable {
    /// What is sent.
    package enum Content: Equatable, Sendable {
        case steps(StepsPayload)
        case activity(ActivityPayload)
        case heartRate(HeartRatePayload)
        case position(PositionPayload)
        case detection(DetectionPayload)

        /// `nil`: that kind is nothing that is sent in.
        init?(_ kind: PayloadKind, _ json: Span<UInt8>) throws(PayloadError) {
            switch kind {
            case .ingestSteps: self = .steps(try StepsPayload(json: json))
            case .ingestActivity: self = .activity(try ActivityPayload(json: json))
            case .ingestHeartRate: self = .heartRate(try HeartRatePayload(json: json))
            case .ingestPosition: self = .position(try PositionPayload(json: json))
            case .ingestDetection: self = .detection(try DetectionPayload(json: json))
            default: return nil
            }
        }

        package var kind: PayloadKind {
            switch self {
            case .steps: .ingestSteps
            case .activity: .ingestActivity
            case .heartRate: .ingestHeartRate
            case .position: .ingestPosition
            case .detection: .ingestDetection
            }
        }

        /// By which its sender knows it.
        var id: String {
            switch self {
            case .steps(let payload): payload.head.id
            case .activity(let payload): payload.head.id
            case .heartRate(let payload): payload.head.id
            case .position(let payload): payload.head.id
            case .detection(let payload): payload.id
            }
        }
    }

    /// The slug of the person, or of the detector, as the topic says: the broker lets nobody else write there.
    package let sender: String
    /// The slug of the person whose client it is; `nil`: nobody's, or it is not known.
    package let person: String?
    package let content: Content
    private let topics: SiteTopics

    init(
        _ content: Content, of sender: String, by person: String? = nil, _ topics: SiteTopics
    ) {
        self.sender = sender
        self.person = person
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
            .response, sender, IngestHead.operation,
            saying: ResponsePayload(id: content.id, outcome: outcome))
    }
}

extension RequestGate {
    /// What follows from something sent in, or `nil` for any other message. It is nobody's but the person's, or for the
    /// books alone, so neither the recording nor the machines see it.
    mutating func ingestEffects(
        _ topic: String, _ payload: Span<UInt8>, isRetained: Bool
    ) -> [Pipeline.Effect]? {
        guard case .ingest(let kind, let sender)? = Inbound.parse(topic, site: site) else {
            return nil
        }
        guard !isRetained else {
            refused += 1
            return [
                .complain("something measured of \(sender) is retained", about: "retained sample")
            ]
        }
        do throws(PayloadError) {
            guard let content = try IngestRequest.Content(kind, payload) else { return nil }
            let request = IngestRequest(
                content, of: sender, by: policy.principal(of: sender)?.user, topics)
            guard policy.isTaken(kind, of: sender) else {
                refused += 1
                return [
                    .publish(request.answer(.forbidden)),
                    .complain(
                        "something measured of \(sender) is refused", about: "forbidden sample"),
                ]
            }
            return [.ingest(request)]
        } catch {
            refused += 1
            let words = "this is no sample: \(error.words)"
            let answer = ResponsePayload(refusing: payload, because: words).map { response in
                Pipeline.Effect.publish(
                    topics.message(.response, sender, IngestHead.operation, saying: response))
            }
            return [answer].compactMap(\.self) + [
                .complain("a sample of \(sender) is no sample: \(error.words)", about: "bad sample")
            ]
        }
    }
}

extension RequestPolicy {
    /// Whether what is sent in is taken: of somebody from clients of their own, of detectors that are enrolled as such, and from
    /// all where nobody was ever enrolled. Whose topic it is the broker has seen to.
    func isTaken(_ kind: PayloadKind, of sender: String) -> Bool {
        guard !isOpen else { return true }
        guard kind == .ingestDetection else { return people.contains(sender) }
        return principal(of: sender)?.reach(.detecting) == .site
    }
}
