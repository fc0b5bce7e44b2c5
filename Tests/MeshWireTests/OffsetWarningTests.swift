import Testing

@testable import SiteModel

/// What the log says when a receiver or transmitter has changed all at once.
struct OffsetWarningTests {
    private func row(_ device: Ear, drift: Double?, since: Double = 5, at: Double = 5) -> OffsetRow
    {
        OffsetRow(
            device: device, place: nil, position: nil, offset: 1, applied: 0, weight: 0,
            since: PipelineRun.moment(since), at: PipelineRun.moment(at), isProven: false,
            drift: drift)
    }

    @Test func `a jump is told by slug, once`() throws {
        let names = PipelineSite.names()
        let node = try #require(names.warning(of: row(.node(NodeID(2)), drift: -8.5)))
        #expect(node.contains("node n2") && node.contains("8.5 dB fainter"))
        let beacon = try #require(names.warning(of: row(.beacon(BeaconID(1)), drift: 7)))
        #expect(beacon.contains("beacon tag-1") && beacon.contains("7.0 dB louder"))
        #expect(names.warning(of: row(.node(NodeID(2)), drift: nil)) == nil)
        #expect(names.warning(of: row(.node(NodeID(2)), drift: -8.5, at: 605)) == nil)
    }
}
