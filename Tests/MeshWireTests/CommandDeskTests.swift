import Testing

@testable import NodePipeline
@testable import SiteModel
@testable import Wire

/// No command stays unanswered, and none is done twice.
struct CommandDeskTests {
    let now = Timestamp(milliseconds: 1_790_000_000_000)
    var desk = CommandDeduplicator()

    private mutating func read(_ text: String) -> CommandDeduplicator.Verdict {
        desk.read(Array(text.utf8).span, at: now, wall: now)
    }

    /// The code and id of an answer that refuses.
    private func refusal(_ verdict: CommandDeduplicator.Verdict) -> [String?]? {
        guard case .answer(let response) = verdict, case .failed(let failure) = response.outcome
        else { return nil }
        return [failure.code, response.id, response.op]
    }

    @Test(arguments: NodeOperation.allCases)
    mutating func `a good command is to be done`(operation: NodeOperation) {
        let verdict = read(#"{"id":"1","op":"\#(operation.rawValue)","for_s":5}"#)
        let command = NodeCommandPayload(id: "1", op: operation.rawValue, forS: 5)
        #expect(verdict == .perform(operation, command))
    }

    @Test mutating func `told again, it is answered alike and not done again`() {
        guard case .perform(_, let command) = read(#"{"id":"1","op":"identify"}"#) else {
            Issue.record("not to be done")
            return
        }
        let response = desk.answer(command, .done(nil), at: now)
        #expect(read(#"{"id":"1","op":"identify"}"#) == .answer(response))
        #expect(read(#"{"id":"1","op":"restart"}"#) == .answer(response))
    }

    @Test mutating func `the last 64 are remembered`() {
        for number in 0...64 {
            if case .perform(_, let command) = read(#"{"id":"\#(number)","op":"info"}"#) {
                _ = desk.answer(command, .done(nil), at: now)
            }
        }
        guard case .perform = read(#"{"id":"0","op":"info"}"#) else {
            Issue.record("the oldest is remembered")
            return
        }
        guard case .answer = read(#"{"id":"1","op":"info"}"#) else {
            Issue.record("the one after it is forgotten")
            return
        }
    }

    @Test(arguments: [
        (#"{"id":"1","op":"fly"}"#, ["unknown-op", "1", "fly"]),
        (#"{"id":"1","op":"info","exp_ms":1789999999999}"#, ["expired", "1", "info"]),
        (#"{"id":"1","op":"burst","for_s":0}"#, ["out-of-range", "1", "burst"]),
        (#"{"id":"1","op":"burst","for_s":"x"}"#, ["wrong-type", "1", "burst"]),
        (#"{"id":"1"}"#, ["missing-field", "1", nil]),
        (#"{"op":"info"}"#, ["missing-field", nil, "info"]),
        (#"{"id":"a b","op":"Info"}"#, ["unknown-value", nil, nil]),
        ("restart", ["not-json", nil, nil]),
        ("", ["not-json", nil, nil]),
        ("[]", ["wrong-type", nil, nil]),
        (String(repeating: " ", count: 8193), ["oversize", nil, nil]),
    ])
    mutating func `a bad one is answered with a code`(text: String, answer: [String?]) {
        #expect(refusal(read(text)) == answer)
    }

    @Test mutating func `a command that expires now is still done`() {
        guard case .perform = read(#"{"id":"1","op":"info","exp_ms":1790000000000}"#) else {
            Issue.record("it is late")
            return
        }
    }

    @Test mutating func `an answer can be read`() throws {
        for text in [#"{"op":"info"}"#, #"{"id":"1","op":"fly"}"#, "x"] {
            guard case .answer(let response) = read(text) else { continue }
            #expect(try NodeResponsePayload(json: response.json.span) == response)
        }
    }
}
