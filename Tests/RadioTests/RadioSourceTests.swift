import MeshCore
import Radio
import Testing

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

    @Test(arguments: ["eth0", "hci", "hci-1", "hci01", "hci+1", "hci65535", "hci0 ", "hci٣"])
    func `an adapter is hci and its number`(name: String) {
        #expect(throws: RadioError.badAdapter(name)) { try RadioSource("hci:" + name) }
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
        }
    }

    /// No machine has this adapter, and some have no Bluetooth or forbid it: never up, never fatal.
    @Test func `an adapter that is not there is waited for`() throws {
        let source = try RadioSource("hci:hci65000")
        let events = source.tick(now: now)
        #expect(events.contains(.adapter(.absent)) || events.contains(.adapter(.down)))
        #expect(try #require(source.deadline) > now)
        #expect(source.ready(now: now) { _, _ in Issue.record("heard something") } == [])
        source.stop()
        #expect(source.deadline == nil && source.descriptors == [])
    }
}
