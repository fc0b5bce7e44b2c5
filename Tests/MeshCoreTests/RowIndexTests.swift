@testable import SiteModel
import Testing

/// An index answers as a search from the front would, whatever the rows are.
struct RowIndexTests {
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    private func check(_ rows: [Int64], asking: [Int64], _ note: String) {
        let list = rows.map { UserID($0) }
        let index = RowIndex(list)
        for row in asking + rows {
            let place = list.firstIndex(of: UserID(row))
            #expect(index[UserID(row)] == place, "\(note), row \(row)")
        }
    }

    private static let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

    @Test func `nothing, one and the ends of all numbers`() {
        check([], asking: Self.edges, "nothing")
        for edge in Self.edges { check([edge], asking: Self.edges, "one") }
        check(Self.edges, asking: [2, -2], "the ends")
        check([3, 3, 1, 1, 2], asking: Self.edges, "twice, in no order")
    }

    @Test func `dense and wide, sorted or not, over 200 seeds`() {
        for seed in 1...UInt64(200) {
            var random = Random(state: seed)
            let count = Int.random(in: 0...40, using: &random)
            let widths: [Int64] = [8, 60, 400, 100_000, 1 << 40]
            let width = widths[Int.random(in: 0..<widths.count, using: &random)]
            let low = Int64.random(in: -width...width, using: &random)
            let rows = (0..<count).map { _ in Int64.random(in: low...low + width, using: &random) }
            let asking = (0..<40).map { _ in
                Int64.random(in: low - 3...low + width + 3, using: &random)
            }
            check(rows, asking: asking + Self.edges, "seed \(seed)")
        }
    }
}
