import Basics
import SiteModel

/// When people are told what.
package struct NoticeRules: Equatable, Sendable, Codable {
    /// What is about a person and not urgent waits until these end. `nil`: nothing waits.
    package var quiet: DailyHours?
    /// What is told in quiet hours, too.
    package var urgent: [NotificationRow.Kind]
    /// A session open for longer is somebody who forgot the tag, or the check-out.
    package var forgotten: Timestamp.Span
    /// Who wants to be told of their records, by row.
    package var records: [UserID]

    package init(
        quiet: DailyHours? = nil, urgent: [NotificationRow.Kind] = [],
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
            quiet: try values.decodeIfPresent(DailyHours.self, forKey: .quiet),
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

extension DailyHours {
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
}
