import GRDB
import Positioning
import SiteModel
import SiteStore

/// What was learned of places: surveys, and models by revision.
package struct ModelTable: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The newest seconds of a place that are kept; older legs of it go when new ones come.
    package static let surveySecondsKept = 1_800
    /// Models that are kept beside the one in force.
    package static let replacedModelsKept = 32

    /// Stores the legs of one stand or walk. Returns its number.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    @discardableResult
    package func addSurvey(_ legs: [SurveyLeg]) throws(StoreError) -> Int64 {
        try store.write { db in
            let last = try Int64.fetchOne(db, sql: "SELECT max(stretch) FROM survey") ?? 0
            let known = try Int64.fetchOne(db, sql: "SELECT max(through) FROM model") ?? 0
            let stretch = max(last, known) + 1
            for leg in legs {
                try db.run(
                    """
                    INSERT INTO survey (stretch, room, station, source, carrier, at_ms, seconds,
                        ears, levels, corrections)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        stretch, leg.place.room.row, leg.place.station?.row, leg.source.rawValue,
                        leg.carrier.storable, leg.seconds[0].at.milliseconds, leg.seconds.count,
                        try JSONText.text(of: leg.ears),
                        Packed.bytes(of: leg.seconds, ears: leg.ears),
                        try leg.corrections.map { try JSONText.text(of: $0) },
                    ])
                try Self.trimSurvey(of: leg.place, db)
            }
            return stretch
        }
    }

    /// Every leg, in the order they were stored.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func survey() throws(StoreError) -> [SurveyLeg] {
        try store.read { db in try db.rows("SELECT * FROM survey ORDER BY stretch, id", as: leg) }
    }

    /// How many seconds are gathered of each place, by the slugs of room and station.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func gathered() throws(StoreError) -> [GatheredRow] {
        try store.read { db in
            try db.rows(
                """
                SELECT room.slug AS room, station.slug AS station, sum(seconds) AS seconds
                FROM survey JOIN room ON room.id = survey.room
                    LEFT JOIN station ON station.id = survey.station
                GROUP BY 1, 2 ORDER BY 1, 2
                """
            ) { GatheredRow(room: $0["room"], station: $0["station"], seconds: $0["seconds"]) }
        }
    }

    /// The place of a room's slug and, if it is one, a station's in it; `nil` if there is none such.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func place(room: String, station: String?) throws(StoreError) -> Place? {
        try store.read { db in
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM room WHERE slug = ?", arguments: [room])
            guard let row else { return nil }
            guard let station else { return Place(room: RoomID(row), station: nil) }
            let other = try Int64.fetchOne(
                db, sql: "SELECT id FROM station WHERE slug = ? AND room = ?",
                arguments: [station, row])
            return other.map { Place(room: RoomID(row), station: StationID($0)) }
        }
    }

    /// Drops what was gathered at a place. Returns how many seconds that was. The model in force
    /// stays until another is applied.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    @discardableResult
    package func forgetSurvey(of place: Place) throws(StoreError) -> Int {
        try store.write { db in
            try Self.dropSurvey(
                "room = ? AND station IS ?", [place.room.row, place.station?.row], db)
        }
    }

    /// Drops what was gathered since the model in force was learned: all there is if none is.
    /// Returns how many seconds that was.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    @discardableResult
    package func discardSurvey() throws(StoreError) -> Int {
        try store.write { db in
            let through =
                try Int64.fetchOne(db, sql: "SELECT through FROM model WHERE state = 'applied'")
            return try Self.dropSurvey("stretch > ?", [through ?? 0], db)
        }
    }

    /// The models, newest first.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func models() throws(StoreError) -> [ModelRow] {
        try store.read { db in
            try db.rows("SELECT * FROM model ORDER BY revision DESC") {
                ModelRow(
                    revision: $0["revision"], at: $0["at_ms"],
                    isApplied: $0["state"] == "applied", through: $0["through"],
                    seconds: $0["seconds"], places: $0["places"], accuracy: $0["accuracy"])
            }
        }
    }

    /// Puts a model in force, as a new revision of the site, which a running coordinator takes as it
    /// takes an import. Its own revision is given here and returned.
    ///
    /// `through`: the newest stretch it was learned from. `seconds`, `accuracy`: see `ModelRow`.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    @discardableResult
    package func apply(
        _ model: PlaceModel, through: Int64, seconds: Int, accuracy: Double?, at now: Timestamp
    ) throws(StoreError) -> Int64 {
        try store.write { db in
            var model = model
            let newest = try Int64.fetchOne(db, sql: "SELECT max(revision) FROM model") ?? 0
            model.revision = newest + 1
            let places = Set(model.spots.map(\.place)).count
            try db.run("UPDATE model SET state = 'replaced' WHERE state = 'applied'")
            try db.run(
                """
                INSERT INTO model (revision, at_ms, state, through, seconds, places, accuracy, model)
                VALUES (?, ?, 'applied', ?, ?, ?, ?, ?)
                """,
                [
                    model.revision, now.milliseconds, through, seconds, places, accuracy,
                    try JSONText.text(of: model),
                ])
            try db.run(
                """
                DELETE FROM model WHERE state = 'replaced' AND revision NOT IN (
                    SELECT revision FROM model WHERE state = 'replaced'
                    ORDER BY revision DESC LIMIT ?)
                """, [Self.replacedModelsKept])
            try Self.revise("model \(model.revision) applied: \(places) places", at: now, db)
            return model.revision
        }
    }

    /// Puts an older model in force again, or none for 0. Returns whether there is such a one; if it
    /// is in force already, nothing changes.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func rollBack(to revision: Int64, at now: Timestamp) throws(StoreError) -> Bool {
        try store.write { db in
            let applied =
                try Int64.fetchOne(db, sql: "SELECT revision FROM model WHERE state = 'applied'")
            if revision == applied ?? 0 { return true }
            if revision != 0 {
                let known =
                    try Int.fetchOne(
                        db, sql: "SELECT count(*) FROM model WHERE revision = ?",
                        arguments: [revision]) ?? 0
                guard known == 1 else { return false }
            }
            try db.run("UPDATE model SET state = 'replaced' WHERE state = 'applied'")
            try db.run("UPDATE model SET state = 'applied' WHERE revision = ?", [revision])
            let what = revision == 0 ? "no model" : "model \(revision)"
            try Self.revise("rolled back to \(what)", at: now, db)
            return true
        }
    }

    private func leg(_ row: Row) throws -> SurveyLeg {
        let place = Place(
            room: row["room"], station: row["station"])
        let ears = try JSONText.value([Ear].self, from: row["ears"])
        guard let source = SurveyLeg.Source(rawValue: row["source"]),
            let seconds = Packed.seconds(
                from: row["levels"], ears: ears, place: place, start: row["at_ms"]),
            !seconds.isEmpty
        else { throw StoreError.corrupt(path: store.path, detail: "bad survey") }
        let corrections = try (row["corrections"] as String?).map {
            try JSONText.value([Double].self, from: $0)
        }
        guard corrections?.count ?? ears.count == ears.count else {
            throw StoreError.corrupt(path: store.path, detail: "bad corrections of a survey")
        }
        return SurveyLeg(
            place: place, source: source, carrier: row["carrier"], ears: ears, seconds: seconds,
            corrections: corrections, stretch: row["stretch"])
    }

    /// The newest leg of a place stays, however long it is.
    private static func trimSurvey(of place: Place, _ db: Database) throws {
        try db.run(
            """
            DELETE FROM survey WHERE id IN (
                SELECT id FROM (
                    SELECT id, sum(seconds) OVER (ORDER BY id DESC) - seconds AS newer
                    FROM survey WHERE room = ? AND station IS ?)
                WHERE newer >= ?)
            """, [place.room.row, place.station?.row, surveySecondsKept])
    }

    private static func dropSurvey(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> Int {
        let seconds = try Int.fetchOne(
            db, sql: "SELECT sum(seconds) FROM survey WHERE \(condition)", arguments: arguments)
        try db.run("DELETE FROM survey WHERE \(condition)", arguments)
        return seconds ?? 0
    }

    /// A revision of the site that no document made.
    private static func revise(_ change: String, at now: Timestamp, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO revision (revision, at_ms, changes)
            SELECT revision + 1, ?, ? FROM site
            """, [now.milliseconds, change])
        try db.run("UPDATE site SET revision = revision + 1")
    }
}

/// Seconds on end in which somebody with a beacon was at one place: a stand, or a part of a walk.
package struct SurveyLeg: Equatable, Sendable, Codable {
    /// How it was made.
    package enum Source: String, Sendable, Codable {
        /// Somebody stood there.
        case stand
        /// Somebody walked by, and said where they were.
        case walk
        /// It was read from a file.
        case file = "import"
    }

    /// The number of the stand or walk, from 1 in the order they were stored.
    package var stretch: Int64
    package var place: Place
    /// How it was made.
    package var source: Source
    /// The slug of what was carried: a beacon, or a mobile node.
    package var carrier: String
    /// The ears that listened throughout, sorted.
    package var ears: [Ear]
    /// The seconds, at least one, in order; all of `place`, and heard by none but `ears`.
    package var seconds: [Survey.Second]
    /// By ear, what was then added to such levels before anybody was located by them, in dB; `nil` where
    /// nobody noted it. The seconds have the levels as they were heard.
    package var corrections: [Double]?

    /// A leg; `stretch` is given when it is stored.
    package init(
        place: Place, source: Source, carrier: String, ears: [Ear], seconds: [Survey.Second],
        corrections: [Double]? = nil, stretch: Int64 = 0
    ) {
        precondition(!seconds.isEmpty, "a leg without seconds")
        self.stretch = stretch
        self.place = place
        self.source = source
        self.carrier = carrier
        self.ears = ears
        self.seconds = seconds
        self.corrections = corrections
    }
}

/// What is gathered of a place, which is named by slugs.
package struct GatheredRow: Equatable, Sendable {
    package var room: String
    /// `nil`: the floor of the room, away from its stations.
    package var station: String?
    package var seconds: Int
}

/// What is known of a stored model beside its levels.
package struct ModelRow: Equatable, Sendable {
    /// Its revision, from 1.
    package var revision: Int64
    /// When it was learned.
    package var at: Timestamp
    /// Whether it is in force.
    package var isApplied: Bool
    /// It was learned from the stretches up to this one.
    package var through: Int64
    /// From how many seconds.
    package var seconds: Int
    /// How many places it knows.
    package var places: Int
    /// The share of held-back seconds it placed rightly, 0 ... 1, each place counting the same;
    /// `nil` if nothing could be held back.
    package var accuracy: Double?

    package init(
        revision: Int64, at: Timestamp, isApplied: Bool, through: Int64, seconds: Int, places: Int,
        accuracy: Double?
    ) {
        self.revision = revision
        self.at = at
        self.isApplied = isApplied
        self.through = through
        self.seconds = seconds
        self.places = places
        self.accuracy = accuracy
    }
}
