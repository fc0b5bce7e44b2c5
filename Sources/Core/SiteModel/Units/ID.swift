/// The row number of something in a site's database. Slugs and names exist only on the wire.
///
/// Its members are `@inlinable`, equality and hash written out: in other targets the compiler specialises
/// only what it can see, and a message compares some hundreds of them.
@usableFromInline package struct ID<Of>: Hashable, Comparable, Sendable, Codable {
    /// The row number, from 1.
    @usableFromInline package let row: Int64

    /// The thing with row number `row`.
    @inlinable package init(_ row: Int64) { self.row = row }

    /// Lower row first: the one order in which decisions are taken.
    @inlinable package static func < (a: ID, b: ID) -> Bool { a.row < b.row }

    @inlinable package static func == (a: ID, b: ID) -> Bool { a.row == b.row }

    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(row) }

    /// Reads a row number.
    @usableFromInline package init(from decoder: any Decoder) throws {
        row = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the row number.
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(row)
    }
}

/// The row of a user.
package typealias UserID = ID<User>
/// The row of a site.
package typealias SiteID = ID<Plan>
/// The row of a room.
package typealias RoomID = ID<Room>
/// The row of a station.
package typealias StationID = ID<Station>
/// The row of a scanner node.
package typealias NodeID = ID<Node>
/// The row of a registered beacon.
package typealias BeaconID = ID<Beacon>

/// The version of the decisions: a recording replays to the same digest under the same one.
package enum CoreVersion {
    /// As in `--version`, node status and recordings.
    package static let text = "0.1.0"
}
