import Testing

@testable import Accounts
@testable import SiteModel

/// Guessing has to wait; whoever was there before has not.
final class GuessThrottleTests {
    private var throttle = GuessThrottle()
    private let home = "203.0.113.7"

    /// Attempts of a crowd at an account, 75 a second by 750 households in turn; how many were compared.
    private func crowd(_ account: String, from start: Double, seconds: Int) -> Int {
        var compared = 0
        for number in 0..<75 * seconds {
            let household = "198.51.\(number % 750 / 250).\(number % 250)"
            let now = at(start + Double(number) / 75)
            if throttle.begin(account: account, household: household, at: now) == nil {
                compared += 1
            }
        }
        return compared
    }

    private func enter(_ household: String, at seconds: Double) -> Double? {
        let pause = throttle.begin(account: "ada", household: household, at: at(seconds))
        if pause == nil { throttle.succeed(account: "ada", household: household) }
        return pause
    }

    @Test func `a crowd keeps nobody out where they signed in before`() {
        #expect(enter(home, at: 0) == nil)
        let compared = crowd("ada", from: 1, seconds: 40)
        #expect((50...60).contains(compared), "\(compared): the crowd itself is slowed down")
        #expect((enter("192.0.2.1", at: 41) ?? 0) > 0, "a new place waits with the crowd")
        for second in 0..<40 { #expect(enter(home, at: 41 + Double(second) / 2) == nil) }
        #expect(crowd("ada", from: 62, seconds: 40) <= 5)
    }

    @Test func `who was there before and guesses waits all the same`() {
        #expect(enter(home, at: 0) == nil)
        var compared = 0
        for second in 1...60
        where throttle.begin(account: "ada", household: home, at: at(Double(second))) == nil {
            compared += 1
        }
        #expect((5...10).contains(compared), "\(compared)")
        // Nor does it tell at another account.
        #expect(crowd("grace", from: 100, seconds: 10) >= 50)
        #expect((throttle.begin(account: "grace", household: home, at: at(111)) ?? 0) > 0)
    }

    @Test func `what nobody looked at is no guess`() {
        for second in 0..<100 {
            #expect(throttle.begin(account: "ada", household: home, at: at(Double(second))) == nil)
            throttle.withdraw(account: "ada", household: home)
        }
        #expect(!throttle.isKnown(account: "ada", household: home))
        for _ in 0..<GuessThrottle.freeAtOne {
            #expect(throttle.begin(account: "ada", household: home, at: at(100)) == nil)
        }
        #expect((throttle.begin(account: "ada", household: home, at: at(100)) ?? 0) > 0)
    }

    @Test func `of an account so many households are known, the newest`() {
        for number in 0...GuessThrottle.mostKnown {
            #expect(enter("10.0.0.\(number)", at: Double(number)) == nil)
        }
        _ = crowd("ada", from: 100, seconds: 10)
        #expect((enter("10.0.0.0", at: 110) ?? 0) > 0, "the oldest is forgotten")
        #expect(enter("10.0.0.1", at: 110) == nil)
        #expect(enter("10.0.0.\(GuessThrottle.mostKnown)", at: 110) == nil)
    }
}
