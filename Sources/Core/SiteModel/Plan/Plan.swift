import Basics

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
    /// What people train there, in the order of their rows.
    package var exercises: [Exercise]
    /// What was learned of its places, or `nil` if nothing was.
    package var model: PlaceModel?

    /// A plan; the lists are sorted here.
    package init(
        revision: Int64, site: SiteID, rooms: [Room], stations: [Station], nodes: [Node],
        users: [User], beacons: [Beacon], bindings: [Binding], policy: Policy,
        exercises: [Exercise] = [], model: PlaceModel? = nil
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
        self.exercises = exercises
        self.model = model
    }
}

/// Where the rows of a list stand in it. Made once a plan and asked for every message: what an answer
/// costs does not depend on how long the list is.
///
/// Rows of a registry are given one after the other, so that a table by row is small. Where they are
/// spread wide, as nobody's database has them, they are searched by halves.
package struct RowIndex<Of>: Equatable, Sendable {
    /// The lowest row of the table.
    @usableFromInline let first: Int64
    /// By row from `first` on: where it stands, −1 for nowhere.
    @usableFromInline let table: [Int32]
    /// Rows spread wide, sorted, and where each of them stands. Numbers, not ids: a list of a generic
    /// type would be looked up at run time for each question.
    @usableFromInline let rows: [Int64]
    @usableFromInline let places: [Int32]

    /// The index of a list, in any order. Of a row that stands there twice, the first place counts.
    @inlinable @inline(__always) package init(_ list: [ID<Of>]) {
        self.init(numbers: list.map { $0.row })
    }

    /// Numbers, as those of a generic type would be looked up at run time, each by itself.
    @usableFromInline init(numbers list: [Int64]) {
        precondition(list.count <= Int(Int32.max), "a list of \(list.count) rows")
        let low = list.min() ?? 0
        let (width, isHuge) = (list.max() ?? -1).subtractingReportingOverflow(low)
        guard isHuge || width > 64 + 8 * Int64(list.count) else {
            var table = [Int32](repeating: -1, count: Int(width) + 1)
            for place in list.indices.reversed() {
                table[Int(list[place] - low)] = Int32(place)
            }
            (first, self.table, rows, places) = (low, table, [], [])
            return
        }
        let order = list.indices.sorted { (list[$0], $0) < (list[$1], $1) }
        (first, table) = (0, [])
        rows = order.map { list[$0] }
        places = order.map { Int32($0) }
    }

    /// Where a row stands in the list, or `nil` if it does not.
    @inlinable package subscript(_ id: ID<Of>) -> Int? {
        let (offset, isFar) = id.row.subtractingReportingOverflow(first)
        guard !isFar, offset >= 0, offset < Int64(table.count) else { return search(id.row) }
        let place = table[Int(offset)]
        return place < 0 ? nil : Int(place)
    }

    /// Where a row that the table does not hold stands among those spread wide.
    @usableFromInline func search(_ row: Int64) -> Int? {
        let index = rows.partitioningIndex { $0 >= row }
        return index < rows.count && rows[index] == row ? Int(places[index]) : nil
    }
}

/// Where everything of a plan stands in its lists.
package struct PlanIndex: Sendable {
    package let nodes: RowIndex<Node>
    package let users: RowIndex<User>
    package let beacons: RowIndex<Beacon>
    package let stations: RowIndex<Station>
    private let roomOfStation: [RoomID]

    package init(plan: Plan) {
        nodes = RowIndex(plan.nodes.map(\.id))
        users = RowIndex(plan.users.map(\.id))
        beacons = RowIndex(plan.beacons.map(\.id))
        stations = RowIndex(plan.stations.map(\.id))
        roomOfStation = plan.stations.map(\.room)
    }

    /// The room a station stands in.
    package func room(of station: StationID) -> RoomID? {
        stations[station].map { roomOfStation[$0] }
    }
}

extension KeyedDecodingContainer {
    /// A plan that was recorded before exercises were part of it has none.
    func decode(_ type: [Exercise].Type, forKey key: Key) throws -> [Exercise] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}
