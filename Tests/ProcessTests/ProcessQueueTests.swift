import Testing

@testable import Operations
@testable import Wire

/// A queue at a running coordinator.
@Suite(.ownThread) struct ProcessQueueTests {
    /// Each release goes through the broker, the machines and a commit. Prints how long that took.
    @Test func `who waits is offered the slot with its release, again and again`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        try site.wait("the press is free") { site.station("press")?.state == .free }
        let join = try #require(Verb.all.first { $0.name == "queue-join" })
        let leave = try #require(Verb.all.first { $0.name == "queue-leave" })
        let waiting = site.people[1].slug
        var times: [Duration] = []
        for _ in 0..<8 {
            try site.ask(.startWorkout, user: 0, station: "press")
            try site.ask(join, user: 1, station: "press")
            try site.wait("they wait") { site.station("press")?.queue == 1 }
            let start = ContinuousClock.now
            try site.ask(.completeWorkout, user: 0)
            try site.wait("the offer") {
                site.station("press")?.offered.map(\.user) == [waiting]
            }
            times.append(ContinuousClock.now - start)
            // Nobody else gets it meanwhile.
            if times.count == 1 {
                let answer = try site.ask(.startWorkout, user: 2, station: "press")
                guard case .error("station_in_use", _) = answer.outcome else {
                    throw RunningProgram.Fault(description: "not refused: \(answer.outcome)")
                }
            }
            try site.ask(leave, user: 1, station: "press")
            try site.wait("nobody waits") { site.station("press")?.queue == 0 }
        }
        times.sort()
        print(
            "from asking for the release to the offer: \(times[times.count / 2]) (median), \(times[times.count - 1]) (worst)"
        )
    }
}
