import Glibc
import Testing

@testable import Radio
@testable import SiteModel

/// A stream is read as it is written, and found again when it was lost.
struct BTSnoopStreamTests {
    /// Any moment of the node's clock.
    let now = Timestamp(milliseconds: 9_000)

    /// The packets a stream gives now, all of which count as heard now.
    private func heard(
        _ stream: BTSnoopStream, at moment: Timestamp
    ) -> (packets: [[UInt8]], events: [RadioEvent]) {
        var packets: [[UInt8]] = []
        let events = stream.ready(now: moment) { packet, at in
            #expect(at == moment)
            packets.append(packet.array)
        }
        return (packets, events)
    }

    @Test func `packets are heard when they are written, also in pieces`() throws {
        let listener = try #require(Listener())
        let stream = try BTSnoopStream(path: listener.path)
        #expect(stream.tick(now: now) == [.adapter(.up)])
        #expect(stream.descriptors.count == 1)
        #expect(stream.deadline == nil)
        let peer = listener.accepted()
        defer { close(peer) }
        #expect(heard(stream, at: now).packets == [])

        let bytes = Recording.of(reportsAt: [0, 10])
        #expect(Listener.write(Array(bytes.dropLast(5)), to: peer))
        #expect(heard(stream, at: now).packets == [Recording.report])
        #expect(Listener.write(Array(bytes.suffix(5)), to: peer))
        let rest = heard(stream, at: now + .milliseconds(700))
        #expect(rest.packets == [Recording.report])
        #expect(rest.events == [])
    }

    @Test func `when the peer goes away it is connected to again`() throws {
        let listener = try #require(Listener())
        let stream = try BTSnoopStream(path: listener.path)
        _ = stream.tick(now: now)
        let first = listener.accepted()
        #expect(Listener.write(Recording.of(reportsAt: [0]) + [0], to: first))
        close(first)
        let lost = heard(stream, at: now)
        #expect(lost.packets == [Recording.report])
        let reason = "closed by its peer, cut off in what begins at byte 55; again in 250 ms"
        #expect(lost.events == [.note("\(listener.path): \(reason)"), .adapter(.absent)])
        #expect(stream.descriptors == [])
        #expect(stream.tick(now: now + .milliseconds(249)) == [])
        #expect(stream.tick(now: now + .milliseconds(250)) == [.adapter(.up)])
        let second = listener.accepted()
        defer { close(second) }
        #expect(Listener.write(Recording.of(reportsAt: [0]), to: second))
        #expect(heard(stream, at: now).packets == [Recording.report])
    }

    @Test func `while nobody listens the wait doubles up to five seconds`() throws {
        let stream = try BTSnoopStream(path: Listener.freshPath())
        var moment = now
        var waits: [Int64] = []
        var states = 0
        for _ in 0..<7 {
            let events = stream.tick(now: moment)
            states += events.filter { $0 == .adapter(.absent) }.count
            let deadline = try #require(stream.deadline)
            waits.append((deadline - moment).milliseconds)
            moment = deadline
        }
        #expect(waits == [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
        #expect(states == 1)
    }

    @Test func `only a packet, not a connection, makes the wait short again`() throws {
        let listener = try #require(Listener())
        let stream = try BTSnoopStream(path: listener.path)
        var waits: [Int64] = []
        for bytes in [[], [], Recording.of(reportsAt: [0])] as [[UInt8]] {
            _ = stream.tick(now: stream.deadline ?? now)
            let peer = listener.accepted()
            #expect(Listener.write(bytes, to: peer))
            close(peer)
            _ = heard(stream, at: now)
            waits.append((try #require(stream.deadline) - now).milliseconds)
        }
        #expect(waits == [250, 500, 250])
    }

    @Test func `what is not btsnoop ends the connection`() throws {
        let listener = try #require(Listener())
        let stream = try BTSnoopStream(path: listener.path)
        _ = stream.tick(now: now)
        let peer = listener.accepted()
        defer { close(peer) }
        #expect(Listener.write(Array("GET / HTTP/1.1\r\n".utf8), to: peer))
        let lost = heard(stream, at: now)
        #expect(lost.packets == [])
        #expect(lost.events.last == .adapter(.absent))
        #expect(stream.deadline == now + .milliseconds(250))
    }

    @Test func `after stopping nothing is tried again`() throws {
        let listener = try #require(Listener())
        let stream = try BTSnoopStream(path: listener.path)
        _ = stream.tick(now: now)
        stream.stop()
        #expect(stream.deadline == nil && stream.descriptors == [])
        #expect(stream.tick(now: now + .milliseconds(60_000)) == [])
    }

    @Test func `a path too long for a socket is refused`() {
        let path = "/" + String(repeating: "x", count: 107)
        #expect(throws: RadioError.pathTooLong(path: path, limit: 107)) {
            try BTSnoopStream(path: path)
        }
    }
}
