import GRDB
import Platform
import Scheduling
import SiteModel
import SiteStore

/// What people read of a notification: pseudonyms only, times as the site's clocks show them.
struct Wording {
    /// A few words.
    let title: String
    /// A sentence.
    let body: String

    /// Of a row with the columns `user_slug` and `time_zone`. A row of a release before has its own words.
    init(_ kind: NotificationRow.Kind, _ row: Row) {
        let stored: String = row["title"]
        guard stored.isEmpty else {
            (title, body) = (stored, row["body"])
            return
        }
        let calendar = SiteCalendar(zone: row["time_zone"])
        let user: String = row["user_slug"] ?? ""
        let moment: Timestamp = row["at_ms"]
        let since: Timestamp = row["since_ms"] ?? moment
        func clock(_ moment: Timestamp) -> String {
            String(calendar.local(moment).time.withSeconds.dropLast(3))
        }
        switch kind {
        case .arrival: (title, body) = ("Arrival", "\(user) arrived at \(clock(moment)).")
        case .departure: (title, body) = ("Departure", "\(user) left at \(clock(moment)).")
        case .noCheckIn:
            title = "No check-in"
            body = "\(user) has not come; the shift began at \(clock(since))."
        case .forgottenTag where (row["cause"] as String).hasPrefix("stray-"):
            title = "Tag left behind?"
            body =
                "\(user) checked out at \(clock(since)), and the tag was still heard at "
                + "\(clock(moment))."
        case .forgottenTag:
            let hours = (moment - since).milliseconds / 3_600_000
            title = "Tag left behind?"
            body =
                "\(user) has been in for more than \(hours) hours, since \(clock(since)) on "
                + "\(calendar.local(since).date)."
        case .batteryLow:
            title = "Battery low"
            body = "The battery of \(row["subject"] as String) is nearly empty."
        case .record:
            title = "Record"
            body =
                "\(user) did better than ever before in \(row["subject"] as String), at "
                + "\(clock(moment))."
        case .queueOffer:
            title = "Your turn"
            body =
                "\(row["subject"] as String) is kept for \(user) since \(clock(moment)), for a "
                + "short time."
        case .goal:
            title = "Goal reached"
            body = "\(user) reached the step goal for \(row["subject"] as String)."
        case .reminder:
            title = "Time to move"
            body = "\(user) wanted to be reminded to move at \(clock(moment))."
        case .shareRequest:
            title = "Share your training?"
            body =
                "A trainer asked at \(clock(moment)) whether \(user) lets trainers see what they train."
        case .tagSeen:
            title = "Tag in range"
            body = "\(row["subject"] as String) came into range at \(clock(moment))."
        case .tagGone:
            title = "Tag out of range"
            body = "\(row["subject"] as String) was last heard at \(clock(moment))."
        case .deviceSeen:
            title = "Device found"
            body = "\(row["subject"] as String): one was found at \(clock(moment))."
        case .deviceBeside:
            title = "A device came and went with you"
            body =
                "\(row["subject"] as String): one came and went with \(user) on three days, last at "
                + "\(clock(moment))."
        case .test: (title, body) = ("Test", "")
        }
    }
}

extension NotificationRow.Kind {
    /// What is private to whom it is about: who may not read it there has no webhook told of it.
    package static let ofActivity: [Self] = [.goal, .reminder, .shareRequest]
    /// What nobody reads but whom it is about.
    package static let ofOneself: [Self] = [.deviceBeside]
    /// What a webhook may be told.
    package static let open = allCases.filter { !ofOneself.contains($0) && $0 != .test }
    /// What it is told if nobody says what.
    package static let usual = open.filter { !ofActivity.contains($0) }
}
