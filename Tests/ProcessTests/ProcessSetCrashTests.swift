import Basics
import Foundation
import TestSupport
import Testing

@testable import Operations
@testable import SiteModel
@testable import Wire

/// Workouts with sets while the coordinator is killed, and while many ask at once.
@Suite(.ownThread) struct ProcessSetCrashTests {
    private static let row = #"{"id":"row","name":"Row","measure":"reps","load":"weight"}"#

    private func site() throws -> RunningSite {
        let site = try RunningSite()
        try site.takeToken()
        try site.startCoordinator()
        #expect(try site.post("../exercises", Self.row).status == 201)
        return site
    }

    private func key(_ history: UInt64, _ number: Int) -> String {
        let digits = "\(history * 100 + UInt64(number))"
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    /// Requests of one person, as a phone sends them: mostly sets.
    private func requests(
        _ history: UInt64, _ user: String, _ random: inout SplitMix64
    ) -> [(verb: Verb, payload: RequestPayload)] {
        let whole = "{\"user\":\"\(user)\"}"
        return (0..<12).map { number in
            func sent(_ verb: Verb, _ args: String) -> (verb: Verb, payload: RequestPayload) {
                (verb, RequestPayload(id: "h\(history)-\(number)", json: Array(args.utf8)))
            }
            switch Int.random(in: 0...9, using: &random) {
            case _ where number == 0: return sent(.startWorkout, whole)
            case 0: return sent(.pauseWorkout, whole)
            case 1: return sent(.resumeWorkout, whole)
            case 2: return sent(.moveWorkout, "{\"user\":\"\(user)\",\"station\":\"press\"}")
            case 3:
                let set = key(history, number - 1)
                return sent(.deleteSet, "{\"user\":\"\(user)\",\"set\":\"\(set)\"}")
            default:
                let set =
                    "{\"id\":\"\(key(history, number))\",\"exercise\":\"row\",\"reps\":8,\"weight_kg\":40}"
                return sent(.addSet, "{\"user\":\"\(user)\",\"set\":\(set)}")
            }
        }
    }

    /// What was answered to each request of a history, by its id.
    private func answers(_ history: UInt64, _ site: RunningSite) -> [String: ResponsePayload] {
        let start = site.topics.root
        var found: [String: ResponsePayload] = [:]
        for message in site.watcher.messages
        where message.topic.hasPrefix(start + "res/tests/") {
            guard let answer = try? ResponsePayload(json: message.payload.span),
                answer.id.hasPrefix("h\(history)-")
            else { continue }
            if let first = found[answer.id] {
                #expect(first == answer, "asked again, it is answered alike")
            } else {
                found[answer.id] = answer
            }
        }
        return found
    }

    @Test func `whatever was answered is stored, killed between any two messages`() throws {
        let site = try site()
        defer { site.stop() }
        for history in TestLength.seeds(of: 50) {
            var random = SplitMix64(seed: history)
            let user = site.people[Int(history % 2)].slug
            let requests = requests(history, user, &random)
            let last = Int.random(in: 1..<requests.count, using: &random)
            for request in requests[..<last] {
                try site.watcher.publish(
                    site.topics[.request, "tests", request.verb.name], request.payload.json)
            }
            usleep(UInt32.random(in: 0...20_000, using: &random))
            site.coordinator?.kill()
            try site.startCoordinator()
            let before = answers(history, site)
            for (id, answer) in before {
                guard case .set(let set) = answer.outcome else { continue }
                #expect(
                    try site.rows(
                        "SELECT count(*) FROM workout_set WHERE client_key = '\(set.key)'")
                        == ["1"], "\(id) was answered")
            }
            // The phone knows nothing of that, and sends it all again, and the rest.
            for request in requests {
                try site.watcher.publish(
                    site.topics[.request, "tests", request.verb.name], request.payload.json)
            }
            try site.wait("all is answered") { answers(history, site).count == requests.count }
            #expect(
                try site.rows(
                    "SELECT count(*) FROM workout WHERE state IN ('active', 'paused') GROUP BY user"
                ).allSatisfy { $0 == "1" })
            try agrees(user, site)
            try site.watcher.publish(
                site.topics[.request, "tests", "workout-complete"],
                RequestPayload(
                    id: "h\(history)-end", json: Array("{\"user\":\"\(user)\"}".utf8)
                ).json)
            try site.wait("it ends") { answers(history, site)["h\(history)-end"] != nil }
        }
    }

    /// What the broker keeps of somebody's workout is what the database has.
    private func agrees(_ user: String, _ site: RunningSite) throws {
        let stored = try site.rows(
            """
            SELECT workout.id, workout.rev, state,
                (SELECT count(*) FROM workout_set WHERE workout = workout.id AND deleted = 0)
            FROM workout JOIN user ON user.id = workout.user WHERE slug = '\(user)'
            ORDER BY started_ms DESC, workout.id DESC LIMIT 1
            """)
        let topic = site.topics[.workout, user]
        try site.wait("what is retained is what is stored") {
            guard let told = site.latest(topic, as: WorkoutPayload.self), let id = told.id,
                let rev = told.rev, let state = told.state
            else { return false }
            return ["\(id) \(rev) \(state.rawValue) \(told.sets)"] == stored
        }
    }

    @Test func `of a hundred who start at one slot at once exactly one has it`() throws {
        let site = try site()
        defer { site.stop() }
        for number in 1...100 {
            let user = #"{"id":"u-race-\#(number)","name":"Racer \#(number)"}"#
            #expect(try site.post("../users", user).status == 201)
        }
        for number in 1...100 {
            let args = #"{"user":"u-race-\#(number)","station":"press"}"#
            try site.watcher.publish(
                site.topics[.request, "tests", "workout-start"],
                RequestPayload(id: "h7-\(number)", json: Array(args.utf8)).json)
        }
        try site.wait("all are answered") { answers(7, site).count == 100 }
        let codes = answers(7, site).values.map { answer in
            if case .error(let code, _) = answer.outcome { code } else { "done" }
        }
        #expect(codes.count { $0 == "done" } == 1)
        #expect(codes.count { $0 == "station_in_use" } == 99)
        #expect(try site.rows("SELECT count(*) FROM station_claim") == ["1"])
        #expect(try site.rows("SELECT count(*) FROM workout") == ["1"])
    }
}
