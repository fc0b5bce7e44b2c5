import Detections
import JSON
import SiteModel
import SitePipeline
import Wire

/// Stores what detectors send with `ingest/detection/…`: as many as wait in one transaction. It has a queue of its own, so that
/// nobody's steps wait for it.
struct DetectionDesk: Sendable {
    /// The most of one transaction.
    private static let most = 500

    private let desk: WriteDesk
    private let intake: DetectionIntake

    init(_ desk: WriteDesk, _ intake: DetectionIntake) {
        self.desk = desk
        self.intake = intake
    }

    /// Answers until the task is cancelled.
    func run() async {
        for await _ in desk.mailbox.detections.arrivals {
            while case let batch = desk.mailbox.detections.take(most: Self.most), !batch.isEmpty {
                // Whoever is not answered sends it again.
                _ = desk.mailbox.put(await answers(to: batch))
            }
        }
    }

    private func answers(to batch: [IngestRequest]) async -> [Publication] {
        var answers: [Publication] = []
        var found: [(request: IngestRequest, detection: Detection)] = []
        for request in batch {
            guard case .detection(let payload) = request.content else { continue }
            guard intake.wait(for: 1, of: "mqtt:\(request.sender)") == nil else {
                answers.append(request.answer(.rateLimited))
                continue
            }
            do throws(PayloadError) {
                let one = try Detection(
                    payload, of: request.sender, by: request.person, at: desk.clock.now)
                found.append((request, one))
            } catch {
                answers.append(request.answer(.schema, error.words))
            }
        }
        do {
            _ = try await intake.store(found.map(\.detection))
            answers += found.map { $0.request.answer(nil) }
        } catch {
            answers += found.map { $0.request.answer(.unavailable) }
        }
        return answers
    }
}
