import Testing

@testable import Platform

/// How long things took, as a monitoring system reads it.
struct DurationsTests {
    @Test func `each is counted at every bound that it does not exceed`() {
        let durations = Durations()
        for milliseconds in [1, 4, 5, 600, 20_000] {
            durations.note(.milliseconds(milliseconds))
        }
        let lines = durations.lines("x_seconds", label: "kind=\"read\"")
        let counts = ["0.001": 1, "0.005": 3, "0.02": 3, "0.1": 3, "0.5": 3, "2.0": 4, "10.0": 4]
        for (bound, count) in counts {
            #expect(lines.contains("x_seconds_bucket{kind=\"read\",le=\"\(bound)\"} \(count)"))
        }
        #expect(lines.contains("x_seconds_bucket{kind=\"read\",le=\"+Inf\"} 5"))
        #expect(lines.contains("x_seconds_count{kind=\"read\"} 5"))
        #expect(lines.contains { $0.hasPrefix("x_seconds_sum{kind=\"read\"} 20.6") })
        #expect(Durations().lines("y").contains("y_bucket{le=\"+Inf\"} 0"))
        #expect(Durations().lines("y").last == "y_count 0")
    }
}
