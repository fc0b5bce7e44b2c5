import Testing

@testable import SiteModel
@testable import SiteService
@testable import Wire

/// What is kept of a node's advertisements for whoever looks, and what is withheld.
struct RawLooksTests {
    private let looks = RawLooks()

    private func at(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_780_000_000_000) + .seconds(seconds)
    }

    private func hear(
        _ seconds: Double, _ address: String = "7fffee000001",
        type: RawPayload.AddressType = .rpa, data: [UInt8]? = [2, 1, 6], node: String = "n-1"
    ) {
        let raw = RawPayload(
            boot: 1, seq: 1, tMs: at(seconds).milliseconds, rssi: -60, addr: address,
            addrType: type,
            event: .plain, data: data, leftOut: 3)
        looks.take(node, raw.json.span, at: at(seconds))
    }

    private func ask(
        _ seconds: Double, after number: Int64 = 0, isRedacted: Bool = true, node: String = "n-1"
    ) throws -> RawLooks.Heard {
        try #require(looks.ask(node, after: number, isRedacted: isRedacted, at: at(seconds)))
    }

    @Test func `nothing is kept where nobody looks, nor half a minute after somebody did`() throws {
        hear(0)
        #expect(try ask(1).advertisements.isEmpty)
        hear(2)
        #expect(try ask(3).advertisements.count == 1)
        hear(34)
        #expect(try ask(35).advertisements.isEmpty)
    }

    @Test func `a lease is said every ten seconds, and each look has another one`() throws {
        let first = try ask(0)
        #expect(first.isDue && first.lease.until == at(30) && first.lease.isRedacted)
        #expect(try !ask(5).isDue)
        #expect(try ask(10).isDue)
        #expect(try ask(10).lease.id == first.lease.id)
        // A node gives one id an hour at most.
        for second in stride(from: 20.0, through: 2990, by: 10) { _ = try ask(second) }
        let next = try ask(3000)
        #expect(next.lease.id != first.lease.id && next.isDue)
        #expect(try ask(3100).lease.id != next.lease.id)
    }

    @Test func `what identifies strangers is for who asked for all of it, whoever else looks`()
        throws
    {
        _ = try ask(0, isRedacted: false)
        hear(1)
        hear(1, "c0ffee000001", type: .randomStatic)
        let beacon: [UInt8] =
            [26, 0xFF, 0x4C, 0, 2, 21] + [UInt8](repeating: 7, count: 16) + [0, 1, 0, 2, 0xC5]
        hear(1, data: beacon)
        let all = try ask(2, isRedacted: false).advertisements.map(\.raw)
        #expect(all.map(\.addr) == ["7fffee000001", "c0ffee000001", "7fffee000001"])
        #expect(all.allSatisfy { $0.data != nil })
        let heard = try ask(2)
        let some = heard.advertisements.map(\.raw)
        #expect(some[0].addr.hasPrefix("xxxxxxxx") && some[0].addr == some[2].addr)
        #expect(some[1].addr == "c0ffee000001")
        #expect(some.map { $0.data == nil } == [true, true, false])
        // The node goes on telling all of it while somebody wants that, and not longer.
        #expect(!heard.lease.isRedacted)
        #expect(try ask(20).lease.isRedacted == false)
        let last = try ask(40)
        #expect(last.lease.isRedacted && last.isDue)
    }

    @Test func `numbers go on, also of a look that begins anew`() throws {
        _ = try ask(0)
        hear(1)
        let first = try ask(2).advertisements.map(\.number)
        #expect(first.count == 1)
        #expect(try ask(3, after: first[0]).advertisements.isEmpty)
        looks.end("n-1")
        _ = try ask(4, after: first[0])
        hear(5)
        #expect(try ask(6, after: first[0]).advertisements.count == 1)
        for _ in 0..<2000 { hear(6) }
        #expect(try ask(7).advertisements.count == 400)
        #expect(try ask(7).leftOut == 3)
    }

    @Test func `so many nodes are looked through at once, and another when one is left`() throws {
        for number in 0..<16 { _ = try ask(0, node: "n-\(number)") }
        #expect(looks.ask("n-16", after: 0, isRedacted: true, at: at(1)) == nil)
        #expect(looks.ask("n-16", after: 0, isRedacted: true, at: at(31)) != nil)
    }
}
