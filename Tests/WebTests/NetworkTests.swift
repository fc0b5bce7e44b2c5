import Testing

@testable import WebServer

/// Addresses and ranges of them.
struct NetworkTests {
    @Test(arguments: [
        ("192.168.1.0/24", "192.168.1.77", true), ("192.168.1.0/24", "192.168.2.1", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("10.0.0.1", "10.0.0.1", true),
        ("10.0.0.1", "10.0.0.2", false), ("fe80::/10", "fe80::1%eth0", true),
        ("fc00::/7", "fd12::1", true), ("fc00::/7", "2001:db8::1", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
        ("172.16.0.0/12", "172.32.0.1", false), ("172.16.0.0/12", "172.31.255.255", true),
    ])
    func `it has the addresses of its range`(network: String, address: String, isIn: Bool) throws {
        #expect(try #require(Network(network)).contains(address) == isIn)
    }

    @Test(arguments: ["", "/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "host", "::/129", "1/2/3"])
    func `what is no range is refused`(text: String) {
        #expect(Network(text) == nil)
    }

    @Test func `a household has its address, or the first half of it`() {
        #expect(Network.household(of: "10.0.0.1") != Network.household(of: "10.0.0.2"))
        let own = Network.household(of: "2001:db8:1:2::1")
        #expect(own == Network.household(of: "2001:db8:1:2:ffff::9"))
        #expect(own != Network.household(of: "2001:db8:1:3::1"))
    }
}
