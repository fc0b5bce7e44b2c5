@testable import Simulation

/// The site file of the tests: two rooms, with a station and a node at it in each.
struct SiteText {
    /// Ids of rooms.
    var rooms = ["hall", "annex"]
    /// Stations and their rooms. `press` has one slot, all others two.
    var stations = [("press", "hall"), ("row", "annex")]
    /// Nodes and their stations.
    var nodes = [("n-press", "press"), ("n-row", "row")]
    /// Everybody has a tag.
    var people = Layout.people(count: 3, seed: 5)
    var zone = "UTC"
    /// `presence.site.leave_s`
    var leave = 30.0
    /// `attendance.merge_gap_s`: absences up to it are none.
    var mergeGap = 300.0

    var text: String {
        var lines = ["site: {id: gym, name: Gym, time_zone: \(zone)}", "rooms:"]
        lines += rooms.map { "  - {id: \($0), name: The \($0)}" }
        lines.append("stations:")
        lines += stations.map { station, room in
            "  - {id: \(station), room: \(room), slots: \(station == "press" ? 1 : 2)}"
        }
        lines.append("nodes:")
        lines += nodes.map { "  - {id: \($0), station: \($1)}" }
        lines.append("users:")
        lines += people.map { "  - {id: \($0.slug), name: \($0.name)}" }
        lines.append("beacons:")
        lines += people.map {
            "  - {id: \($0.beaconSlug), identity: \($0.identity.text), user: \($0.slug)}"
        }
        lines += [
            "presence:",
            "  site: {enter_s: 0.5, lost_s: 0.5, leave_s: \(leave)}",
            "  room: {enter_s: 0.5, lost_s: 0.5, leave_s: 1}",
            "  station: {enter_s: 0.5, lost_s: 0.5, leave_s: 1}",
            "attendance: {merge_gap_s: \(mergeGap)}",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
