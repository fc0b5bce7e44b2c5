import Activities
import ActivityEngine
import Basics
import Records
import SiteModel
import SitePipeline
import Wire

/// Stores what is sent with `ingest/…`: as many as wait in one transaction, so that the disk is waited for once.
struct SampleDesk: Sendable {
    /// The most of one transaction.
    private static let most = 1000

    private let desk: WriteDesk
    private let budget: SampleBudget

    init(_ desk: WriteDesk, _ budget: SampleBudget) {
        self.desk = desk
        self.budget = budget
    }

    /// Answers until the task is cancelled.
    func run() async {
        for await _ in desk.mailbox.samples.arrivals {
            while case let batch = desk.mailbox.samples.take(most: Self.most), !batch.isEmpty {
                // Whoever is not answered sends it again.
                _ = desk.mailbox.put(await answers(to: batch))
            }
        }
    }

    private func answers(to batch: [IngestRequest]) async -> [Publication] {
        var answers: [Publication] = []
        var groups = SampleGroups()
        for request in batch {
            guard let source = request.content.source else { continue }
            let isSpent = desk.rows.wait(.samples, of: request.sender) != nil
            if isSpent || budget.wait(for: 1, of: request.sender) != nil {
                answers.append(request.answer(.rateLimited))
            } else if Self.isNoName(source) {
                answers.append(request.answer(.schema, "source: that is no name"))
            } else {
                groups.add(request)
            }
        }
        do {
            let writes = groups.all.compactMap { SampleGroups.call($0).map(SiteWrite.activity) }
            let written = try await desk.perform(writes, by: "ingest")
            for (requests, result) in zip(groups.all, written) {
                answers += Self.answers(to: requests, result)
            }
        } catch {
            answers += groups.all.joined().map { $0.answer(.unavailable) }
        }
        return answers
    }

    private static func isNoName(_ source: String) -> Bool {
        source.isEmpty || HarmlessText.fault(inWords: source) != nil
    }

    private static func answers(
        to requests: [IngestRequest], _ result: Result<SiteWritten, any Error>
    ) -> [Publication] {
        do {
            return zip(requests, try result.get().codes).map { $0.answer($1) }
        } catch let refusal as BooksRefusal {
            return requests.map { $0.answer(refusal.code, refusal.text) }
        } catch {
            return requests.map { $0.answer(.unavailable) }
        }
    }
}

/// Samples by kind and person, each group one call of the books.
private struct SampleGroups {
    private struct Key: Hashable {
        var user: String
        var kind: PayloadKind
    }

    /// In the order in which the first of each came.
    private(set) var all: [[IngestRequest]] = []
    private var places: [Key: Int] = [:]

    mutating func add(_ request: IngestRequest) {
        let key = Key(user: request.sender, kind: request.content.kind)
        if let place = places[key] {
            all[place].append(request)
        } else {
            places[key] = all.count
            all.append([request])
        }
    }

    static func call(_ requests: [IngestRequest]) -> ActivityCall? {
        let user = requests[0].sender
        switch requests[0].content {
        case .steps:
            return .samples(
                user: user,
                requests.compactMap {
                    if case .steps(let payload) = $0.content { SentSample(payload) } else { nil }
                })
        case .activity:
            return .intervals(
                user: user,
                requests.compactMap {
                    if case .activity(let payload) = $0.content { Sent(payload) } else { nil }
                })
        case .heartRate:
            return .rates(
                user: user,
                requests.compactMap {
                    if case .heartRate(let payload) = $0.content { Sent(payload) } else { nil }
                })
        case .position:
            return .positions(
                user: user,
                requests.compactMap {
                    if case .position(let payload) = $0.content { Sent(payload) } else { nil }
                })
        case .detection: return nil
        }
    }
}

extension SentSample {
    fileprivate init(_ payload: StepsPayload) {
        func thousandths(_ value: Double?) -> Int64? { value.map { Int64(($0 * 1000).rounded()) } }
        self.init(
            payload.head,
            ActivitySample(
                from: Timestamp(milliseconds: payload.fromMs),
                to: Timestamp(milliseconds: payload.toMs), steps: payload.steps,
                distance: thousandths(payload.distanceM), energy: thousandths(payload.kcal)))
    }
}

extension Sent<ActivityInterval> {
    fileprivate init(_ payload: ActivityPayload) {
        self.init(
            payload.head,
            ActivityInterval(
                kind: payload.kind, from: Timestamp(milliseconds: payload.fromMs),
                to: payload.toMs.map { Timestamp(milliseconds: $0) }))
    }
}

extension Sent<HeartRate> {
    fileprivate init(_ payload: HeartRatePayload) {
        self.init(
            payload.head,
            HeartRate(at: Timestamp(milliseconds: payload.atMs), rate: payload.bpm))
    }
}

extension Sent<GeoPosition> {
    init(_ payload: PositionPayload) {
        self.init(
            payload.head,
            GeoPosition(
                at: Timestamp(milliseconds: payload.atMs), latitude: payload.latitude,
                longitude: payload.longitude, accuracy: payload.accuracyM,
                speed: payload.speedMS, heading: payload.headingDeg,
                activity: payload.activity.flatMap {
                    let harmless = HarmlessText.stripped($0)
                    return harmless == "" ? nil : harmless
                }))
    }
}

extension IngestRequest.Content {
    /// Who measured; `nil`: nobody did, it is what a detector found.
    fileprivate var source: String? {
        switch self {
        case .steps(let payload): payload.head.source
        case .activity(let payload): payload.head.source
        case .heartRate(let payload): payload.head.source
        case .position(let payload): payload.head.source
        case .detection: nil
        }
    }
}

extension Sent {
    fileprivate init(_ head: IngestHead, _ sample: Sample) {
        self.init(id: head.id, source: head.source, sample: sample)
    }
}
