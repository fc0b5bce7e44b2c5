import NIOCore

/// What happened at once, as the pages are told.
package struct Batch: Sendable {
    /// A topic that changed, and the event that says so.
    struct Change: Sendable {
        let topic: String
        let payload: [UInt8]
        let event: ByteBuffer
    }

    private let time: ServerTime
    private var names: [UInt8]?
    private var clock: ByteBuffer?
    private(set) var changes: [Change] = []
    /// About how many bytes it takes.
    private(set) var size = 0

    init(at time: ServerTime) { self.time = time }

    init(names: [UInt8], at time: ServerTime) {
        self.time = time
        self.names = names
        size = names.count
    }

    init(clock time: ServerTime, isHeartbeat: Bool, fault: String?) {
        self.time = time
        var events = ByteBuffer()
        if isHeartbeat { events.writeString(": heartbeat\n\n") }
        events.writeEvent("clock", EventText.clock(at: time, fault: fault))
        clock = events
    }

    mutating func add(_ topic: String, _ payload: [UInt8]) {
        changes.append(
            Change(topic: topic, payload: payload, event: event(topic, payload)))
        size += 2 * (topic.utf8.count + payload.count)
    }

    /// Writes what a page may see of it.
    func write(to events: inout ByteBuffer, through filter: FeedFilter) {
        if let clock { events.writeImmutableBuffer(clock) }
        if let names {
            events.writeEvent("names", EventText.names(filter.names(names), at: time))
        }
        for change in changes {
            switch filter.sight(of: change.topic) {
            case .nothing: continue
            case .whole: events.writeImmutableBuffer(change.event)
            case .nameless:
                let bare = filter.bare(change.payload)
                events.writeImmutableBuffer(event(change.topic, bare))
            }
        }
    }

    private func event(_ topic: String, _ payload: [UInt8]) -> ByteBuffer {
        var event = ByteBuffer()
        event.writeEvent(
            "change", EventText.change(topic: topic, payload: payload, at: time))
        return event
    }
}
