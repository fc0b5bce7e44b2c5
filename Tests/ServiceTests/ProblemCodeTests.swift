@testable import SiteInterface
import Testing

@testable import SiteModel
@testable import WebServer

/// The codes of refusals are one closed list, whoever refuses.
struct ProblemCodeTests {
    @Test(arguments: ProblemCode.allCases)
    func `what MQTT and the books refuse with is on the list`(refusal: ProblemCode) {
        #expect(ProblemCode(rawValue: refusal.rawValue) != nil)
        #expect(ProblemCode.problem(refusal.rawValue, "no").code.rawValue == refusal.rawValue)
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
