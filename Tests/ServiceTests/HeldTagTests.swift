import Testing

@testable import SiteService

/// Who holds a tag to the node beside a kiosk.
struct HeldTagTests {
    private func found(_ levels: (String, Double, Int64)...) -> String? {
        HeldTag.find(
            levels.map { HeldTag.Level(beacon: $0.0, rssi: $0.1, at: $0.2) }, at: 100_000)
    }

    @Test func `the only tag within a hand's breadth is held there`() {
        #expect(found(("a", -38, 99_000)) == "a")
        #expect(found(("a", -38, 99_000), ("b", -60, 99_000)) == "a")
        #expect(found(("b", -70, 99_000), ("a", -50, 99_000)) == "a")
    }

    @Test func `nobody is mistaken for somebody else`() {
        #expect(found() == nil)
        #expect(found(("a", -50.1, 99_000)) == nil, "who walks by")
        #expect(found(("a", -38, 99_000), ("b", -43.9, 99_000)) == nil, "two at once")
        #expect(found(("a", -38, 99_000), ("b", -44, 99_000)) == "a")
        #expect(found(("a", -38, 87_999)) == nil, "who has gone")
        // Each tag is told at a time of its own: one that was told a while ago may be there still.
        #expect(found(("a", -38, 80_000), ("b", -40, 99_000)) == nil)
        #expect(found(("b", -38, 99_000), ("a", -40, 80_000)) == nil)
        #expect(found(("a", -38, 74_999), ("b", -40, 99_000)) == "b")
    }
}
