import Testing

@testable import Notifications
@testable import SiteModel

/// What comes into range and goes out of it.
struct RangeWatchTests {
    private var watch = RangeWatch()

    private func at(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_780_000_000_000) + .seconds(seconds)
    }

    /// What crosses at a moment at which a tag was heard so long ago; `nil`: it is not told at all.
    private mutating func step(
        _ seconds: Double, age: Double?, by node: String = "n-1",
        listening: Set<String> = ["n-1", "n-2"],
        watched: Set<String> = ["b"]
    ) -> [String] {
        let heard =
            age.map { [RangeWatch.Heard(beacon: "b", nodes: [node], at: at(seconds - $0))] } ?? []
        return watch.step(watched, heard, listening: listening, at: at(seconds)).map {
            "\($0.beacon) \($0.isIn ? "in" : "out") \(($0.at - at(0)).seconds)"
        }
    }

    @Test mutating func `what comes is told once, and what goes after a minute`() {
        #expect(step(0, age: nil) == [])
        #expect(step(40, age: nil) == [])
        #expect(step(42, age: 1) == ["b in 41.0"])
        for second in stride(from: 44.0, through: 400, by: 2) {
            #expect(step(second, age: 9) == [])
        }
        #expect(step(440, age: 49) == [])
        #expect(step(452, age: 61) == ["b out 391.0"])
        #expect(step(454, age: 63) == [])
        #expect(step(456, age: nil) == [])
        #expect(step(500, age: 0) == ["b in 500.0"])
    }

    @Test mutating func `what is there when the watch begins is no news, and its going is`() {
        #expect(step(0, age: 1) == [])
        #expect(step(62, age: 63) == ["b out -1.0"])
    }

    @Test mutating func `nobody goes while a node that heard them does not listen`() {
        #expect(step(0, age: 0) == [])
        #expect(step(100, age: 100, listening: ["n-2"]) == [])
        #expect(step(5000, age: 5000, listening: []) == [])
        #expect(step(5002, age: 5002) == ["b out 0.0"])
    }

    @Test mutating func `a node that is never back does not keep anybody for ever`() {
        #expect(step(0, age: 0) == [])
        #expect(step(86_300, age: 86_300, listening: ["n-2"]) == [])
        #expect(step(86_402, age: 86_402, listening: ["n-2"]) == ["b out 0.0"])
    }

    @Test mutating func `what a node finds when it begins to listen is no news`() {
        #expect(step(0, age: nil, listening: []) == [])
        #expect(step(90, age: nil, listening: ["n-2"]) == [])
        #expect(step(100, age: 1, listening: ["n-1", "n-2"]) == [])
        #expect(step(170, age: 71) == ["b out 99.0"])
        #expect(step(180, age: 1) == ["b in 179.0"])
    }

    @Test
    mutating func `after a new start it is told who is back, and nobody is said to have gone`() {
        watch = RangeWatch(known: ["b": false])
        #expect(step(0, age: 1) == ["b in -1.0"])
        watch = RangeWatch(known: ["b": true])
        #expect(step(0, age: 1) == [])
        watch = RangeWatch(known: ["b": true])
        for second in stride(from: 0.0, through: 600, by: 2) {
            #expect(step(second, age: nil) == [])
        }
        #expect(step(602, age: 1) == [])
        #expect(step(664, age: 63) == ["b out 601.0"])
    }

    @Test mutating func `what nobody watches any more is forgotten`() {
        #expect(step(0, age: nil) == [])
        #expect(step(40, age: 0) == ["b in 40.0"])
        #expect(step(42, age: 0, watched: []) == [])
        #expect(step(44, age: 0) == [])
    }
}
