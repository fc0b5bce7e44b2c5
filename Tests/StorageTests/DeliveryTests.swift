import Testing

@testable import Notifications
@testable import SiteModel
@testable import SiteStore
@testable import Wire

/// Deliveries to webhooks, as they are stored: what is tried when.
struct DeliveryTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    @discardableResult
    private func hook(
        _ name: String, _ kinds: [NotificationPayload.Kind] = [.arrival, .departure]
    ) throws -> Int64 {
        try Webhooks(store).add(
            try WebhookAddress("https://example.org/\(name)"), secret: .secret, kinds: kinds,
            keepsQuiet: true, by: "ann", at: at(0))
    }

    private func due(_ seconds: Double) throws -> [Delivery] {
        try Deliveries(store).due(at: at(seconds), busy: [])
    }

    @Test func `each webhook gets what it asked for, in order, one at a time`() throws {
        let (both, leaving) = (try hook("both"), try hook("leaving", [.departure]))
        try store.commit([
            .arrival(1, of: ann, 0), .departure(2, of: ann, 1), .departure(3, of: bob, 2),
        ])
        var got: [Int64: [Int64]] = [:]
        for _ in 0..<3 {
            for delivery in try due(3) {
                got[delivery.webhook, default: []].append(delivery.notice.id)
                #expect(
                    try Deliveries(store).tried(delivery, .answered(204), at: at(3)) == .delivered)
            }
        }
        #expect(got == [both: [1, 2, 3], leaving: [2, 3]])
        #expect(try due(99) == [])
    }

    @Test func `a failed delivery holds back the later ones of its webhook and no other's`() throws
    {
        let (bad, good) = (try hook("bad"), try hook("good"))
        try store.commit([.arrival(1, of: ann, 0), .arrival(2, of: bob, 0)])
        for delivery in try due(1) {
            let outcome: DeliveryOutcome =
                delivery.webhook == bad ? .answered(500) : .answered(200)
            _ = try Deliveries(store).tried(delivery, outcome, at: at(1))
        }
        #expect(try due(1).map(\.webhook) == [good])
        let next = try #require(try due(2).first { $0.webhook == bad })
        #expect(next.notice.id == 1)
        #expect(next.attempts == 1)
        #expect(try Deliveries(store).due(at: at(2), busy: [bad]).map(\.webhook) == [good])
    }

    @Test func `attempts come ever less often for a day, then it is given up and seen`() throws {
        let id = try hook("down")
        try store.commit([.arrival(1, of: ann, 0)])
        var (now, waits): (Timestamp, [Double]) = (at(0), [])
        var state: DeliveryState?
        while state != .failed {
            let delivery = try #require(try Deliveries(store).due(at: now, busy: []).first)
            state = try Deliveries(store).tried(delivery, .unreachable("nobody there"), at: now)
            guard state == .retried else { break }
            let text = try #require(try store.texts("SELECT next_ms FROM delivery").first)
            let next = Timestamp(milliseconds: try #require(Int64(text)))
            waits.append((next - now).seconds)
            now = next
        }
        #expect(state == .failed)
        #expect((now - at(0)).seconds >= 86_400)
        #expect((now - at(0)).seconds < 86_400 + 3600)
        for (number, wait) in waits.enumerated() {
            let longest = min(3600, Double(1 << min(number, 12)))
            #expect(wait <= longest && wait > longest / 2, "attempt \(number + 1): \(wait) s")
        }
        #expect((30...70).contains(waits.count), "\(waits.count) attempts")
        let row = "SELECT state, attempts > 30, last_fault FROM delivery"
        #expect(try store.texts(row) == ["failed 1 nobody there"])
        #expect(try Webhooks(store).all().map(\.failed) == [1])
        // The next one gets its own chance.
        try store.commit([.arrival(2, of: bob, 100_000)])
        #expect(try due(100_000).map(\.notice.id) == [2])
        #expect(try Webhooks(store).all().first?.id == id)
    }

    @Test func `a delivery is given up a day after it was due, unless it arrived`() {
        let day = at(86_400)
        for outcome in [DeliveryOutcome.answered(503), .answered(304), .unreachable("no route")] {
            #expect(outcome.state(due: at(0), at: day - .milliseconds(1)) == .retried)
            #expect(outcome.state(due: at(0), at: day) == .failed)
        }
        #expect(DeliveryOutcome.answered(204).state(due: at(0), at: day) == .delivered)
    }

    @Test func `what waited while nothing ran is tried at least once`() throws {
        try hook("late")
        try store.commit([.arrival(1, of: ann, 0)])
        let delivery = try #require(try due(200_000).first)
        #expect(
            try Deliveries(store).tried(delivery, .answered(200), at: at(200_000)) == .delivered)
    }

    @Test func `late news goes to webhooks and says that it is late`() throws {
        try hook("machine")
        try store.commit([.arrival(1, of: ann, 0, made: 3600)])
        #expect(try due(3600).map(\.notice.payload.late) == [true])
        #expect(try NotificationQueue(store).untold(at: at(3600), most: 9) == [])
    }

    @Test func `an attempt that was not noted is made again with the same id`() throws {
        try hook("twice")
        try store.commit([.arrival(1, of: ann, 0)])
        let first = try #require(try due(1).first)
        let second = try #require(
            try Deliveries(Store(path: scratch.path)).due(at: at(2), busy: []).first)
        #expect(second == first)
        #expect(try Deliveries(store).tried(second, .answered(200), at: at(2)) == .delivered)
        // Both attempts come to an end: only one counts.
        #expect(try Deliveries(store).tried(first, .answered(500), at: at(3)) == nil)
        #expect(try store.texts("SELECT state, attempts FROM delivery") == ["delivered 1"])
    }

    @Test func `a revoked webhook keeps neither its secret nor what waits`() throws {
        let id = try hook("gone")
        try store.commit([.arrival(1, of: ann, 0)])
        #expect(try Webhooks(store).revoke(id, by: "ann", at: at(2)))
        #expect(try !Webhooks(store).revoke(id, by: "ann", at: at(3)))
        #expect(try due(9) == [])
        #expect(try Webhooks(store).all() == [])
        #expect(try store.texts("SELECT state FROM delivery") == ["revoked"])
        #expect(try store.texts("SELECT length(secret) FROM webhook") == ["0"])
        // Its address can be used again, as another webhook.
        #expect(try hook("gone") == id + 1)
    }

    @Test func `a webhook hears nothing from before it was added`() throws {
        try store.commit([.arrival(1, of: ann, 0)])
        try hook("new")
        #expect(try due(9) == [])
    }

    @Test func `the same address twice is refused`() throws {
        try hook("once")
        #expect(throws: StoreError.self) { try hook("once") }
        #expect(try Webhooks(store).all().count == 1)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org/", "https://", "https:///x", "file:///etc/passwd",
        "https://me:pass@example.org/", "https://example.org/a b", "https://example.org/\"",
        "https://example.org/\n", "https://example.org/ü", "gopher://127.0.0.1/",
        "https://example.org/" + String(repeating: "x", count: 2048),
    ])
    func `what is no address of a webhook is refused`(text: String) {
        #expect(throws: WebhookAddress.Fault.notAnAddress) { try WebhookAddress(text) }
        #expect(throws: WebhookAddress.Fault.notAnAddress) {
            try WebhookAddress(text, allowsInsecure: true)
        }
    }

    @Test(arguments: [
        "http://example.org/", "http://127.0.0.1.example.org/", "http://127.0.0.256/",
        "http://127.0.+0.1/", "http://localhost.example.org/", "http://10.0.0.1/",
        "http://[2001:db8::1]/",
    ])
    func `an open line beyond this machine must be asked for`(text: String) throws {
        #expect(throws: WebhookAddress.Fault.self) { try WebhookAddress(text) }
        #expect(try WebhookAddress(text, allowsInsecure: true).url == text)
    }

    @Test(arguments: [
        "https://example.org/hook?x=1", "http://127.0.0.1:8080/", "http://localhost/",
        "http://[::1]:99/x", "http://127.1.2.3/",
    ])
    func `an address that is safe is taken as it is`(text: String) throws {
        #expect(try WebhookAddress(text).url == text)
    }
}
