@testable import SiteModel
@testable import Wire
import Foundation
import FoundationNetworking
import Testing

/// A correction and a lock in the middle of a day: nothing but the session changes.
@Suite(.ownThread) struct ProcessOverridesTests {
    @Test func `an approved correction cuts no minute, configures no node and restarts no page`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50]]
        try site.wait("they are in") { site.attendance(0)?.state == .checkedIn }
        let active = site.topics[.nodeConfigurationActive, "n-press"]
        try site.wait("the node has its configuration") { site.watcher.latest[active] != nil }
        // Where the machine is busy it comes some seconds after the start, and cuts the first minute.
        let configured = site.now.milliseconds
        let page = try PageStream(site)
        try site.wait("the page has everything") { page.count(of: "event: snapshot") == 1 }
        let before = site.configurations
        let kept = try site.configurationFiles(of: "n-press")

        let (from, to) = (site.now - .seconds(7200), site.now - .seconds(3600))
        try site.ask(.checkIn, user: 1, at: from)
        try site.ask(.checkOut, user: 1, at: to)
        let session = try #require(site.attendance(1)?.session)
        let begun = from - .seconds(600)
        let asked = try site.post(
            "corrections",
            """
            {"change":"times","session":\(session),"from_ms":\(begun.milliseconds),
            "to_ms":\(to.milliseconds),"reason":"tag forgotten"}
            """)
        #expect(asked.status == 200, "\(asked.json)")
        let approved = try site.post(
            "corrections/\(asked.json["id"] ?? 0)/decision", #"{"approve":true,"reason":"seen"}"#)
        #expect(approved.json["state"] as? String == "approved", "\(approved.json)")
        let stored = try site.rows(
            "SELECT check_in_ms, in_cause FROM v_session WHERE session_id = \(session)")
        #expect(
            stored == ["\(begun.milliseconds) corrected"], "whoever is answered finds it done")
        try site.wait("the page has it", within: 5) {
            page.count(of: "\"check_in_ms\":\(begun.milliseconds)") > 0
        }
        let lock = try site.run(
            "beaconmesh",
            [
                "attendance", "lock", "--through", "2025-12-31", "--force", "--reason", "paid",
                "--database", site.database,
            ])
        #expect(lock.status == 0, "\(lock.errors)")
        try site.wait("the machines know of the lock", within: 5) {
            try site.rows("SELECT json_extract(taken, '$.revision') FROM overrides") == ["2"]
        }

        let decided = site.now.milliseconds
        try site.wait("the minute under way ends", within: 75) {
            site.evidence(of: "n-press").contains { $0.toMs > decided }
        }
        let cut = site.evidence(of: "n-press").filter {
            $0.toMs > configured && $0.toMs % 60_000 != 0
        }
        #expect(cut == [], "every minute is a whole one but for its beginning")
        #expect(site.configurations == before)
        #expect(try site.configurationFiles(of: "n-press") == kept)
        #expect(page.count(of: "event: snapshot") == 1)
        #expect(site.coordinator?.errors.contains("is in force") == false)
    }
}

/// A page that is open: what its event stream has brought so far.
private final class PageStream: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Only touched with the lock held.
    private let lock = NSLock()
    private var text = ""
    private var session: URLSession?

    init(_ site: RunningSite) throws {
        super.init()
        try site.wait("the dashboard") { site.dashboard != nil }
        guard let url = URL(string: (site.dashboard ?? "") + "api/v1/stream") else {
            throw RunningProgram.Fault(description: "no dashboard")
        }
        let session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
        lock.withLock { self.session = session }
        session.dataTask(with: url).resume()
    }

    deinit { session?.invalidateAndCancel() }

    /// How often something was sent.
    func count(of part: String) -> Int {
        lock.withLock { text.components(separatedBy: part).count - 1 }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        lock.withLock { text += String(decoding: data, as: UTF8.self) }
    }
}
