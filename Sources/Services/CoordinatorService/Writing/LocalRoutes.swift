import Foundation
import Platform
import SiteModel
import WebServer
import Wire

/// What the command line asks of a running coordinator, over the socket beside the database only.
struct LocalRoutes: Sendable {
    let mailbox: LoopMailbox
    let clock: AnchoredClock
    let status: SharedStatus

    /// `POST /local/v1/write`, a `LocalRequest`; a `LocalAnswer`, after it is stored and what follows
    /// from it.
    var all: [Route] {
        [
            Route(.post, LocalRequest.path, longestBody: LocalRequest.longest) { request in
                do {
                    return try await answer(request)
                } catch let problem as RouteProblem {
                    status.update { $0.localRefusals += 1 }
                    throw problem
                }
            }
        ]
    }

    private func answer(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked: LocalRequest
        do {
            asked = try await Blocking.run {
                try JSONDecoder().decode(LocalRequest.self, from: Data(request.body))
            }
        } catch {
            throw ProblemCode.problem(
                "schema", "This release (\(CoreVersion.text)) does not understand what is asked.")
        }
        guard (1...LocalRequest.longestAsker).contains(asked.asker.utf8.count) else {
            throw ProblemCode.problem("bad_request", "It does not say who asks.")
        }
        let answer: LocalAnswer
        do {
            answer = .done(try await perform(asked))
        } catch let problem as RouteProblem {
            throw problem
        } catch {
            answer = .fault(WriteFault(error))
        }
        return .json(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self) + "\n")
    }

    /// Each slice is a transaction of its own, between which others are done.
    private func perform(_ asked: LocalRequest) async throws -> SiteWritten {
        var run = WriteRun(asked.write, by: asked.asker)
        let clock = clock
        do {
            while true {
                let begun = run
                let (next, written) = try await mailbox.ask(
                    within: LocalRequest.patience, renames: begun.renames
                ) { store in
                    var run = begun
                    let written = try run.step(on: store, at: clock.now)
                    return (run, written)
                }
                if let written { return written }
                run = next
                if run.pause > 0 { try await Task.sleep(for: .seconds(run.pause)) }
            }
        } catch  where run.hasBegun {
            throw run.fault(error)
        } catch let stopping as LoopMailbox.Stopping {
            throw ProblemCode.problem("unavailable", stopping.message)
        } catch LoopMailbox.Unanswered.refused {
            throw ProblemCode.problem("unavailable", Answer.Refusal.unavailable.message)
        } catch LoopMailbox.Unanswered.late {
            throw ProblemCode.problem(
                "unavailable",
                "There is no answer yet. Look whether it is done before asking again.")
        }
    }
}

/// Something to be written, and who asks.
struct LocalRequest: Codable, Sendable {
    /// Where it is posted.
    static let path = "/local/v1/write"
    /// The longest, in bytes: a site of ten thousand people.
    static let longest = 16 << 20
    /// The longest name of who asks, in bytes.
    static let longestAsker = 256
    /// So long a slice may take, with what waits before it, in seconds.
    static let patience = 60.0

    /// A login, or what was given with `--as`.
    var asker: String
    var write: SiteWrite
}

/// The answer to it.
enum LocalAnswer: Codable, Sendable {
    case done(SiteWritten)
    case fault(WriteFault)
}
