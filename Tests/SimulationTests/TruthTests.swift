import Testing

@testable import Simulation
@testable import SiteModel

/// What the site says, against where the simulated people really are.
@Suite struct TruthTests {
    /// How long a person must have stood still before the answer has to be right.
    static let settling = 20

    @Test(arguments: UInt64(1)...5)
    func `people are found where they have been for a while`(seed: UInt64) throws {
        var site = try SimulatedSite(seed: seed, faults: Faults())
        defer { site.cleanUp() }
        var still = Array(repeating: 0, count: SimulatedSite.people)
        var last: [World.Whereabouts?] = Array(repeating: nil, count: SimulatedSite.people)
        var (asked, rooms, stations, named, wrong) = (0, 0, 0, 0, 0)
        for _ in 0..<240 {
            try site.run(seconds: 1)
            let presences = site.pipeline.mesh.live.presences
            for person in 0..<SimulatedSite.people {
                let truth = site.truth(person)
                still[person] = truth == last[person] ? still[person] + 1 : 0
                last[person] = truth
                guard let truth, still[person] >= Self.settling else { continue }
                let said = presences[person]
                asked += 1
                if said.room == site.plan.rooms[truth.room].id { rooms += 1 }
                let station = truth.station.map { site.plan.stations[$0].id }
                if said.place?.station == station { stations += 1 }
                // A station with less than one half is decided for, and not named.
                if said.station == station { named += 1 }
                if said.station != nil, said.station != station { wrong += 1 }
            }
        }
        // Most people train or rest at any time, so the question is asked often.
        #expect(asked > 300, "seed \(seed)")
        #expect(Double(rooms) >= 0.97 * Double(asked), "seed \(seed): \(rooms) of \(asked)")
        #expect(Double(stations) >= 0.9 * Double(asked), "seed \(seed): \(stations) of \(asked)")
        #expect(Double(named) >= 0.85 * Double(asked), "seed \(seed): \(named) of \(asked)")
        #expect(Double(wrong) <= 0.01 * Double(asked), "seed \(seed): \(wrong) of \(asked)")
    }

    @Test func `a session begins at the first heard second and ends at the last`() throws {
        // Nobody says when they come and go: this is about what is heard.
        var scale = SimulatedSite.Scale()
        scale.isBusy = false
        var site = try SimulatedSite(seed: 3, faults: Faults(), scale: scale)
        defer { site.cleanUp() }
        // When each person was on the air, with breaks shorter than the 20 s of `leave_s` bridged.
        var visits = Array(
            repeating: IntervalSet(joining: .seconds(20)), count: SimulatedSite.people)
        for _ in 0..<1500 {
            let before = site.now
            try site.run(seconds: 1)
            for person in 0..<SimulatedSite.people where site.truth(person) != nil {
                visits[person].insert(Interval(from: before, to: site.now))
            }
        }
        var compared = 0
        for person in 0..<SimulatedSite.people {
            let user = site.plan.users[person].id
            let sessions = site.pipeline.mesh.saved.sessions.filter { $0.user == user }
            for session in sessions {
                guard let to = session.to else { continue }
                let visit = visits[person].intervals.first {
                    $0.from <= session.from + .seconds(5) && session.from <= $0.to
                }
                guard let visit else {
                    Issue.record("\(session) has no visit")
                    continue
                }
                compared += 1
                #expect(abs((session.from - visit.from).seconds) <= 5, "\(session) \(visit)")
                #expect(abs((to - visit.to).seconds) <= 5, "\(session) \(visit)")
            }
        }
        #expect(compared >= 3)
    }
}
