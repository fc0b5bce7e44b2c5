import Testing

@testable import Broker
@testable import SiteModel

struct ReconnectTests {
    let start = Timestamp(milliseconds: 1_000_000)
    let host = "10.0.0.2"

    @Test func `the first attempt is due at once, and only once`() {
        var reconnect = Reconnect(seed: 1, host: host, at: start)
        let attempts = [reconnect.begin(at: start), reconnect.begin(at: start + .seconds(100))]
        #expect(attempts == [true, false])
    }

    @Test(arguments: UInt64(1)...200)
    func `waits stay between half a second and a limit that doubles to thirty`(seed: UInt64) {
        var reconnect = Reconnect(seed: seed, host: host, at: start)
        var limit = Timestamp.Span.seconds(1)
        for _ in 0..<12 {
            let wait = reconnect.failed(at: start)
            #expect(wait >= .seconds(0.5) && wait <= limit)
            let early = reconnect.begin(at: start + wait - .milliseconds(1))
            let punctual = reconnect.begin(at: start + wait)
            #expect(!early && punctual)
            limit = min(.milliseconds(limit.milliseconds * 2), Reconnect.longest)
        }
    }

    @Test func `fifty nodes do not come back in the same second`() {
        let waits = (0..<50).map { seed in
            var reconnect = Reconnect(seed: UInt64(seed), host: host, at: start)
            for _ in 0..<8 { reconnect.failed(at: start) }
            return reconnect.failed(at: start).milliseconds / 1000
        }
        #expect(Set(waits).count > 15)
    }

    @Test func `a connection that does not last counts as a failure`() {
        var reconnect = Reconnect(seed: 1, host: host, at: start)
        for attempt in 1...5 {
            reconnect.connected(at: start)
            reconnect.failed(at: start + .seconds(1))
            #expect(reconnect.failures == attempt)
        }
        reconnect.connected(at: start)
        reconnect.failed(at: start + .seconds(30))
        #expect(reconnect.failures == 1)
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.0.1.1", "::1"])
    func `on the broker's own machine nobody waits for more than five seconds`(own: String) {
        var waits: [Timestamp.Span] = []
        for seed in UInt64(1)...50 {
            var reconnect = Reconnect(seed: seed, host: own, at: start)
            for _ in 0..<20 { waits.append(reconnect.failed(at: start)) }
            // And one that lasted so long was a connection.
            reconnect.connected(at: start)
            reconnect.failed(at: start + .seconds(5))
            #expect(reconnect.failures == 1)
        }
        #expect(waits.allSatisfy { $0 >= .seconds(0.5) && $0 <= .seconds(5) })
        #expect(waits.contains { $0 > .seconds(4) })
    }
}
