import GRDB
import SiteModel

/// Why places were decided.
package struct ReasonsTable: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// So many changes of place are kept, and each user's newest beyond that.
    package static let reasonsKept = 100_000

    /// Why a user was decided to be elsewhere: the newest so many times, newest first; with
    /// `moment`, those decided by then.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func reasons(
        of user: UserID, until moment: Timestamp? = nil, newest count: Int
    ) throws(StoreError) -> [Reasons] {
        try store.read { db in
            try Reasons.fetchAll(
                db,
                sql: """
                    SELECT * FROM reasons WHERE user = ? AND at_ms <= ?
                    ORDER BY at_ms DESC LIMIT ?
                    """, arguments: [user, moment?.milliseconds ?? .max, count])
        }
    }

    /// Later rows have later times: what a clock that ran ahead has told is replaced.
    static func put(_ reasons: Reasons, into db: Database) throws {
        try db.run(
            "DELETE FROM reasons WHERE user = ? AND at_ms >= ?", [reasons.user, reasons.at])
        try reasons.save(db)
        // What `Saved` keeps, the newest of each user, stays whatever their number.
        try db.run(
            """
            DELETE FROM reasons WHERE id <= (SELECT max(id) FROM reasons) - ? AND EXISTS (
                SELECT 1 FROM reasons AS later
                WHERE later.user = reasons.user AND later.at_ms > reasons.at_ms)
            """,
            [reasonsKept])
    }
}

extension Reasons: StoredRow, FetchableRecord {
    package static let table = "reasons"

    package var columns: Columns {
        get throws {
            [
                "user": user,
                "at_ms": at,
                "rule": rule.rawValue,
                "from_room": from?.room,
                "from_station": from?.station,
                "to_room": to?.room,
                "to_station": to?.station,
                "probability": probability,
                "detail": try JSONText.text(of: ReasonsDetail(self)),
            ]
        }
    }

    package init(row: Row) throws {
        let detail: ReasonsDetail = try Self.json(row, "detail")
        self.init(
            user: row["user"], at: row["at_ms"], rule: try Self.choice(row, "rule"),
            from: Self.place(row["from_room"], row["from_station"]),
            to: Self.place(row["to_room"], row["to_station"]), runnerUp: detail.runnerUp,
            prior: detail.prior, runnerUpPrior: detail.runner_up_prior,
            probability: row["probability"], runnerUpProbability: detail.runner_up_probability,
            spotWeight: detail.spot_weight, model: detail.model,
            readings: detail.readings.map(\.value))
    }

    private static func place(_ room: RoomID?, _ station: StationID?) -> Place? {
        room.map { Place(room: $0, station: station) }
    }
}

/// What a row of `reasons` says beside its columns, as JSON. Readings are rows of nine values, some
/// 45 bytes each: `["node", node, beacon, level or null, age in ms, expected or null, support,
/// against, expected at the runner-up or null]`, and for what a user's own node heard `["beacon",
/// beacon, node, …]`. Rows of older releases end before the ninth.
struct ReasonsDetail: Codable {
    var prior: Double
    var runner_up: [Int64?]?
    var runner_up_prior: Double
    var runner_up_probability: Double
    var spot_weight: Double
    var model: Int64?
    var readings: [Reading]

    init(_ reasons: Reasons) {
        prior = reasons.prior
        runner_up = reasons.runnerUp.map { [$0.room.row, $0.station?.row] }
        runner_up_prior = reasons.runnerUpPrior
        runner_up_probability = reasons.runnerUpProbability
        spot_weight = reasons.spotWeight
        model = reasons.model
        readings = reasons.readings.map { Reading(value: $0) }
    }

    /// The place that came next, or `nil` if there was none.
    var runnerUp: Place? {
        guard let places = runner_up, let room = places.first ?? nil else { return nil }
        let station = places.count > 1 ? places[1] : nil
        return Place(room: RoomID(room), station: station.map { StationID($0) })
    }

    struct Reading: Codable {
        var value: Reasons.Reading

        init(value: Reasons.Reading) { self.value = value }

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            let end = try row.decode(String.self)
            let number = try row.decode(Int64.self)
            value = Reasons.Reading(
                ear: end == "node" ? .node(NodeID(number)) : .beacon(BeaconID(number)),
                device: try row.decode(Int64.self),
                level: try row.decode(Double?.self).map { RSSI(dBm: $0) },
                age: .milliseconds(try row.decode(Int64.self)),
                expected: try row.decode(Double?.self), support: try row.decode(Double.self),
                against: try row.decode(Double.self))
            if !row.isAtEnd { value.expectedAtRunnerUp = try row.decode(Double?.self) }
        }

        func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            switch value.ear {
            case .node(let node):
                try row.encode("node")
                try row.encode(node.row)
            case .beacon(let beacon):
                try row.encode("beacon")
                try row.encode(beacon.row)
            }
            try row.encode(value.device)
            try row.encode(value.level?.dBm)
            try row.encode(value.age.milliseconds)
            try row.encode(value.expected)
            try row.encode(value.support)
            try row.encode(value.against)
            try row.encode(value.expectedAtRunnerUp)
        }
    }
}
