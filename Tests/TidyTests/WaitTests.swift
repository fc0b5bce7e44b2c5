import Testing

/// No wait ends by the wall clock: a time server sets it, and who waits then waits for hours or not at
/// all. On Linux libdispatch's semaphores and groups, Foundation's conditions and the timed waits of
/// pthreads go by it unless told otherwise; `MonotonicSemaphore` is told otherwise. Sleeps, pauses of
/// tasks, `asyncAfter(deadline:)` and deadlines of `ContinuousClock` go by clocks that nobody sets.
struct WaitTests {
    static let banned: Set<Substring> = [
        "DispatchSemaphore", "DispatchGroup", "DispatchWallTime", "wallTimeout", "wallDeadline",
        "NSCondition", "NSConditionLock", "pthread_cond_timedwait", "pthread_mutex_timedlock",
        "sem_timedwait",
        // Deadlines made of dates, and what lasted measured by them.
        "addingTimeInterval", "timeIntervalSinceNow", "timeIntervalSince", "distantFuture",
    ]

    static func faults(in files: [Checkout.File]) -> [String] {
        files.filter { !$0.path.hasSuffix("Shells/Platform/MonotonicSemaphore.swift") }.flatMap {
            file in
            SwiftText.names(in: SwiftText.code(of: file.text)).filter(banned.contains).map {
                "\(file.path) mentions \($0)"
            }
        }
    }

    @Test func `no wait ends by the wall clock`() throws {
        #expect(Self.faults(in: try Checkout.swift(in: "Sources")) == [])
    }

    /// Two of them that wait elsewhere hold all threads that tests of two cores have.
    @Test func `tests of processes wait on threads of their own`() throws {
        let files = try Checkout.swift(in: "Tests/ProcessTests").filter {
            $0.path.hasSuffix("Tests.swift") && $0.text.contains("@Test")
        }
        #expect(files.count > 40)
        for file in files { #expect(file.text.contains(".ownThread"), "\(file.path)") }
    }

    @Test(arguments: [
        "let s = DispatchSemaphore(value: 0)", "s.wait(wallTimeout: .now() + 1)",
        "queue.asyncAfter(wallDeadline: .now() + 1) {}", "let end = Date().addingTimeInterval(3)",
        "pthread_cond_timedwait(condition, mutex, &end)",
    ])
    func `a wait by the wall clock is noticed`(line: String) {
        let harmless = "// DispatchSemaphore\nlet at = Date(timeIntervalSince1970: 0)\n"
        let file = { Checkout.File(path: "Sources/Services/NodeService/X.swift", text: $0) }
        #expect(Self.faults(in: [file(harmless)]) == [])
        #expect(Self.faults(in: [file(harmless + line + "\n")]).count == 1)
    }
}
