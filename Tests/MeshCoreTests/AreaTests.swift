import SiteModel
import Testing

/// What rooms cover: rectangles and polygons.
struct AreaTests {
    /// An L: a square of six metres without its upper right quarter.
    private static let ell = [0.0, 0, 6, 0, 6, 3, 3, 3, 3, 6, 0, 6]

    private func area(_ numbers: [Double]) throws -> Area { try Area(numbers: numbers) }

    @Test func `two corners are a rectangle, in any order`() throws {
        let rectangle = Area(low: Position(x: 0.5, y: 0), high: Position(x: 12, y: 6))
        #expect(try area([12, 0, 0.5, 6]) == rectangle)
        #expect(rectangle.numbers == [0.5, 0, 12, 6])
        #expect(rectangle.outline.count == 4)
    }

    @Test func `more corners are a polygon, which is written as it was read`() throws {
        let ell = try area(Self.ell)
        #expect(ell.numbers == Self.ell)
        #expect(ell.low == Position(x: 0, y: 0) && ell.high == Position(x: 6, y: 6))
    }

    @Test(
        arguments: [
            ([], Area.Fault.count(0)), ([1], .count(1)), ([1, 2], .count(2)),
            ([0, 0, 1, 1, 2], .count(5)),
            (Array(repeating: 1.0, count: 66), .count(66)),
            ([0, 0, 0, 5], .flat), ([0, 0, 5, 0, 10, 0], .crossing(1, 3)),
            ([0, 0, 0, 0, 5, 5], .flat),
            ([0, 0, 0.1, 0, 0, 0.1], .flat),
            // A bow tie; a side that comes back on the one before; a corner that touches another side.
            ([0, 0, 6, 6, 6, 0, 0, 6], .crossing(1, 3)),
            ([0, 0, 6, 0, 3, 0, 3, 5], .crossing(1, 2)),
            ([0, 0, 6, 0, 6, 6, 3, 0, 0, 6], .crossing(1, 3)),
        ] as [([Double], Area.Fault)])
    func `what is no floor is refused`(numbers: [Double], fault: Area.Fault) {
        #expect(throws: fault) { try area(numbers) }
        #expect(!fault.description.isEmpty)
    }

    @Test func `a point is in it, or beside it`() throws {
        let ell = try area(Self.ell)
        for (x, y) in [(1.0, 1.0), (5, 1), (1, 5), (0, 0), (3, 4)] {
            #expect(ell.holds(Position(x: x, y: y), within: 0), "\(x), \(y)")
        }
        for (x, y) in [(5.0, 5.0), (3.2, 3.2), (-0.1, 1), (6.1, 1)] {
            #expect(!ell.holds(Position(x: x, y: y), within: 0), "\(x), \(y)")
        }
        #expect(ell.holds(Position(x: 3.2, y: 3.2), within: 0.25))
        #expect(ell.holds(Position(x: -0.1, y: 1), within: 0.25))
    }

    @Test func `rooms lie on each other if walls do not explain it`() throws {
        let ell = try area(Self.ell)
        let cases: [([Double], Bool)] = [
            ([3, 3, 6, 6], false),  // The quarter that is left out of it.
            ([2.95, 2.95, 6, 6], false), ([2.5, 2.5, 6, 6], true), ([6, 0, 9, 6], false),
            ([5.5, -3, 9, 9], true), ([1, 1, 2, 2], true), ([-9, -9, 9, 9], true),
            ([2, -2, 4, 8], true),  // Across it: no corner of either is in the other.
            ([3, 3, 6, 3, 6, 6], false), ([6, 6, 3, 6, 2, 2], true),
        ]
        for (numbers, isOn) in cases {
            let other = try area(numbers)
            #expect(ell.overlaps(other, by: 0.1) == isOn, "\(numbers)")
            #expect(other.overlaps(ell, by: 0.1) == isOn, "\(numbers), turned")
            // Whichever way round its corners are listed.
            let back = try area(Array(ell.corners.reversed()).flatMap { [$0.x, $0.y] })
            #expect(back.overlaps(other, by: 0.1) == isOn, "\(numbers), against the clock")
        }
    }
}
