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
                .stationInUse: [
                    ("workout-start", #"{"user":"u-ben","station":"bench"}"#),
                    ("workout-start", bench),
                ],
            ],
            "workout-pause": [
                .badState: [
                    ("workout-start", ann), ("workout-complete", ann), ("workout-pause", ann),
                ]
            ],
            "workout-resume": [.badState: [("workout-start", ann), ("workout-resume", ann)]],
            "workout-complete": [
                .badState: [("workout-complete", ann)],
                .alreadyCompleted: [
                    ("workout-start", ann), ("workout-complete", ann), ("workout-complete", ann),
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
        var run = PipelineRun()
        let locked = Overrides(revision: 1, lockedThrough: PipelineRun.moment(-3600))
        run.note(run.pipeline.adopt(overrides: locked, at: PipelineRun.moment(9)))
        run.settle()
        var effects: [Pipeline.Effect] = []
        for (index, request) in asked.enumerated() {
            effects = run.hear(
                "\(PipelineSite.root)req/desk/\(request.name)",
                #"{"id":"r\#(index)","args":\#(request.args)}"#, Double(10 + index))
            effects += run.settle()
        }
        let answer = try #require(effects.publications.last { $0.topic.contains("/res/") })
        guard case .error(let code, _) = try ResponsePayload(json: answer.payload.span).outcome
        else { return nil }
        return code
    }

    @Test(arguments: Verb.all.filter(\.isOfMachines))
    func `what it lists can be provoked`(verb: Verb) throws {
        let scenarios = Self.scenarios[verb.name] ?? [:]
        #expect(Set(scenarios.keys).union([.notFound]) == Set(verb.refusals))
        for (code, asked) in scenarios {
            #expect(asked.last?.name == verb.name)
            #expect(try self.code(asked) == code.rawValue, "\(code)")
        }
        let stranger = VerbArguments(of: verb).with("user", #""u-nobody""#)
        #expect(try code([(verb.name, stranger.json)]) == "not_found")
        #expect(try code([(verb.name, "{}")]) == "schema")
    }
}
