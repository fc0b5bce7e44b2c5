import Testing

@testable import NodeEngine
@testable import Radio
@testable import SiteModel

/// A line of configuration names a radio, and each kind behaves alike.
struct RadioSourceTests {
    let now = Timestamp(milliseconds: 1_000)

    @Test func `each kind of source is known by its text`() throws {
        guard case .adapter = try RadioSource("hci:hci0") else {
            Issue.record("hci:hci0 is no adapter")
            return
        }
        guard case .stream = try RadioSource("btsnoop:unix:/tmp/a b.sock") else {
            Issue.record("btsnoop:unix: is no stream")
            return
        }
        try Recording.withFile(Recording.of(reportsAt: [])) { path in
            guard case .recording = try RadioSource("btsnoop:\(path)") else {
                Issue.record("btsnoop: is no recording")
                return
            }
        }
    }

    @Test(arguments: ["", "hci", "hci:", "btsnoop:", "hci0", "usb:0", "HCI:hci0"])
    func `other text is refused`(text: String) {
        #expect(throws: RadioError.unknownSource(text)) { try RadioSource(text) }
    }

    @Test(arguments: [
        "eth0", "hci", "hci-1", "hci01", "hci+1", "hci65535", "hci0 ", "hci٣", "Any",
        "00:1B:DC:00:00", "00:1B:DC:00:00:001", "00:1B:DC:00:00:+1", "00:1B:DC:00:00:01:02",
    ])
    func `an adapter is hci and its number, an address, or any`(name: String) {
        #expect(throws: RadioError.badAdapter(name)) { try RadioSource("hci:" + name) }
    }

    @Test(arguments: [
        "hci:hci1", "hci:any", "hci:00:1b:DC:00:00:01", "hci:hci0,hci:hci1", "hci:hci0, hci:any",
    ])
    func `adapters go by number, by address, or several of them`(text: String) throws {
        let source = try RadioSource(text)
        let names = source.statuses.map { "hci:" + $0.adapter.lowercased() }
        #expect(names.joined(separator: ",") == text.filter { $0 != " " }.lowercased())
        #expect(source.status.state == .absent && !source.status.isListening)
    }

    @Test(arguments: ["hci:hci0,", "hci:hci0,hci1", "hci:hci0,hci:hci0", "hci:any,btsnoop:x"])
    func `only adapters can be several, and each once`(text: String) {
        #expect(throws: RadioError.self) { try RadioSource(text) }
    }

    @Test func `a recording tells what it does like an adapter`() throws {
        try Recording.withFile(Recording.of(reportsAt: [0, 60_000])) { path in
            let source = try RadioSource("btsnoop:\(path)")
            #expect(source.status.state == .starting)
            _ = source.ready(now: now) { _, _ in }
            #expect(source.status == ScanStatus(state: .scanning, adapter: path, since: now))
        }
    }

    @Test func `a recording through the source plays and ends`() throws {
        try Recording.withFile(Recording.of(reportsAt: [0, 0])) { path in
            let source = try RadioSource("btsnoop:\(path)")
            #expect(try #require(source.deadline) <= now)
            #expect(source.tick(now: now) == [])
            var count = 0
            let events = source.ready(now: now) { _, _ in count += 1 }
            #expect(count == 2)
            #expect(events.first == .adapter(.up) && events.last == .adapter(.ended))
            #expect(source.deadline == nil && source.descriptors == [])
            #expect(source.status.state == .stopped && source.status.since == now)
        }
    }

    /// No machine has this adapter, and some have no Bluetooth or forbid it: never up, never fatal.
    @Test func `an adapter that is not there is waited for`() throws {
        let source = try RadioSource("hci:hci65000")
        let events = source.tick(now: now)
        #expect(events.contains(.adapter(.absent)) || events.contains(.adapter(.down)))
        #expect(try #require(source.deadline) > now)
        #expect(source.ready(now: now) { _, _ in Issue.record("heard something") } == [])
        #expect(source.halt(now: now).contains(.adapter(.down)))
        #expect(source.status.state == .stopped && source.deadline == nil)
        #expect(source.resume(now: now).contains(.adapter(.absent)))
        source.stop()
        #expect(source.deadline == nil && source.descriptors == [])
    }
}
