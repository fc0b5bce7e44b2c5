import Foundation
import Synchronization
import Wire

/// Takes every message of a site on a thread of its own and does nothing with it, except that it
/// answers requests: what is left of a coordinator when there is nothing to decide.
final class IdleSubscriber: Sendable {
    private let isStopping = Atomic<Bool>(false)
    private let fault = Mutex<String?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Connects to a broker on this machine and listens to what a coordinator of `site` would.
    init(site: String, port: Int) {
        Thread.detachNewThread {
            do {
                try self.listen(site: site, port: port)
            } catch {
                self.fault.withLock { $0 = "\(error)" }
            }
            self.ended.signal()
        }
    }

    /// Ends it. Throws what went wrong on its thread, if anything did.
    func stop() throws(BenchFailure) {
        isStopping.store(true, ordering: .relaxed)
        ended.wait()
        if let fault = fault.withLock({ $0 }) { throw .failed("idle subscriber: \(fault)") }
    }

    private func listen(site: String, port: Int) throws {
        let topics = SiteTopics(site: site)
        let root = topics.root + "req/"
        var requests: [String] = []
        let client = try BenchClient("bench-idle", port: port) {}
        client.onMessage = { topic, _ in
            if topic.hasPrefix(root) { requests.append(String(topic.dropFirst(root.count))) }
        }
        try client.subscribe(topics.inboundFilters)
        while !isStopping.load(ordering: .relaxed) {
            try client.turn(milliseconds: 100)
            for request in requests {
                try client.publish(
                    Publication(
                        topic: "\(topics.root)res/\(request)", payload: [0x7B, 0x7D], quality: 0,
                        isRetained: false))
            }
            requests.removeAll(keepingCapacity: true)
        }
    }
}
