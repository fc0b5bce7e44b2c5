/// The row number of something in a site's database. Slugs and names exist only on the wire.
public struct ID<Of>: Hashable, Comparable, Sendable, Codable {
    /// The row number, from 1.
    public let row: Int64

    /// The thing with row number `row`.
    public init(_ row: Int64) { self.row = row }

    /// Lower row first: the one order in which decisions are taken.
    public static func < (a: ID, b: ID) -> Bool { a.row < b.row }

    /// Reads a row number.
    public init(from decoder: any Decoder) throws {
        row = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the row number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(row)
    }
}

/// The row of a user.
public typealias UserID = ID<User>
/// The row of a site.
public typealias SiteID = ID<Plan>
/// The row of a room.
public typealias RoomID = ID<Room>
/// The row of a station.
public typealias StationID = ID<Station>
/// The row of a scanner node.
public typealias NodeID = ID<Node>
/// The row of a registered beacon.
public typealias BeaconID = ID<Beacon>
