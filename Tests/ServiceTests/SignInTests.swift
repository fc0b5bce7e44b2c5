import SiteModel
import Testing

@testable import Platform
@testable import SiteService
@testable import WebServer

/// Passwords wait in line to be compared; a crowd fills the line of strangers only.
@Suite(.timeLimit(.minutes(1)))
struct SignInTests {
    private let signIn = SignIn()
    private let home = Client(address: "10.0.0.7")
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    @Test func `whoever signed in from there before does not wait behind a crowd`() async throws {
        let signIn = signIn
        try signIn.begin("ada", home, at: now)
        signIn.succeed("ada", home)
        let end = MonotonicSemaphore()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { for _ in 0..<8 { end.signal() } }
            for number in 0..<40 {
                group.addTask {
                    let client = Client(address: "10.0.1.\(number)")
                    do {
                        // Compared until the end of this test.
                        return try await signIn.compare("nobody-\(number)", client) {
                            end.wait()
                            return true
                        }
                    } catch {
                        return false
                    }
                }
            }
            // Eight have a place in the line, all others are told that they have none.
            for _ in 0..<32 {
                let isCompared = try await group.next()
                #expect(isCompared == false)
            }
            for _ in 0..<30 {
                // Nobody looked at the attempts before, so that they do not count as guesses.
                try signIn.begin("grace", home, at: now)
                await #expect(throws: RouteProblem.self) {
                    _ = try await signIn.compare("grace", home) { true }
                }
            }
            try signIn.begin("ada", home, at: now)
            let isCompared = try await signIn.compare("ada", home) { true }
            let isMade = try await signIn.work { true }
            #expect(isCompared && isMade)
        }
    }
}
