import Basics
import SiteModel

/// When people are told what.
package struct NoticeRules: Equatable, Sendable, Codable {
    /// What is about a person and not urgent waits until these end. `nil`: nothing waits.
    package var quiet: QuietHours?
    /// What is told in quiet hours, too.
    package var urgent: [NotificationRow.Kind]
    /// A session open for longer is somebody who forgot the tag, or the check-out.
    package var forgotten: Timestamp.Span
    /// Who wants to be told of their records, by row.
    package var records: [UserID]

    package init(
        quiet: QuietHours? = nil, urgent: [NotificationRow.Kind] = [],
        forgotten: Timestamp.Span = .seconds(14 * 3600), records: [UserID] = []
    ) {
        self.quiet = quiet
        self.urgent = urgent
        self.forgotten = forgotten
        self.records = records
    }

    /// Also rules that were stored before people were told of records.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            quiet: try values.decodeIfPresent(QuietHours.self, forKey: .quiet),
            urgent: try values.decode([NotificationRow.Kind].self, forKey: .urgent),
            forgotten: try values.decode(Timestamp.Span.self, forKey: .forgotten),
            records: try values.decodeIfPresent([UserID].self, forKey: .records) ?? [])
    }

    /// When somebody may be told of something noticed at `moment`. What is about nobody waits for
    /// nobody's sleep.
    package func due(
        _ kind: NotificationRow.Kind, about user: UserID?, at moment: Timestamp,
        by calendar: SiteCalendar
    ) -> Timestamp {
        guard user != nil, !urgent.contains(kind), !kind.isPressing else { return moment }
        return quiet?.end(after: moment, by: calendar) ?? moment
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
