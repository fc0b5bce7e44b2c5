import Foundation
import Testing

@testable import Benchmarks

/// A figure says what was measured, what it is held against, and whether that is good enough.
struct BenchFigureTests {
    func figure(
        _ value: Double, limit: Double? = nil, bar: Figure.Bar? = nil, ceiling: Figure.Bar? = nil
    ) -> Figure {
        Figure(
            "decode", unit: "ns", Samples(rounds: [value]),
            limit: limit.map { Figure.Limit(name: "c-walk", value: $0) }, bar: bar,
            ceiling: ceiling)
    }

    @Test func `the median stands for the rounds`() {
        let odd = Samples(rounds: [9, 1, 4])
        #expect((odd.value, odd.min, odd.max, odd.count) == (4, 1, 9, 3))
        #expect(Samples(rounds: [1, 9, 4, 5]).value == 4.5)
    }

    @Test func `the last value stands for what was watched`() {
        let memory = Samples(watched: [10, 30, 20])
        #expect((memory.value, memory.min, memory.max, memory.count) == (20, 10, 30, 1))
    }

    @Test func `a bar is for the ratio where there is a limit, else for the value`() {
        #expect(figure(80, limit: 2, bar: .atMost(40)).isWithinBars)
        #expect(!figure(80.1, limit: 2, bar: .atMost(40)).isWithinBars)
        #expect(figure(40, bar: .atMost(40)).isWithinBars)
        #expect(!figure(41, bar: .atMost(40)).isWithinBars)
        #expect(figure(50, limit: 100, bar: .atLeast(0.5)).isWithinBars)
        #expect(!figure(49, limit: 100, bar: .atLeast(0.5)).isWithinBars)
    }

    @Test func `a ceiling counts whatever the ratio is`() {
        #expect(!figure(301, limit: 100, bar: .atMost(40), ceiling: .atMost(300)).isWithinBars)
        #expect(figure(300, limit: 100, bar: .atMost(40), ceiling: .atMost(300)).isWithinBars)
    }

    @Test(arguments: [
        (104_321, "104300"), (6.51234, "6.512"), (0, "0"), (24.949, "24.95"), (99.996, "100"),
        (1_234_567_890, "1235000000"), (0.000_123_456, "0.0001235"), (-3.14159, "-3.142"),
        (.infinity, "0"),
    ])
    func `numbers have four digits and no powers of ten`(number: Double, text: String) {
        #expect(Figure.text(number) == text)
    }

    @Test func `a line is name, value and unit`() {
        #expect(figure(31.256).line == "decode 31.26 ns")
    }

    @Test func `every key is in the JSON, also where there is no value`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(
            String(decoding: try encoder.encode(figure(2)), as: UTF8.self) == """
                {"bar":null,"limit":null,"max":2,"min":2,"name":"decode","ok":true,"ratio":null,\
                "rounds":1,"unit":"ns","value":2}
                """)
        let held = figure(12, limit: 4, bar: .atMost(2))
        #expect(
            String(decoding: try encoder.encode(held), as: UTF8.self) == """
                {"bar":2,"limit":{"name":"c-walk","value":4},"max":12,"min":12,"name":"decode",\
                "ok":false,"ratio":3,"rounds":1,"unit":"ns","value":12}
                """)
    }
}
