/// The configuration of a site at one revision. It never changes; a new one replaces it. What people
/// decide about attendance is no part of it; see `Overrides`.
///
/// Lists are sorted by row, so that going through them is the same in every run.
package struct Plan: Equatable, Sendable, Codable {
    /// Grows by one with each applied change.
    package var revision: Int64
    package var site: SiteID
    /// The rooms of the site.
    package var rooms: [Room]
    /// The stations, each in one room.
    package var stations: [Station]
    /// The scanner nodes, each at a station, in a room, or carried by a user.
    package var nodes: [Node]
    /// The people.
    package var users: [User]
    /// The registered beacons.
    package var beacons: [Beacon]
    /// What the beacons stand for, and when.
    package var bindings: [Binding]
    /// How the machines decide.
    package var policy: Policy
    /// What was learned of its places, or `nil` if nothing was.
    package var model: PlaceModel?

    /// A plan; the lists are sorted here.
    package init(
        revision: Int64, site: SiteID, rooms: [Room], stations: [Station], nodes: [Node],
        users: [User], beacons: [Beacon], bindings: [Binding], policy: Policy,
        model: PlaceModel? = nil
    ) {
        self.revision = revision
        self.site = site
        self.rooms = rooms.sorted { $0.id < $1.id }
        self.stations = stations.sorted { $0.id < $1.id }
        self.nodes = nodes.sorted { $0.id < $1.id }
        self.users = users.sorted { $0.id < $1.id }
        self.beacons = beacons.sorted { $0.id < $1.id }
        self.bindings = bindings.sorted { ($0.beacon, $0.from) < ($1.beacon, $1.from) }
        self.policy = policy
        self.model = model
    }
}
