import Synchronization
import Testing

@testable import Detections
@testable import JSON
@testable import SiteModel
@testable import SiteService
@testable import SiteStore
@testable import Wire

/// What nodes tell of strangers' devices, while storing it fails.
struct SightingFollowerTests {
    private static let now = EditedSite.now

    /// Takes what is put, or throws what it is told to.
    private final class Sink: Sendable {
        private struct State {
            var stored: [String] = []
            var tries = 0
        }

        private let state = Mutex(State())
        private let fault: @Sendable (_ addresses: [String], _ tries: Int) -> StoreError?

        init(_ fault: @escaping @Sendable (_ addresses: [String], _ tries: Int) -> StoreError?) {
            self.fault = fault
        }

        var stored: [String] { state.withLock(\.stored) }

        func follower(_ queue: SightingQueue) -> SightingFollower {
            SightingFollower(queue) { [self] seen, _ in
                try state.withLock { state throws(StoreError) in
                    state.tries += 1
                    let addresses = seen.map(\.address)
                    if let fault = fault(addresses, state.tries) { throw fault }
                    state.stored += addresses
                }
            }
        }
    }

    private static func address(_ number: Int) -> String {
        String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    /// So many devices from a number on, as a node tells of them.
    private static func tell(_ queue: SightingQueue, _ numbers: Range<Int>) {
        for start in stride(
            from: numbers.lowerBound, to: numbers.upperBound, by: SightingsPayload.most)
        {
            let payload = SightingsPayload(
                boot: 1, tMs: now.milliseconds,
                sightings: (start..<min(start + SightingsPayload.most, numbers.upperBound)).map {
                    number in
                    .init(
                        addr: address(number), addrType: .randomStatic, type: "tracker",
                        confidence: 0.5, rssi: -60, firstMs: now.milliseconds - 5000,
                        lastMs: now.milliseconds, hits: 5)
                })
            queue.take("n-1", payload.json.span, at: now)
        }
    }

    @Test(arguments: [StoreError.busy, .full])
    func `what cannot be stored now is stored once it can be, in its order`(
        fault: StoreError
    ) async throws {
        let queue = SightingQueue()
        let sink = Sink { _, tries in tries <= 2 ? fault : nil }
        let follower = sink.follower(queue)
        Self.tell(queue, 0..<700)
        for _ in 0..<2 {
            await #expect(throws: fault) { try await follower.turn(at: Self.now) }
            #expect(sink.stored.isEmpty)
        }
        Self.tell(queue, 700..<800)
        try await follower.turn(at: Self.now)
        #expect(sink.stored == (0..<800).map(Self.address) && queue.leftOut == 0)
    }

    @Test func `what can never be stored is left out alone, and said`() async throws {
        let queue = SightingQueue()
        let bad = Self.address(321)
        let sink = Sink { addresses, _ in
            addresses.contains(bad) ? .refused(constraint: "detection", fact: nil) : nil
        }
        let follower = sink.follower(queue)
        Self.tell(queue, 0..<700)
        await #expect(throws: StoreError.self) { try await follower.turn(at: Self.now) }
        #expect(sink.stored == (0..<700).map(Self.address).filter { $0 != bad })
        try await follower.turn(at: Self.now)
        #expect(sink.stored.count == 699, "it is not tried again")
    }

    @Test func `of too many the oldest are given up, and counted`() async throws {
        let queue = SightingQueue()
        let sink = Sink { _, tries in tries <= 20 ? .busy : nil }
        let follower = sink.follower(queue)
        let rounds = SightingFollower.mostWaiting / 3000 + 1
        for round in 0..<rounds {
            Self.tell(queue, round * 3000..<(round + 1) * 3000)
            await #expect(throws: StoreError.busy) { try await follower.turn(at: Self.now) }
        }
        for _ in rounds..<20 {
            await #expect(throws: StoreError.busy) { try await follower.turn(at: Self.now) }
        }
        try await follower.turn(at: Self.now)
        let all = rounds * 3000
        #expect(queue.leftOut == all - SightingFollower.mostWaiting)
        #expect(sink.stored == (queue.leftOut..<all).map(Self.address))
    }
}
