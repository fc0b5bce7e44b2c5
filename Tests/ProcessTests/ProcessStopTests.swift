import Foundation
import Synchronization
import FoundationNetworking
import GRDB
import Testing

@testable import SiteModel

/// A coordinator that stops while people wait for what they asked for.
@Suite(.ownThread) struct ProcessStopTests {
    @Test func `who waits for a write is answered when the coordinator stops, and at once`() throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        try site.wait("the dashboard") { site.dashboard != nil }
        let coordinator = try #require(site.coordinator)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let other = try DatabaseQueue(path: site.database, configuration: configuration)
        let answers = Answers()
        try other.inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            defer { _ = Result { try db.execute(sql: "ROLLBACK") } }
            for number in 0..<4 { try ask(site, number, answers) }
            // The first is under way, the others wait behind it.
            let next = site.now + .seconds(1)
            try site.wait("a second") { site.now >= next }
            #expect(answers.all == [])
            #expect(try site.terminate(coordinator) <= .seconds(2))
            try site.wait("everybody is answered", within: 5) { answers.all.count == 4 }
        }
        #expect(answers.all == Array(repeating: "503 unavailable", count: 4))
        #expect(coordinator.status == 75, "\(coordinator.errors)")
        #expect(try site.rows("SELECT count(*) FROM correction") == ["0"])
    }

    /// Asks for a session to be added, and does not wait.
    private func ask(_ site: RunningSite, _ number: Int, _ answers: Answers) throws {
        let from = site.now - .seconds(Double(7200 * (number + 1)))
        let url = try #require(
            URL(string: (site.dashboard ?? "") + "api/v1/attendance/corrections"))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer letmein", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(
            """
            {"change":"add","user":"\(site.people[0].slug)","from_ms":\(from.milliseconds),
            "to_ms":\(from.milliseconds + 60_000),"reason":"forgot the tag"}
            """.utf8)
        URLSession.shared.dataTask(with: request) { data, response, error in
            var reply = WebReply()
            reply.status = (response as? HTTPURLResponse)?.statusCode ?? -1
            reply.body = data ?? Data()
            answers.add("\(reply.status) \(reply.code ?? error.map { "\($0)" } ?? "")")
        }.resume()
    }
}

/// Where other threads leave their answers.
private final class Answers: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
