import Foundation
import Platform
import SiteModel
import WebServer
import Wire

/// What the command line asks of a running coordinator, over the socket beside the database only.
package struct LocalRoutes: Sendable {
    private let desk: WriteDesk
    private let onRefusal: @Sendable () -> Void

    /// Routes that write at `desk`; `onRefusal` is called for each request that is refused.
    package init(_ desk: WriteDesk, onRefusal: @escaping @Sendable () -> Void) {
        self.desk = desk
        self.onRefusal = onRefusal
    }

    /// `POST /local/v1/write`, a `LocalRequest`; a `LocalAnswer`, after it is stored and what follows
    /// from it.
    package var all: [Route] {
        [
            Route(.post, LocalRequest.path, .accounts, longestBody: LocalRequest.longest) {
                request in
                do {
                    return try await answer(request)
                } catch let problem as RouteProblem {
                    onRefusal()
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
            answer = .done(try await desk.perform(asked.write, by: asked.asker, via: .cli))
        } catch let problem as RouteProblem {
            throw problem
        } catch {
            answer = .fault(WriteFault(error))
        }
        return .json(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self) + "\n")
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
