import Testing

@testable import Positioning
@testable import SiteModel

/// How often a decided place changed, and how often it only flapped.
struct PlaceChangesTests {
    var changes = PlaceChanges(plan: MeshSite.plan())
    let hall = Place(room: MeshSite.hall, station: nil)
    let bench = Place(room: MeshSite.hall, station: MeshSite.bench)
    let yard = Place(room: MeshSite.yard, station: nil)

    @Test mutating func `staying, coming and falling silent are no changes`() {
        for (second, place) in [hall, hall, nil, hall, nil, nil, hall].enumerated() {
            changes.saw(user: 0, at: place, moment(Double(second)))
        }
        #expect(changes.total == ChangeCounts())
        changes.saw(user: 0, at: nil, moment(8))
        changes.saw(user: 0, at: yard, moment(9))
        #expect(changes.total == ChangeCounts(changes: 1))
    }

    @Test mutating func `a change back within a minute is a flap`() {
        changes.saw(user: 0, at: hall, moment(0))
        changes.saw(user: 0, at: bench, moment(100))
        changes.saw(user: 0, at: hall, moment(160))
        #expect(changes.total == ChangeCounts(changes: 2, flaps: 1))
        changes.saw(user: 0, at: bench, moment(221))
        #expect(changes.total == ChangeCounts(changes: 3, flaps: 1))
        changes.saw(user: 0, at: yard, moment(222))
        #expect(changes.total == ChangeCounts(changes: 4, flaps: 1))
    }

    @Test mutating func `each user counts for themselves, and an hour is forgotten`() {
        changes.saw(user: 0, at: hall, moment(0))
        changes.saw(user: 1, at: hall, moment(0))
        for second in 1...300 {
            changes.saw(user: 0, at: second % 2 == 0 ? hall : bench, moment(Double(second)))
        }
        let all = ChangeCounts(changes: 300, flaps: 299)
        #expect(changes.lastHour(of: 0, at: moment(300)) == all)
        #expect(changes.lastHour(of: 1, at: moment(300)) == ChangeCounts())
        let later = changes.lastHour(of: 0, at: moment(3700))
        #expect((1..<300).contains(later.changes))
        #expect(changes.lastHour(of: 0, at: moment(7200)) == ChangeCounts())
        #expect(changes.total == all)
    }

    @Test mutating func `a new plan keeps the counts of those who stay`() {
        changes.saw(user: 2, at: hall, moment(0))
        changes.saw(user: 2, at: yard, moment(1))
        var plan = MeshSite.plan()
        plan.users.removeFirst()
        let kept = PlaceChanges(plan: plan, keeping: changes)
        #expect(kept.total == changes.total)
        #expect(kept.lastHour(of: 1, at: moment(2)) == ChangeCounts(changes: 1))
        #expect(kept.lastHour(of: 0, at: moment(2)) == ChangeCounts())
    }
}
