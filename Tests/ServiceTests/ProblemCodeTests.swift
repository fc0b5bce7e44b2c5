@testable import SiteService
import Testing

@testable import Operations
@testable import Records
@testable import SiteModel
@testable import WebServer

/// The codes of refusals are one closed list, whoever refuses.
struct ProblemCodeTests {
    /// Records stand above the verbs, which say these words again.
    @Test func `a correction is asked for by the words of its row`() {
        let change = Verb.correct.parameters.first { $0.name == "change" }
        guard case .word(let words)? = change?.kind else {
            Issue.record("\(change as Any)")
            return
        }
        #expect(words == CorrectionRow.Kind.allCases.map(\.rawValue))
        for verb in [Verb.correct, .decide] {
            #expect(!verb.withheld.isEmpty)
            #expect(verb.withheld.allSatisfy { CorrectionRow.CodingKeys(rawValue: $0) != nil })
        }
    }

    @Test(arguments: [
        ("unauthorised", 401), ("forbidden", 403), ("consent_required", 403), ("not_found", 404),
        ("already_in", 409), ("not_in", 409), ("overlap", 409), ("rev_conflict", 409),
        ("bad_state", 409), ("bad_time", 422), ("ambiguous_time", 422), ("locked_period", 423),
        ("unavailable", 503), ("bad_request", 400), ("schema", 400), ("unheard_of", 500),
    ])
    func `each code has its status`(code: String, status: Int) {
        #expect(ProblemCode.problem(code, "").code.status == status)
    }

    @Test(arguments: ProblemCode.allCases)
    func `each code has an exit code that is a refusal, and a sentence`(code: ProblemCode) {
        #expect([1, 3, 4, 5, 64, 75, 77].contains(code.exitCode))
        #expect(ProblemCode.exitCode(of: code.rawValue) == code.exitCode)
        #expect(code.meaning.hasSuffix(".") && code.meaning.count < 80)
    }
}
