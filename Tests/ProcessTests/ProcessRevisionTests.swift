@testable import SiteModel
@testable import Wire
import Testing

/// Names and people change all day: nodes and those who are there notice nothing of it.
@Suite(.ownThread) struct ProcessRevisionTests {
    /// Runs a verb that changes a row, and waits for its revision.
    private func change(_ site: RunningSite, _ arguments: [String]) throws {
        let done = try site.run("beaconmesh", arguments + ["--database", site.database])
        #expect(done.status == 0, "\(arguments): \(done.errors)")
    }

    @Test func `names and people configure no node, cut no minute and put nobody in doubt`() throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50], "n-row": [1: -50]]
        try site.wait("both are at their stations") {
            site.presence(0)?.station == "press" && site.presence(1)?.station == "row"
        }
        try site.wait("the nodes have their configuration") {
            ["n-press", "n-row"].allSatisfy {
                site.watcher.latest[site.topics[.nodeConfigurationActive, $0]] != nil
            }
        }
        let configured = site.now.milliseconds
        let (told, kept) = (
            site.configurations, try site.configurationFiles(of: "n-press")
        )
        let start = site.watcher.messages.count
        let since = [0, 1].map { site.presence($0)?.sinceMs }

        try change(site, ["station", "change", "press", "name=Leg press"])
        try change(site, ["room", "change", "hall", "name=The great hall"])
        try change(site, ["user", "add", "u-new", "name=Nobody's tag"])
        let info = site.topics[.stationInfo, "press"]
        try site.wait("the name is told", within: 5) {
            site.latest(info, as: StationInfoPayload.self)?.name == "Leg press"
        }
        try site.wait("the person is known", within: 5) {
            site.watcher.latest[site.topics[.presence, "u-new"]] != nil
        }
        #expect(site.configurations == told)
        #expect(try site.configurationFiles(of: "n-press") == kept)

        // A tag is news to nodes, which must know it; whoever is there stays where they are.
        try change(
            site,
            ["beacon", "add", "b-new", "identity=mac-c00000000099", "user=u-new"])
        try site.wait("the nodes know the tag", within: 5) {
            site.configurations.count >= told.count + 4
        }
        let decided = site.now.milliseconds
        try site.wait("the minute under way ends", within: 75) {
            site.evidence(of: "n-press").contains { $0.toMs > decided }
        }
        let cuts = site.evidence(of: "n-press")
            .filter { $0.toMs > configured && $0.toMs % 60_000 != 0 }
        #expect(cuts.count <= 1, "only the new tag ends a minute: \(cuts)")
        for person in [0, 1] {
            let topic = site.topics[.presence, site.people[person].slug]
            let states = site.watcher.messages[start...].filter { $0.topic == topic }
                .compactMap { try? PresencePayload(json: $0.payload.span) }
            #expect(
                states.allSatisfy {
                    $0.state == .present && $0.sinceMs == since[person] && $0.confidence > 0.8
                }, "\(states)")
        }
        #expect(site.coordinator?.isRunning == true, "\(site.coordinator?.errors ?? "")")
    }
}
