import GRDB
import Records
import SiteModel
import SiteStore
import Wire

/// When people are told what.
package struct NoticeRules: Equatable, Sendable, Codable {
    /// What is about a person and not urgent waits until these end. `nil`: nothing waits.
    package var quiet: QuietHours?
    /// What is told in quiet hours, too.
    package var urgent: [NotificationPayload.Kind]
    /// A session open for longer is somebody who forgot the tag, or the check-out.
    package var forgotten: Timestamp.Span

    package init(
        quiet: QuietHours? = nil, urgent: [NotificationPayload.Kind] = [],
        forgotten: Timestamp.Span = .seconds(14 * 3600)
    ) {
        self.quiet = quiet
        self.urgent = urgent
        self.forgotten = forgotten
    }

    /// What the audit keeps of them.
    fileprivate var auditText: String {
        get throws {
            try JSONText.text(
                of: [
                    quiet?.text ?? "none", urgent.map(\.rawValue).joined(separator: ","),
                    "\(forgotten.seconds) s",
                ])
        }
    }
}

extension NotificationQueue {
    /// When people are told what.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func noticeRules() throws(StoreError) -> NoticeRules {
        try store.read { db in try Self.noticeRules(db) }
    }

    /// Has people told by other rules from now on. What already waits keeps its time.
    /// `actor` is who changes them, for the audit.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func setNoticeRules(
        _ rules: NoticeRules, by actor: String, at now: Timestamp
    ) throws(StoreError) {
        try store.write { db in
            let old = try Self.noticeRules(db)
            try db.run(
                """
                UPDATE notice_rule SET quiet_from_min = ?, quiet_to_min = ?, urgent = ?,
                    forgotten_s = ?
                """,
                [
                    rules.quiet?.from, rules.quiet?.to, try JSONText.text(of: rules.urgent),
                    rules.forgotten.milliseconds / 1000,
                ])
            try AuditTrail.append(
                AuditEntry(
                    at: now, actor: actor, via: .cli, action: "change", entity: "notice_rule",
                    entityID: "1", before: try old.auditText, after: try rules.auditText), db)
        }
    }

    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func noticeRules(_ db: Database) throws -> NoticeRules {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM notice_rule") else {
            return NoticeRules()
        }
        let (from, to): (Int?, Int?) = (row["quiet_from_min"], row["quiet_to_min"])
        var quiet: QuietHours?
        if let from, let to { quiet = QuietHours(from: from, to: to) }
        return NoticeRules(
            quiet: quiet,
            urgent: try JSONText.value([NotificationPayload.Kind].self, from: row["urgent"]),
            forgotten: .milliseconds(1000 * (row["forgotten_s"] as Int64)))
    }
}

/// The hours of each day in which people are left alone, by the clocks of the site's zone.
package struct QuietHours: Equatable, Sendable {
    /// Minutes after midnight at which they begin, 0 to 1439.
    package let from: Int
    /// Minutes after midnight at which they end, 0 to 1439. Before `from`: on the next day.
    package let to: Int

    /// Quiet hours, or `nil` if a minute is none of a day's, or both are the same.
    package init?(from: Int, to: Int) {
        guard (0..<1440).contains(from), (0..<1440).contains(to), from != to else { return nil }
        self.from = from
        self.to = to
    }

    /// Reads `22:00-07:00`; `nil` for anything else.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = Self.minute(ends[0]), let to = Self.minute(ends[1]) else {
            return nil
        }
        self.init(from: from, to: to)
    }

    /// As in `22:00-07:00`.
    package var text: String { "\(Self.text(from))-\(Self.text(to))" }

    /// When it is quiet at `moment`: the end of it, else `nil`. An hour that clocks skip or show
    /// twice is as quiet as they say.
    package func end(after moment: Timestamp, by calendar: SiteCalendar) -> Timestamp? {
        let (today, time) = calendar.local(moment)
        guard contains(time.minutes), let end = LocalTime(minutes: to) else { return nil }
        let moments = [today, today + 1, today + 2].flatMap { date in
            switch calendar.moment(of: date, end) {
            case .one(let moment): [moment]
            case .ambiguous(let first, let second): [first, second]
            case .nonexistent: [calendar.first(date, end)]
            }
        }
        return moments.first { $0 > moment }
    }

    private func contains(_ minute: Int) -> Bool {
        from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    private static func text(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }

    /// The minute of a day that `HH:MM` names.
    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}

extension QuietHours: Codable {
    /// Reads `22:00-07:00`.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let hours = QuietHours(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "hours are 22:00-07:00"))
        }
        self = hours
    }

    /// Writes `22:00-07:00`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Something stored that people are to be told of, before anybody is.
package struct NotificationCandidate {
    var kind: NotificationPayload.Kind
    /// What it stems from: of one cause there is one notification at most.
    var cause: String
    /// The row of the user it is about, or `nil` if it is about nobody.
    var user: Int64?
    /// The row or slug of what it is about.
    var subject: String
    /// When it happened.
    var at: Timestamp
    /// A few words.
    var title: String
    /// A sentence. Pseudonyms only.
    var body: String
}

extension SiteCalendar {
    /// Hours and minutes, `08:02`.
    func clock(_ moment: Timestamp) -> String {
        String(local(moment).time.withSeconds.dropLast(3))
    }
}
