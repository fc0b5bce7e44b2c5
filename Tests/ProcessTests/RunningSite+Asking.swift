import Foundation
import FoundationNetworking
import GRDB

@testable import Operations
@testable import Simulation
@testable import SiteModel
@testable import Wire

extension RunningSite {
    /// Everybody of the site.
    var people: [Person] { site.people }

    /// What was last said on a topic, or `nil` if nothing was, or it cannot be read.
    func latest<P: Payload>(_ topic: String, as type: P.Type = P.self) -> P? {
        watcher.latest[topic].flatMap { try? P(json: $0.span) }
    }

    func presence(_ person: Int) -> PresencePayload? {
        latest(topics[.presence, people[person].slug])
    }

    func attendance(_ person: Int) -> AttendancePayload? {
        latest(topics[.attendance, people[person].slug])
    }

    func station(_ slug: String) -> StationStatePayload? { latest(topics[.stationState, slug]) }

    /// What the broker keeps just now, as a newcomer sees it.
    func retained() throws -> [String: [UInt8]] { try Watcher(port: broker.port).kept }

    /// A new watcher, after the broker was away.
    func watchAgain() throws { watcher = try Watcher(port: broker.port) }

    /// Asks for something and waits for the answer. Without `id` it is a new request.
    @discardableResult
    func ask(
        _ verb: Verb, user: Int, station: String? = nil, id: String? = nil,
        at moment: Timestamp? = nil, reason: String? = nil
    ) throws -> ResponsePayload {
        try ask(
            verb,
            RequestPayload.Arguments(
                user: people[user].slug, station: station, atMs: moment?.milliseconds,
                reason: reason
            ).json, id: id)
    }

    /// The same with any arguments, a JSON object.
    @discardableResult
    func ask(_ verb: Verb, _ arguments: [UInt8], id: String? = nil) throws -> ResponsePayload {
        requests += 1
        let request = RequestPayload(id: id ?? "r-\(requests)", json: arguments)
        let before = answers(verb).count
        try watcher.publish(
            topics[.request, "tests", verb.name], request.json)
        try wait("an answer to \(verb.name)") { answers(verb).count > before }
        guard let answer = answers(verb).last, answer.id == request.id else {
            throw RunningProgram.Fault(description: "no answer to \(request.id)")
        }
        return answer
    }

    /// All answers so far.
    func answers(_ verb: Verb) -> [ResponsePayload] {
        let topic = topics[.response, "tests", verb.name]
        return watcher.messages.filter { $0.topic == topic }
            .compactMap { try? ResponsePayload(json: $0.payload.span) }
    }

    /// Writes to the database as another program would.
    func execute(_ sql: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let other = try DatabaseQueue(path: database, configuration: configuration)
        try other.write { try $0.execute(sql: sql) }
        try other.close()
    }

    /// Rows of the database as another program reads them, columns apart by a space, NULL as “-”.
    func rows(_ sql: String) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: database, configuration: configuration)
        defer { _ = Result { try queue.close() } }
        return try queue.read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "-")" }
                    .joined(separator: " ")
            }
        }
    }

    /// The address of the dashboard, once it was logged.
    var dashboard: String? {
        coordinator?.errors.split(separator: "\n").compactMap { line in
            line.range(of: "http://127").map { String(line[$0.lowerBound...]) }
        }.first
    }

    /// A page of the coordinator's web server.
    func page(_ path: String) throws -> String {
        guard let dashboard, let url = URL(string: dashboard + path) else {
            throw RunningProgram.Fault(description: "no dashboard")
        }
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    /// A figure of `/metrics`, 0 if it is not there.
    func metric(_ name: String) throws -> Double {
        let line = try page("metrics").split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) } ?? 0
    }
}
