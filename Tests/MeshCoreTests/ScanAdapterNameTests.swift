import Testing

@testable import NodeEngine

/// An adapter is found under whatever number it has.
struct ScanAdapterNameTests {
    let first = AdapterName.Present(index: 0, address: 0x001B_DC00_0001)
    let second = AdapterName.Present(index: 1, address: 0x001B_DC00_0002)
    let nameless = AdapterName.Present(index: 2, address: nil)

    @Test func `by number, address, or the lowest there is`() {
        let present = [nameless, second, first]
        #expect(AdapterName.index(1).choose(from: present) == second)
        #expect(AdapterName.index(3).choose(from: present) == nil)
        #expect(AdapterName.address(0x001B_DC00_0002).choose(from: present) == second)
        #expect(AdapterName.address(5).choose(from: present) == nil)
        #expect(AdapterName.any.choose(from: present) == first)
        #expect(AdapterName.any.choose(from: []) == nil)
    }

    @Test func `one that comes back under another number is found by its address`() {
        let moved = AdapterName.Present(index: 4, address: first.address)
        for name in [AdapterName.index(0), .any] {
            #expect(name.choose(from: [second, moved], remembered: first.address) == moved)
        }
        // Under its own number there is another one now, and a number is what was asked for.
        let other = AdapterName.Present(index: 0, address: 7)
        let found = AdapterName.index(0).choose(from: [other, moved], remembered: first.address)
        #expect(found == other)
    }

    @Test func `what others have is not taken`() {
        #expect(AdapterName.any.choose(from: [first, second], taken: [0]) == second)
        #expect(AdapterName.index(0).choose(from: [first], taken: [0]) == nil)
        let moved = AdapterName.Present(index: 1, address: first.address)
        let found = AdapterName.index(0).choose(
            from: [moved], taken: [1], remembered: first.address)
        #expect(found == nil)
    }

    @Test func `it is written as it is configured`() {
        #expect("\(AdapterName.index(12))" == "hci12")
        #expect("\(AdapterName.address(0x001B_DC00_0A01))" == "00:1B:DC:00:0A:01")
        #expect("\(AdapterName.any)" == "any")
    }
}
