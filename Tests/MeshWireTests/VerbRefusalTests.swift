import Scheduling
import TestSupport
import Testing

@testable import Operations
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// Each code that a verb of the machines lists is one that it refuses with.
struct VerbRefusalTests {
    /// What is asked before, and then, each a second later than the one before.
    private static let scenarios: [String: [ProblemCode: [(name: String, args: String)]]] = {
        let ann = #"{"user":"u-ann"}"#
        let bench = #"{"user":"u-ann","station":"bench"}"#
        func at(_ second: Double) -> String {
            #"{"user":"u-ann","at_ms":\#(PipelineRun.moment(second).milliseconds)}"#
        }
        func told(_ members: String) -> String { #"{"user":"u-ann",\#(members)}"# }
        func key(_ number: Int) -> String {
            let digits = "\(number)"
            return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
                + digits
        }
        func set(_ number: Int, at second: Double? = nil) -> String {
            let time = second.map { #","at_ms":\#(PipelineRun.moment($0).milliseconds)"# } ?? ""
            return told(
                #""set":{"id":"\#(key(number))","exercise":"row","reps":8,"weight_kg":40\#(time)}"#)
        }
        func change(_ number: Int, rev: Int, at second: Double? = nil) -> String {
            let time = second.map { #","at_ms":\#(PipelineRun.moment($0).milliseconds)"# } ?? ""
            return told(#""set":{"id":"\#(key(number))","reps":9\#(time)},"rev":\#(rev)"#)
        }
        func past(_ from: Double, _ to: Double) -> String {
            let times = [from, to].map { PipelineRun.moment($0).milliseconds }
            return told(#""started_ms":\#(times[0]),"ended_ms":\#(times[1])"#)
        }
        let broken = ("station-service", #"{"station":"bench","out_of_order":true}"#)
        let ben = ("workout-start", #"{"user":"u-ben","station":"bench"}"#)
        let pauses = (0..<500).flatMap { _ in [("workout-pause", ann), ("workout-resume", ann)] }
        let moves = (0..<1001).map {
            ("workout-move", $0.isMultiple(of: 2) ? bench : told(#""station":null"#))
        }
        let (checkIn, checkOut) = ("attendance-check-in", "attendance-check-out")
        return [
            checkIn: [
                .alreadyIn: [(checkIn, ann), (checkIn, ann)],
                .overlap: [(checkIn, ann), (checkOut, ann), (checkIn, at(10.5))],
                .badTime: [(checkIn, at(3600))],
                .lockedPeriod: [(checkIn, at(-7200))],
            ],
            checkOut: [
                .notIn: [(checkOut, ann)],
                .badTime: [(checkIn, ann), (checkOut, at(5))],
                .lockedPeriod: [(checkIn, ann), (checkOut, at(-7200))],
            ],
            "workout-start": [
                .alreadyActive: [("workout-start", ann), ("workout-start", ann)],
                .consentRequired: [("workout-start", #"{"user":"u-cid"}"#)],
                .outOfOrder: [broken, ("workout-start", bench)],
                .stationInUse: [ben, ("workout-start", bench)],
                .badTime: [("workout-start", past(9, 3600))],
                .overlap: [("workout-start", past(3, 5)), ("workout-start", past(4, 6))],
            ],
            "workout-move": [
                .rateLimited: [("workout-start", ann)] + moves,
                .badState: [("workout-move", bench)],
                .outOfOrder: [broken, ("workout-start", ann), ("workout-move", bench)],
                .stationInUse: [ben, ("workout-start", ann), ("workout-move", bench)],
            ],
            "queue-join": [
                .consentRequired: [("queue-join", #"{"user":"u-cid","station":"bench"}"#)],
                .alreadyExists: [("queue-join", bench), ("queue-join", bench)],
                .badState: [("workout-start", bench), ("queue-join", bench)],
                .outOfOrder: [broken, ("queue-join", bench)],
            ],
            "queue-leave": [.badState: [("queue-leave", bench)]],
            "offer-accept": [
                .rateLimited: [("workout-start", ann)] + moves + [
                    ("queue-join", bench), ("offer-accept", bench),
                ],
                .badState: [("offer-accept", bench)],
                .expired: [("queue-join", bench), ("wait", "121"), ("offer-accept", bench)],
            ],
            "workout-reopen": [
                .rateLimited: [("workout-start", ann)] + pauses + [
                    ("workout-complete", ann), ("workout-reopen", told(#""id":1"#)),
                ],
                .alreadyActive: [("workout-start", ann), ("workout-reopen", told(#""id":1"#))],
                .badState: [
                    ("workout-start", ann), ("workout-cancel", ann),
                    ("workout-reopen", told(#""id":1"#)),
                ],
                .expired: [
                    ("workout-start", ann), ("workout-complete", ann), ("wait", "86401"),
                    ("workout-reopen", told(#""id":1"#)),
                ],
            ],
            "set-add": [
                .rateLimited: [("workout-start", ann)]
                    + (0...500).map { ("set-add", set($0)) },
                .badState: [("set-add", set(1))],
                .badTime: [("workout-start", ann), ("set-add", set(1, at: 9))],
            ],
            "set-change": [
                .revisionConflict: [
                    ("workout-start", ann), ("set-add", set(1)), ("set-change", change(1, rev: 2)),
                ],
                .badState: [
                    ("workout-start", ann), ("set-add", set(1)), ("workout-cancel", ann),
                    ("set-change", change(1, rev: 1)),
                ],
                .badTime: [
                    ("workout-start", ann), ("set-add", set(1)),
                    ("set-change", change(1, rev: 1, at: 9)),
                ],
            ],
            "set-delete": [
                .badState: [
                    ("workout-start", ann), ("set-add", set(1)), ("workout-complete", ann),
                    ("wait", "86401"), ("set-delete", told(#""set":"\#(key(1))""#)),
                ]
            ],
            "workout-pause": [
                .rateLimited: [("workout-start", ann)] + pauses + [("workout-pause", ann)],
                .badState: [
                    ("workout-start", ann), ("workout-complete", ann), ("workout-pause", ann),
                ],
            ],
            "workout-resume": [.badState: [("workout-start", ann), ("workout-resume", ann)]],
            "workout-complete": [
                .badState: [("workout-complete", ann)],
                .alreadyCompleted: [
                    ("workout-start", ann), ("workout-complete", ann), ("workout-complete", ann),
                ],
                .badTime: [
                    ("workout-start", ann),
                    (
                        "workout-complete",
                        told(#""ended_ms":\#(PipelineRun.moment(9).milliseconds)"#)
                    ),
                ],
            ],
            "workout-cancel": [
                .badState: [
                    ("workout-start", ann), ("workout-complete", ann), ("workout-cancel", ann),
                ]
            ],
        ]
    }()

    private func code(_ asked: [(name: String, args: String)]) throws -> String? {
        try refusal(asked)?.code
    }

    private func words(_ asked: [(name: String, args: String)]) throws -> String {
        try refusal(asked)?.message ?? "done"
    }

    private func refusal(
        _ asked: [(name: String, args: String)]
    ) throws -> (code: String, message: String)? {
        var run = PipelineRun()
        var (plan, names) = (PipelineSite.plan(2), PipelineSite.names())
        plan.users.append(User(id: UserID(3), hasAgreed: false))
        plan.exercises = [Exercise(slug: "row", measure: .reps, load: .weight)]
        names.users = NameTable(
            names.users.entries + [.init(id: UserID(3), slug: "u-cid", name: "Cid")])
        run.note(run.pipeline.adopt(plan: plan, names: names, at: PipelineRun.moment(8)))
        let locked = Overrides(revision: 1, lockedThrough: PipelineRun.moment(-3600))
        run.note(run.pipeline.adopt(overrides: locked, at: PipelineRun.moment(9)))
        run.settle()
        var effects: [Pipeline.Effect] = []
        var waited = 0.0
        for (index, request) in asked.enumerated() {
            if request.name == "wait" {
                waited += Double(request.args) ?? 0
                continue
            }
            effects = run.hear(
                "\(PipelineSite.root)req/desk/\(request.name)",
                #"{"id":"r\#(index)","args":\#(request.args)}"#, waited + Double(10 + index))
            effects += run.settle()
        }
        let answer = try #require(effects.publications.last { $0.topic.contains("/res/") })
        let outcome = try ResponsePayload(json: answer.payload.span).outcome
        guard case .error(let code, let message) = outcome else { return nil }
        return (code, message)
    }

    @Test func `a refusal says which member is wrong, and since when a station is taken`() throws {
        let ann = #"{"user":"u-ann"}"#
        let set = #"{"id":"00000000-0000-4000-8000-000000000001","exercise":"row","reps":8"#
        #expect(
            try words([("workout-start", ann), ("set-add", #"{"user":"u-ann","set":\#(set)}}"#)])
                == "weight_kg: it must be given as the exercise is measured and loaded, and not otherwise"
        )
        let late = set + #","weight_kg":40,"at_ms":1}"#
        let told = try words([
            ("workout-start", ann), ("set-add", #"{"user":"u-ann","set":\#(late)}"#),
        ])
        #expect(told.hasPrefix("the time is before the start"))
        #expect(
            try words([
                ("workout-start", #"{"user":"u-ben","station":"bench"}"#),
                ("workout-start", #"{"user":"u-ann","station":"bench"}"#),
            ]) == "every slot of the station is taken, since 2023-11-14 22:13:30+00:00")
    }

    @Test(arguments: Verb.all.filter(\.isOfMachines))
    func `what it lists can be provoked`(verb: Verb) throws {
        let scenarios = Self.scenarios[verb.name] ?? [:]
        #expect(Set(scenarios.keys).union([.notFound]) == Set(verb.refusals))
        for (code, asked) in scenarios {
            #expect(asked.last?.name == verb.name)
            #expect(try self.code(asked) == code.rawValue, "\(code)")
        }
        let stranger = VerbArguments(of: verb)
            .with(verb.subject.parameter ?? "station", #""u-nobody""#)
        #expect(try code([(verb.name, stranger.json)]) == "not_found")
        #expect(try code([(verb.name, "{}")]) == "schema")
    }
}
