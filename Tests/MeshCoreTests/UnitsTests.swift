import Basics
import Foundation
import Testing

@testable import SiteModel

struct TimestampTests {
    @Test(arguments: [
        (0, 0), (999, 0), (1000, 1), (-1, -1), (-999, -1), (-1000, -1), (-1001, -2),
    ])
    func `the second of a moment is the whole one below it`(milliseconds: Int64, second: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).second == second)
    }

    @Test(arguments: [-2, 0, 1_700_000_000] as [Int64])
    func `a second starts on itself`(second: Int64) {
        let start = Timestamp(second: second)
        #expect(start.second == second)
        #expect((start - .milliseconds(1)).second == second - 1)
        #expect((start + .milliseconds(999)).second == second)
    }

    @Test func `a span of seconds is rounded to milliseconds`() {
        #expect(Timestamp.Span.seconds(0.5) == .milliseconds(500))
        #expect(Timestamp.Span.seconds(0.0004).milliseconds == 0)
        #expect(Timestamp.Span.seconds(-1.5).seconds == -1.5)
        #expect(moment(3) - moment(5) == .seconds(-2))
    }
}

struct RSSITests {
    @Test func `what no radio reports is no level`() {
        #expect(RSSI(hci: 127) == nil && RSSI(hci: 21) == nil)
        #expect(RSSI(hci: 20)?.dBm == 20)
        #expect(RSSI(hci: 0x81)?.dBm == -127)
    }
}

struct ExponentialTests {
    private static func error(_ value: Double, _ known: Double) -> Double {
        abs(value - known) / max(abs(known), .leastNormalMagnitude)
    }

    @Test(arguments: UInt64(1)...200)
    func `exp agrees with the library to twelve digits`(seed: UInt64) {
        var dice = Dice(seed: seed)
        for range in [-1.0...1, -20...20, -690...690] {
            let x = Double.random(in: range, using: &dice)
            #expect(Self.error(Exponential.exp(x), exp(x)) < 1e-12, "exp(\(x))")
        }
    }

    @Test(arguments: UInt64(1)...200)
    func `ln agrees with the library to twelve digits`(seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<3 {
            // Around 1 the logarithm itself is nearly nothing.
            let x = exp(Double.random(in: 0.01...600, using: &dice))
            #expect(Self.error(Exponential.ln(x), log(x)) < 1e-12, "ln(\(x))")
            #expect(Self.error(Exponential.ln(1 / x), log(1 / x)) < 1e-12, "ln(1/\(x))")
            #expect(Self.error(Exponential.log10(x), log10(x)) < 1e-12, "log10(\(x))")
        }
    }

    @Test func `known values are exact`() {
        #expect(Exponential.exp(0) == 1)
        #expect(Exponential.ln(1) == 0)
        #expect(abs(Exponential.exp(1) - 2.718_281_828_459_045) < 1e-15)
        #expect(abs(Exponential.log10(1000) - 3) < 1e-14)
        #expect(Self.error(Exponential.ln(.leastNonzeroMagnitude), -744.440_071_921_381_2) < 1e-12)
    }

    @Test func `far out the exponential stays finite`() {
        #expect(Exponential.exp(-701) == 0)
        #expect(Exponential.exp(-.infinity) == 0)
        #expect(Exponential.exp(10_000) == Exponential.exp(700))
        #expect(Exponential.exp(.infinity).isFinite)
    }
}

/// Recordings and the database hold plain numbers.
struct UnitsCodingTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private func value<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    @Test func `moments, spans, levels and rows are written as numbers and read back`() throws {
        #expect(try text([Timestamp(milliseconds: -5)]) == "[-5]")
        #expect(try value("[-5]") == [Timestamp(milliseconds: -5)])
        #expect(try text([Timestamp.Span.seconds(1.5)]) == "[1500]")
        #expect(try value("[1500]") == [Timestamp.Span.seconds(1.5)])
        #expect(try text([RSSI(dBm: -60.5)]) == "[-60.5]")
        #expect(try value("[-60.5]") == [RSSI(dBm: -60.5)])
        #expect(try text([UserID(7)]) == "[7]")
        #expect(try value("[7]") == [UserID(7)])
    }

    @Test func `a set of intervals survives the way out and in`() throws {
        let set = IntervalSet([stretch(0, 5), stretch(20, 21)], joining: .seconds(6))
        #expect(try value(try text(set)) == set)
    }
}
