import Testing

@testable import SiteModel
@testable import Platform

/// What others can cause as often as they like fills no log.
struct LogThrottleTests {
    var throttle = LogThrottle()
    let start = Timestamp(milliseconds: 1_000_000)

    @Test mutating func `a hundred thousand of one reason are a few lines, and a number`() {
        var lines: [String] = []
        for number in 1...100_000 {
            let moment = start + .milliseconds(Int64(number))
            if let line = throttle.line("no \(number)", about: "configuration", at: moment) {
                lines.append(line)
            }
        }
        #expect(lines.prefix(4) == ["no 1", "no 2", "no 3", "no 4"])
        #expect(lines[4] == "no 8 (3 like it left out)")
        #expect(lines.last == "no 65536 (32767 like it left out)")
        #expect(lines.count == 18)
    }

    @Test mutating func `one reason hides no other`() {
        for _ in 0..<100 { _ = throttle.line("a", about: "a", at: start) }
        #expect(throttle.line("b", about: "b", at: start) == "b")
    }

    @Test mutating func `after an hour without it, it is news again`() {
        for _ in 0..<5 { _ = throttle.line("a", about: "a", at: start) }
        let soon = start + LogThrottle.quiet - .milliseconds(1)
        #expect(throttle.line("a", about: "a", at: soon) == nil)
        let later = soon + LogThrottle.quiet
        #expect(throttle.line("a", about: "a", at: later) == "a (2 like it left out)")
        #expect(throttle.line("a", about: "a", at: later) == "a")
    }
}
