import Foundation
import GRDB
import Records
import SiteModel
import SiteStore

/// The pictures that lie under the plan, one a storey: they are looked at, and nobody is located by them.
package struct PlanPictures: Sendable {
    /// Where one lies.
    package struct Placed: Sendable {
        /// 0 is that of the entrance.
        package var storey: Int64
        /// Its upper left corner, in metres from the site's origin.
        package var x: Double
        package var y: Double
        /// How wide it is, in metres.
        package var width: Double
        /// Its pixels.
        package var pixels: (width: Int64, height: Int64)
        /// Another picture has another one: the sum of what PNG packed.
        package var version: String
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// All of them, by storey.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func all() throws(StoreError) -> [Placed] {
        try store.read { db in try Self.placed("TRUE", [], db) }
    }

    /// The PNG of a storey; `nil` if there is none.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func png(of storey: Int64) throws(StoreError) -> [UInt8]? {
        try store.read { db in
            try Row.fetchOne(
                db, sql: "SELECT png FROM plan_picture WHERE storey = ?", arguments: [storey]
            ).map { row in Array(row["png"] as Data) }
        }
    }

    /// Puts a picture in the place of the one before, or moves it, where `png` is `nil`. `nil` if there is none to move.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func put(
        _ png: [UInt8]?, of storey: Int64, x: Double, y: Double, width: Double, by asker: Asker
    ) throws(StoreError) -> Placed? {
        try store.write { db in
            let known = try Self.placed("storey = ?", [storey], db).first
            guard png != nil || known != nil else { return nil }
            if let png {
                try db.run(
                    """
                    INSERT INTO plan_picture (storey, x_m, y_m, width_m, png) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (storey) DO UPDATE SET x_m = excluded.x_m, y_m = excluded.y_m,
                        width_m = excluded.width_m, png = excluded.png
                    """, [storey, x, y, width, Data(png)])
            } else {
                try db.run(
                    "UPDATE plan_picture SET x_m = ?, y_m = ?, width_m = ? WHERE storey = ?",
                    [x, y, width, storey])
            }
            let placed = try Self.placed("storey = ?", [storey], db).first
            try Self.note(known == nil ? "add" : "change", storey, placed, by: asker, db)
            return placed
        }
    }

    /// Takes a picture away. `false` if there is none.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func remove(of storey: Int64, by asker: Asker) throws(StoreError) -> Bool {
        try store.write { db in
            try db.run("DELETE FROM plan_picture WHERE storey = ?", [storey])
            guard db.changesCount == 1 else { return false }
            try Self.note("remove", storey, nil, by: asker, db)
            return true
        }
    }

    private static func note(
        _ action: String, _ storey: Int64, _ placed: Placed?, by asker: Asker, _ db: Database
    ) throws {
        try AuditTrail.append(
            AuditEntry(
                at: asker.at, actor: asker.name, via: asker.via, action: action,
                entity: "plan_picture", entityID: "\(storey)",
                after: try placed.map {
                    try JSONText.text(of: [$0.version, "\($0.x)", "\($0.y)", "\($0.width)"])
                }), db)
    }

    /// Sides stand at fixed places of a PNG, and so does the sum of its last part but one, as we write it.
    private static func placed(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [Placed] {
        try db.rows(
            """
            SELECT storey, x_m, y_m, width_m, substr(png, 17, 8) AS sides,
                lower(hex(substr(png, -16, 4))) AS version
            FROM plan_picture WHERE \(condition) ORDER BY storey
            """, arguments
        ) { row in
            let sides = Array(row["sides"] as Data).map(Int64.init)
            let numbers = [0, 4].map { start in
                sides.dropFirst(start).prefix(4).reduce(0) { $0 << 8 | $1 }
            }
            return Placed(
                storey: row["storey"], x: row["x_m"], y: row["y_m"], width: row["width_m"],
                pixels: (numbers[0], numbers[1]), version: row["version"])
        }
    }
}
