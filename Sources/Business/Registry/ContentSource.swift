import GRDB
import Records
import SiteModel
import SiteStore

/// What is known of where cards are read from by themselves.
package struct ContentSource: Sendable {
    /// What came of it.
    package struct State: Equatable, Sendable {
        package var url: String?
        package var asked: Timestamp?
        package var read: Timestamp?
        package var fault: String?
    }

    /// It is asked so often.
    package static let pause = Timestamp.Span.seconds(900)
    /// So often while its cards are not of the group that is set.
    private static let shortPause = Timestamp.Span.seconds(60)

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func state() throws(StoreError) -> State {
        try store.read { db in try Self.state(db) }
    }

    /// What is to be asked now, and by which tag it is known; `nil`: nothing is.
    ///
    /// - Throws: As `state`.
    package func due(at now: Timestamp) throws(StoreError) -> (
        settings: ContentSettings, tag: String?
    )? {
        try store.read { db in
            guard let settings = try SiteRows.head(db)?.shown, let url = settings.source else {
                return nil
            }
            let known = try Row.fetchOne(
                db,
                sql: """
                    SELECT url, etag, asked_ms, beacon_group.slug AS read_of FROM content_source
                        LEFT JOIN beacon_group ON beacon_group.id = content_source.beacon_group
                    """)
            guard let known, known["url"] == url else { return (settings, nil) }
            let isOfGroup = known["read_of"] == settings.group
            let asked: Timestamp? = known["asked_ms"]
            let pause = isOfGroup ? Self.pause : Self.shortPause
            if let asked, now >= asked, now - asked < pause { return nil }
            // Cards that say something else by now are to be as the source has them again.
            let isAsRead = try isOfGroup && ContentImport.isAsRead(settings.group, db)
            return (settings, isAsRead ? known["etag"] : nil)
        }
    }

    /// Has it asked at once.
    ///
    /// - Throws: A `BooksRefusal`, `badState`, where none is set; a writer's `StoreError`.
    package func askSoon() throws -> State {
        let state: State? = try store.write { db in
            guard try SiteRows.head(db)?.shown.source != nil else { return nil }
            try db.run("UPDATE content_source SET asked_ms = NULL")
            return try Self.state(db)
        }
        guard let state else {
            throw BooksRefusal(.badState, "no source of cards is set: set content.source first")
        }
        return state
    }

    /// Puts down what came of asking. Without a fault the answer is known by `tag` from then on.
    ///
    /// - Throws: A writer's `StoreError`.
    package func note(
        _ url: String, fault: String?, tag: String?, at now: Timestamp
    ) throws(StoreError) {
        try store.write { db in
            try db.run(
                """
                INSERT INTO content_source (id, url, etag, asked_ms, fault) VALUES (1, ?1, ?2, ?3, ?4)
                ON CONFLICT (id) DO UPDATE SET url = excluded.url, asked_ms = excluded.asked_ms,
                    etag = CASE WHEN excluded.fault IS NULL THEN excluded.etag
                        WHEN url IS excluded.url THEN etag END,
                    fault = excluded.fault
                """, [url, tag, now.milliseconds, fault])
        }
    }

    private static func state(_ db: Database) throws -> State {
        var state = State()
        state.url = try SiteRows.head(db)?.shown.source
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM content_source") else {
            return state
        }
        state.read = row["read_ms"]
        guard row["url"] == state.url, state.url != nil else { return state }
        state.asked = row["asked_ms"]
        state.fault = row["fault"]
        return state
    }
}
