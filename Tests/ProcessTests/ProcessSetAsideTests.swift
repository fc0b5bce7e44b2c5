import Foundation
import GRDB
import Testing

@testable import CoordinatorService
@testable import SiteModel
@testable import Wire

/// A database that refuses what follows from one person: everybody else's attendance goes on.
@Suite(.ownThread) struct ProcessSetAsideTests {
    /// The users of whom something is set aside, as the coordinator's health tells.
    private func setAside(_ site: RunningSite) -> [String] {
        let health: CoreHealthPayload? = site.watcher.messages.last {
            $0.topic.hasPrefix("mesh/v1/core/") && $0.topic.hasSuffix("/health")
        }.flatMap { try? CoreHealthPayload(json: $0.payload.span) }
        return (health?.alerts ?? []).filter { $0.id == "set-aside" }.compactMap(\.user)
    }

    private func execute(_ sql: String, _ site: RunningSite) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: site.database, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func attendance(_ site: RunningSite, _ arguments: [String]) throws -> RunningProgram {
        try site.run(
            "beaconmesh",
            ["attendance"] + arguments + ["--reason", "x", "--database", site.database])
    }

    /// A fault that the rules of attendance do not have today, made by a trigger: sessions that end by a
    /// correction are refused.
    private let fault = """
        CREATE TRIGGER fault BEFORE UPDATE ON attendance_session WHEN NEW.out_cause = 'corrected'
        BEGIN SELECT RAISE(ABORT, 'a fault of this release'); END
        """

    @Test func `a correction that the database refuses is set aside, and all others go on`() throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let slug = site.people[0].slug
        let began = site.now - .seconds(7200)
        try site.ask(.checkIn, user: 0, at: began)
        try execute(fault, site)
        let session = try #require(site.attendance(0)?.session)
        let end = Date(timeIntervalSince1970: Double((began.milliseconds + 3_600_000) / 1000))
        let asked = try attendance(
            site, ["correct", "\(session)", "--to", end.formatted(.iso8601)])
        #expect(asked.status == 0, "\(asked.errors)")
        _ = try attendance(site, ["approve", "1"])
        try site.wait("an alert names whom it is about") { setAside(site) == [slug] }
        try site.wait("the machines started again twice") {
            site.coordinator?.errors.components(separatedBy: "restored from the database").count
                == 3
        }
        #expect(try site.ask(.checkOut, user: 1).outcome.code == "not_in")
        _ = try site.ask(.checkIn, user: 1)
        try site.wait("others come in") { site.attendance(1)?.state == .checkedIn }
        #expect(site.attendance(0)?.state == .checkedIn, "the session stands as it was")

        // A start meets it again, and goes on.
        _ = try site.terminate(site.coordinator)
        try site.watchAgain()
        try site.startCoordinator()
        try site.wait("the alert is told again") { setAside(site) == [slug] }
        try site.wait("the machines started again twice") {
            site.coordinator?.errors.components(separatedBy: "restored from the database").count
                == 3
        }
        _ = try site.ask(.checkOut, user: 1)
        let doctor = try site.run(
            "beaconmesh", ["doctor", "--config", site.file("coordinator.yaml")])
        #expect(doctor.output.contains("set aside"), "\(doctor.output)\(doctor.errors)")
        #expect(doctor.output.contains("corrections 1"), "\(doctor.output)")

        // The next release has no such fault.
        try execute("DROP TRIGGER fault", site)
        let retried = try attendance(site, ["retry"])
        #expect(retried.output.contains("corrections 1"), "\(retried.output)\(retried.errors)")
        try site.wait("it is carried out") { site.attendance(0)?.state == .checkedOut }
        try site.wait("the alert is over") { setAside(site).isEmpty }
        #expect(site.coordinator?.isRunning == true)
    }

    @Test func `a correction that is set aside may still be refused`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let began = site.now - .seconds(7200)
        try site.ask(.checkIn, user: 0, at: began)
        try execute(fault, site)
        let session = try #require(site.attendance(0)?.session)
        let end = Date(timeIntervalSince1970: Double((began.milliseconds + 3_600_000) / 1000))
        _ = try attendance(site, ["correct", "\(session)", "--to", end.formatted(.iso8601)])
        _ = try attendance(site, ["approve", "1"])
        try site.wait("it is set aside") { !setAside(site).isEmpty }
        let refused = try attendance(site, ["refuse", "1"])
        #expect(refused.status == 0, "\(refused.errors)")
        try site.wait("nothing is set aside any more") { setAside(site).isEmpty }
        #expect(try site.rows("SELECT state FROM correction") == ["refused"])
        #expect(try site.ask(.checkOut, user: 0).outcome.code == nil)
    }

    @Test func `somebody whose sessions the database refuses is left out, and all others go on`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let slug = site.people[0].slug
        try execute(
            """
            CREATE TRIGGER fault BEFORE INSERT ON attendance_session
            WHEN NEW.user = (SELECT id FROM user WHERE slug = '\(slug)')
            BEGIN SELECT RAISE(ABORT, 'a fault of this release'); END
            """, site)
        try site.startNodes()
        site.air = ["n-press": [0: -50, 1: -50]]
        try site.wait("an alert names whom it is about") { setAside(site) == [slug] }
        try site.wait("the other comes in") { site.attendance(1)?.state == .checkedIn }
        #expect(try site.ask(.checkIn, user: 0).outcome.code == "unavailable")
        try execute("DROP TRIGGER fault", site)
        _ = try attendance(site, ["retry"])
        try site.wait("they are in, too") { site.attendance(0)?.state == .checkedIn }
        #expect(site.coordinator?.isRunning == true)
    }
}

extension ResponsePayload.Outcome {
    /// The code of a refusal, or `nil`.
    fileprivate var code: String? {
        if case .error(let code, _) = self { code } else { nil }
    }
}
