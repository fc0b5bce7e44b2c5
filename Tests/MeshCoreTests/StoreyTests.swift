import SiteModel
import Testing

@testable import Positioning

/// What coordinates tell of places that lie above each other.
struct StoreyTests {
    /// Two places of the same corner, and a third beside them; a node in each.
    private func geometry(storeys: [Int]) -> Geometry {
        let places = [Position(x: 2, y: 2), Position(x: 2, y: 2), Position(x: 12, y: 2)]
        return Geometry(
            points: places.map { [$0] },
            ears: places.enumerated().map { (position: $0.element, zone: Int?($0.offset)) },
            storeys: storeys)
    }

    @Test func `a ceiling says which of two places above each other it is`() throws {
        // As loud as 14 dB and three metres make it: louder by far at the node below.
        let levels: [Double?] = [-50, -74, -76]
        func lead(_ geometry: Geometry) throws -> Double {
            let usable = [true, true, true]
            return try #require(geometry.evidence(of: 0, levels: levels, isUsable: usable))
                - #require(geometry.evidence(of: 1, levels: levels, isUsable: usable))
        }
        let (flat, stacked) = (
            try lead(geometry(storeys: [0, 0, 0])), try lead(geometry(storeys: [0, 1, 0]))
        )
        #expect(stacked > flat && flat > 0, "\(stacked) and \(flat)")
    }
}
