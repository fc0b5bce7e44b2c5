import Testing

@testable import Operations
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// Requests that come past MQTT are the same requests, and their answers go nowhere else.
struct PipelineAskingTests {
    private var run = PipelineRun()
    private static let client = "http:token"

    private mutating func ask(
        _ operation: Verb, id: String = "r-1", user: String = "u-ann", _ at: Double
    ) -> [Pipeline.Effect] {
        run.note(
            run.pipeline.asked(
                operation, RequestPayload(id: id, args: .init(user: user)), client: Self.client,
                at: PipelineRun.moment(at)))
    }

    private func responses(_ effects: [Pipeline.Effect]) -> [ResponsePayload] {
        effects.compactMap {
            if case .respond(Self.client, let response, _) = $0 { response } else { nil }
        }
    }

    private func answers(_ effects: [Pipeline.Effect]) -> [Publication] {
        effects.publications.filter { $0.topic.contains("/res/") }
    }

    @Test mutating func `the answer comes after the commit, and not on MQTT`() throws {
        let asked = ask(.checkIn, 10)
        #expect(responses(asked).isEmpty)
        #expect(asked.commits.count == 1)
        let stored = run.settle()
        let response = try #require(responses(stored).first)
        guard case .session(let session) = response.outcome else {
            Issue.record("no session: \(response.outcome)")
            return
        }
        #expect(response.id == "r-1")
        #expect(session.user == "u-ann")
        #expect(session.inCause == .manual)
        #expect(session.checkInMs == PipelineRun.moment(10).milliseconds)
        #expect(responses(stored).count == 1)
        #expect(answers(run.effects).isEmpty)
        #expect(run.saved.sessions.count == 1)
    }

    @Test mutating func `asked again it is answered alike and nothing more is stored`() {
        _ = ask(.checkIn, 10)
        let first = responses(run.settle())
        let again = ask(.checkIn, 20)
        #expect(responses(again) + responses(run.settle()) == first)
        #expect(run.saved.sessions.count == 1)
        // The same number for something else is a mistake.
        let other = ask(.checkOut, 30)
        let outcome = (responses(other) + responses(run.settle())).first?.outcome
        guard case .error("idempotency_mismatch", _) = outcome else {
            Issue.record("\(outcome as Any)")
            return
        }
    }

    @Test mutating func `asked again before it is stored it is answered when it is`() throws {
        let first = ask(.checkIn, 10)
        let again = ask(.checkIn, 11)
        #expect(responses(first + again).isEmpty)
        let stored = responses(run.settle())
        #expect(stored.map(\.id) == ["r-1"])
        let late = ask(.checkIn, 12)
        #expect(responses(late) == stored)
        let isRepeated = late.contains {
            if case .respond(_, _, let isRepeated) = $0 { isRepeated } else { false }
        }
        #expect(isRepeated)
    }

    @Test mutating func `what was done in time is answered alike after its time`() throws {
        var payload = RequestPayload(id: "timely", args: .init(user: "u-ann"))
        payload.expMs = PipelineRun.moment(20).milliseconds
        func codes(_ effects: [Pipeline.Effect]) -> [String] {
            responses(effects).map { response in
                if case .error(let code, _) = response.outcome { code } else { "done" }
            }
        }
        for (id, second, code) in [
            ("timely", 10.0, "done"), ("timely", 30, "done"), ("late", 30, "expired"),
        ] {
            payload.id = id
            let effects = run.note(
                run.pipeline.asked(
                    .checkIn, payload, client: Self.client, at: PipelineRun.moment(second)))
            #expect(codes(effects + run.settle()) == [code], "\(id) at \(second)")
        }
        #expect(run.saved.sessions.count == 1)
    }

    @Test mutating func `what a room has done with an id is not asked of the machines`() {
        run.note(
            run.pipeline.handle(
                .used(UsedID(.init(client: Self.client, id: "r-1"), at: PipelineRun.moment(5))),
                at: PipelineRun.moment(5)))
        run.settle()
        func codes(_ effects: [Pipeline.Effect]) -> [String] {
            responses(effects).map { response in
                if case .error(let code, _) = response.outcome { code } else { "done" }
            }
        }
        #expect(codes(ask(.checkIn, 10) + run.settle()) == ["idempotency_mismatch"])
        #expect(codes(ask(.checkIn, id: "r-2", 10) + run.settle()) == ["done"])
        // A day later it may be anything.
        run.note(run.pipeline.tick(at: PipelineRun.moment(86_490)))
        run.settle()
        #expect(codes(ask(.checkOut, 86_500) + run.settle()) == ["done"])
    }

    @Test mutating func `a user of that name on MQTT shares no numbers with it`() {
        _ = ask(.checkIn, id: "one", 10)
        run.settle()
        let effects =
            run.ask("attendance-check-in", id: "one", user: "u-ben", client: "http-token", 11)
            + run.settle()
        #expect(responses(effects).isEmpty)
        #expect(answers(effects).map(\.topic) == ["mesh/v1/gym/res/http-token/attendance-check-in"])
    }

    @Test mutating func `who does not exist is refused, and that is remembered`() {
        func code(_ effects: [Pipeline.Effect]) -> String? {
            guard case .error(let code, _)? = responses(effects).first?.outcome else { return nil }
            return code
        }
        #expect(code(ask(.checkIn, id: "a", user: "u-nobody", 10) + run.settle()) == "not_found")
        #expect(code(ask(.checkIn, id: "a", user: "u-nobody", 11) + run.settle()) == "not_found")
        #expect(code(ask(.checkIn, id: "a", 12) + run.settle()) == "idempotency_mismatch")
        #expect(code(ask(.checkIn, id: "b", 13) + run.settle()) == nil)
        #expect(
            code(ask(.checkIn, id: "b", user: "u-nobody", 14) + run.settle())
                == "idempotency_mismatch")
        // They come to the site: what was refused stays refused, and what is asked anew is done.
        var names = PipelineSite.names()
        names.users = NameTable(
            names.users.entries.dropLast() + [.init(id: UserID(2), slug: "u-nobody", name: "N")])
        run.note(
            run.pipeline.adopt(
                plan: PipelineSite.plan(2), names: names, at: PipelineRun.moment(15)))
        #expect(code(ask(.checkIn, id: "a", user: "u-nobody", 16) + run.settle()) == "not_found")
        #expect(code(ask(.checkIn, id: "c", user: "u-nobody", 17) + run.settle()) == nil)
    }

    @Test mutating func `with the database full it is refused as unavailable, and answered`() {
        _ = ask(.checkIn, id: "first", 10)
        for number in 0...Pipeline.patience {
            _ = ask(.checkIn, id: "r-\(number)", user: "u-nobody", 10)
            _ = ask(number.isMultiple(of: 2) ? .checkIn : .checkOut, id: "n-\(number)", 11)
        }
        let refused = responses(run.effects).compactMap { response in
            if case .error("unavailable", _) = response.outcome { response.id } else { nil }
        }
        #expect(!refused.isEmpty)
        #expect(run.pipeline.factsWaiting >= Pipeline.patience)
        #expect(answers(run.effects).isEmpty)
    }
}
