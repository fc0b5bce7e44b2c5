import Foundation
import Logging
import Records
import TestSupport
import Testing

@testable import CoordinatorService
@testable import Simulation
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// Nothing is lost while the broker is away, or with the newest part of the database: real node
/// cores, real outboxes, a real SQLite file, in simulated time.
@Suite struct OutageTests {
    /// A gym's own pace, tags that send every two seconds, nobody who asks for anything.
    private static let everyday = SimulatedSite.Scale(
        people: 10, pace: .everyday, interval: .seconds(2), step: .seconds(1), isBusy: false,
        megabytes: 2, policy: Policy())

    /// The sessions that follow from what the radios of all nodes heard, told or not: one line each.
    private func truth(_ site: SimulatedSite) -> [String] {
        var rooms: [(room: RoomID, seconds: IntervalSet)] = site.plan.rooms.map {
            ($0.id, IntervalSet(joining: Frame.joining))
        }
        var ledgers = site.plan.users.map { _ in Ledger() }
        for (node, place) in zip(site.nodes, site.plan.nodes) {
            for index in rooms.indices where rooms[index].room == place.room {
                for interval in node.listened.intervals { rooms[index].seconds.insert(interval) }
            }
            for (second, beacon) in node.hearings {
                let id = site.plan.beacons[beacon].id
                let user = site.plan.bindings.first { $0.beacon == id }?.user
                guard let index = site.plan.users.firstIndex(where: { $0.id == user }) else {
                    continue
                }
                _ = ledgers[index].add(second: second, room: place.room)
            }
        }
        let coverage = rooms.map { RoomTime(room: $0.room, seconds: $0.seconds) }
        return zip(site.plan.users, ledgers).flatMap { user, ledger in
            ledger.sessions(coverage: coverage, timing: site.plan.policy.site, now: site.now)
                .map { line(user.id, $0.from, $0.to) }
        }
    }

    private func stored(_ site: SimulatedSite) throws -> [String] {
        let saved = try #require(try site.store.load()?.saved)
        return saved.sessions.sorted { ($0.user, $0.from) < ($1.user, $1.from) }
            .map { line($0.user, $0.from, $0.to) }
    }

    private func line(_ user: UserID, _ from: Timestamp, _ to: Timestamp?) -> String {
        let start = SimulatedSite.start.second
        return "\(user.row): \(from.second - start)–\(to.map { "\($0.second - start)" } ?? "open")"
    }

    /// The disk of the database is slower than the last record: time for the rest.
    private func settle(_ site: inout SimulatedSite, seconds: Double) throws {
        try site.run(seconds: seconds)
        #expect(site.pipeline.isSettled)
        #expect(site.nodes.map(\.waiting) == site.nodes.map { _ in 0 })
    }

    @Test(arguments: TestLength.isLong ? Array(UInt64(1)...8) : [1])
    func `a day without a broker loses no session and no second`(seed: UInt64) throws {
        var site = try SimulatedSite(seed: seed, faults: Faults(), scale: Self.everyday)
        defer { site.cleanUp() }
        let day = 86_400.0
        site.brokerOutages = [
            Interval(
                from: SimulatedSite.start + .seconds(300),
                to: SimulatedSite.start + .seconds(300 + day))
        ]
        try site.run(seconds: 300 + day)
        let before = try stored(site)
        // At 50 records a second a day of a node takes half a minute, after up to five seconds.
        try settle(&site, seconds: 110)
        let truth = truth(site)
        #expect(truth.count > 1, "seed \(seed)")
        #expect(before != truth, "seed \(seed)")
        #expect(try stored(site) == truth, "seed \(seed)")
        #expect(site.pipeline.mesh.epoch == 1)
    }

    /// A card is taken out for a while, and put in again: the node's records go on to be acknowledged.
    @Test func `a node that goes back to an earlier card is acknowledged as before`() throws {
        var scale = Self.everyday
        (scale.people, scale.pace) = (3, .live)
        var site = try SimulatedSite(seed: 4, faults: Faults(), scale: scale)
        defer { site.cleanUp() }
        try site.run(seconds: 130)
        let first = site.change(
            card: try SimulatedNode.card(log: 0xB, megabytes: 1), of: 0)
        try site.run(seconds: 70)
        _ = site.change(card: first, of: 0)
        try settle(&site, seconds: 240)
        #expect(site.pipeline.mesh.epoch == 1)
        #expect(site.pipeline.alarm.raised(at: site.now) == [], "a swap is no second node")
        #expect(try stored(site) == truth(site))
    }

    /// How an old database comes into its place.
    enum Replacement: CaseIterable {
        /// By `beaconmesh restore`.
        case restored
        /// Somebody copied the file; the broker still retains what the newer one acknowledged.
        case copied
        /// Somebody copied the file, and the broker has forgotten.
        case copiedAndForgotten
        /// It was damaged, and a start took the newest backup, made while it was in use.
        case damaged
    }

    /// Damages the database and opens it as a coordinator does that may restore it.
    private func reopen(_ path: String, backups: String, at now: Timestamp) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 60_000))
        try file.close()
        let configuration = try CoordinatorConfiguration(
            text: """
                sites: [{id: gym, database: "\(path)", on_damage: restore, \
                backups: {folder: "\(backups)"}}]
                """, named: "coordinator.yaml")
        let lock = try DatabaseLock(of: path, by: "tests", at: now)
        let database = SiteDatabase(configuration.sites[0], logger: Logger(label: "tests"))
        try database.open(under: lock, at: now).close()
    }

    @Test(arguments: Replacement.allCases)
    func `a coordinator with yesterday's database loses no session and no second`(
        replacement: Replacement
    ) throws {
        // Frames are lost on the way, so that all there is comes from the outboxes.
        var faults = Faults()
        faults.loss = 1
        var scale = Self.everyday
        if !TestLength.isLong { (scale.people, scale.pace) = (3, .live) }
        var site = try SimulatedSite(seed: 2, faults: faults, scale: scale)
        defer { site.cleanUp() }
        try site.run(seconds: 600)
        let backups = site.path + "-backups"
        defer { _ = Result { try FileManager.default.removeItem(atPath: backups) } }
        let backup =
            replacement == .damaged
            ? try BackupFolder(of: site.path, at: backups).make(at: site.now).path
            : try site.backUp()
        try site.run(seconds: TestLength.isLong ? 86_400 : 3600)
        let newest = try stored(site)
        if replacement == .copiedAndForgotten { site.forgetRetained() }
        let moment = site.now
        try site.restart { path in
            if replacement == .restored {
                let lock = try DatabaseLock(of: path, by: "tests", at: moment)
                _ = try Restoration.restore(path, from: backup, under: lock)
            } else if replacement == .damaged {
                try reopen(path, backups: backups, at: moment)
            } else {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.copyItem(atPath: backup, toPath: path)
            }
        }
        #expect(try stored(site) != newest)
        // A node that is believed to be ahead is found out after five minutes.
        try settle(&site, seconds: replacement == .copiedAndForgotten ? 670 : 130)
        #expect(site.pipeline.mesh.epoch == 2)
        let truth = truth(site)
        #expect(truth.count > 1)
        #expect(try stored(site) == truth)
    }
}
