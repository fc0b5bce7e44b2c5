import Foundation
import Testing

@testable import Radio
@testable import SiteModel

/// A file is played with its own gaps, or at once, and says how it ended.
struct BTSnoopPlayerTests {
    /// Any moment of the node's clock.
    let now = Timestamp(milliseconds: 5_000)

    /// When each packet was heard, relative to `now`, and what was told.
    private func play(
        _ player: BTSnoopPlayer, at milliseconds: Int64
    ) -> (heard: [Int64], events: [RadioEvent]) {
        var heard: [Int64] = []
        let events = player.ready(now: now + .milliseconds(milliseconds)) { packet, at in
            #expect(packet.array == Recording.report)
            heard.append((at - now).milliseconds)
        }
        return (heard, events)
    }

    @Test func `in real time each packet waits for its gap`() throws {
        try Recording.withFile(Recording.of(reportsAt: [0, 100, 100, 350])) { path in
            let player = try BTSnoopPlayer(path: path, pace: .realtime)
            #expect(try #require(player.deadline) <= now)
            let first = play(player, at: 0)
            #expect(first.heard == [0])
            #expect(first.events == [.adapter(.up)])
            #expect(player.deadline == now + .milliseconds(100))
            #expect(play(player, at: 99).heard == [])
            #expect(play(player, at: 120).heard == [120, 120])
            #expect(player.deadline == now + .milliseconds(350))
            let last = play(player, at: 350)
            #expect(last.heard == [350])
            #expect(
                last.events == [
                    .note("\(path): played to its end, 4 packets"), .adapter(.ended),
                ])
            #expect(player.deadline == nil)
            #expect(play(player, at: 360).events == [])
        }
    }

    @Test func `time that goes backwards in the recording is no gap`() throws {
        try Recording.withFile(Recording.of(reportsAt: [1_000, 0, 50])) { path in
            let player = try BTSnoopPlayer(path: path, pace: .realtime)
            #expect(play(player, at: 0).heard == [0, 0])
            #expect(player.deadline == now + .milliseconds(50))
        }
    }

    @Test func `at the fast pace all comes at once, in batches`() throws {
        let times = (0..<1_000).map { Int64($0) * 60_000 }
        try Recording.withFile(Recording.of(reportsAt: times)) { path in
            let player = try BTSnoopPlayer(path: path, pace: .fast)
            let first = play(player, at: 0)
            #expect(first.heard.count == 512)
            #expect(try #require(player.deadline) <= now)
            let second = play(player, at: 1)
            #expect(second.heard.count == 488)
            #expect(second.events.last == .adapter(.ended))
        }
    }

    @Test func `a file cut off plays what is whole and names the place`() throws {
        let whole = Recording.of(reportsAt: [0, 0])
        try Recording.withFile(Array(whole.dropLast())) { path in
            let player = try BTSnoopPlayer(path: path, pace: .realtime)
            let (heard, events) = play(player, at: 0)
            #expect(heard == [0])
            let place = 16 + 24 + Recording.report.count
            let reason = "\(path): cut off in what begins at byte \(place), after 1 packets"
            #expect(events == [.adapter(.up), .note(reason), .adapter(.ended)])
        }
    }

    @Test func `a file that is not there, or a directory, is told`() throws {
        let missing = "/nonexistent/recording.btsnoop"
        #expect(
            throws: RadioError.cannotOpen(path: missing, reason: "No such file or directory")
        ) {
            try BTSnoopPlayer(path: missing, pace: .fast)
        }
        let directory = FileManager.default.temporaryDirectory.path
        let player = try BTSnoopPlayer(path: directory, pace: .fast)
        #expect(play(player, at: 0).events.last == .adapter(.ended))
    }
}
